import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');

/** Terms that must not come back, with what to write instead. They match whole words in any case. */
const TERMS: Record<string, string> = {
  'where from': 'Sources',
  'to the days before': 'Previous period',
  'to a year before': 'Previous year',
  'compare to nothing': 'No comparison',
  'show these days': 'Apply',
  'none before': 'No previous data',
  'counted just now': 'Updated just now',
  'what led to': 'Attribution',
  'reports? were not matched': 'Unmatched conversions',
  'waits until': 'Expires',
  'in these days': 'for this period',
  'left before this': 'dropped off',
  'its address keeps': 'Share this URL',
  'name of the event': 'Event name',
  'clicked an ad': 'Ad click',
  'first came from': 'First touch',
  'e-mails?': 'email',
  'no such lead': 'No leads found',
  'is known any more': 'Data no longer available',
  'takes the sale back': 'Enter 0 to refund',
  'reports of it': 'Report history',
  'rehears\\w+': 'Preview (in code: dry run)',
  'order numbers?': 'Order ID',
  'second sales?': 'Deduplicated by order ID',
  'name in the api': 'API ID',
  'yes or no': 'Boolean',
  'is called by': 'Title field',
  '(smallest|largest) first': 'Ascending, Descending',
  'bring back': 'Restore',
  'brought back': 'Restored',
  'for good': 'Delete permanently',
  'go back to this version': 'Restore version',
  'go on writing': 'Keep editing',
  'this was not accepted': 'Couldn’t save',
  'look at what is marked': 'Fix the highlighted fields',
  'parted by': 'Comma-separated',
  'as it may be either': 'Choose a format',
  'who do not see it': 'Alt text',
  'make the key': 'Create key',
  'your pages record': 'Receiving data',
  'postback address': 'Postback URL',
  'the word for it': 'Macro',
  'pages that may record': 'Allowed domains',
  'your own addresses': 'Excluded IPs',
  'forget\\w*': 'Data retention',
  'present password': 'Current password',
  'signed in on': 'Active sessions',
  'do not belong together': 'Incorrect email or password',
  'on its way': 'Pending',
  'there is no such host': 'DNS lookup failed',
  'nothing of that name': 'No results',
  'films?': 'Video',
  'colours?': 'color (US English)',
  cancelled: 'canceled (US English)',
};

/** Further terms that are wrong as labels of the dashboard, but plain English in a sentence of the docs. */
const UI_TERMS: Record<string, string> = {
  'rows are for': 'Import mode',
  'any more': 'no longer',
  whoever: 'anyone',
  'landed on': 'Landing page',
  'any page': 'All pages',
  'choose days': 'Custom range',
  'any day': 'All time',
  '% more': '+15%',
  '% less': '−15%',
  'as before': 'No change',
  'and others': 'View all',
  'not matched': 'Unmatched',
  'looked for': 'Identifier',
  'of the first': 'of step 1',
  'went on': 'continued',
  restated: 'Adjusted',
  'a single one': 'Single conversion',
  'check them': 'Preview',
  'not accepted': 'Invalid',
  'left out': 'Skip',
  'found by': 'Match by',
  'by itself': 'automatically',
  'several values': 'Allow multiple',
  'set a field': 'Bulk edit',
  'as they are': 'Unchanged',
  'faults?': 'Error',
  'make one': 'Create',
  'see them': 'View',
  'told of': 'Events',
  'switch(ed)? (off|on)': 'Disable, Enable',
  'send again': 'Retry',
  'until, included': 'To',
  'the answer': 'Response',
};

const patternOf = (terms: object) => new RegExp(`(?<![\\w-])(${Object.keys(terms).join('|')})(?![\\w-])`, 'i');
const UI_PATTERN = patternOf({ ...TERMS, ...UI_TERMS });
const DOCS_PATTERN = patternOf(TERMS);

function filesIn(folder: string, extension: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => extension.test(name))
    .map((name) => `${folder}/${name}`);
}

/** What a user can read in a source file: string literals and JSX text. Comments, imports and identifiers are not checked. */
function stringsOf(source: string): string[] {
  const code = source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^import [\s\S]*?;$/gm, '');
  const literals = [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(
    ([, single, double, template]) => (single ?? double ?? template ?? '').replace(/\$\{[^}]*\}/g, ' '),
  );
  const texts = [...code.matchAll(/>([^<>{}]*[a-z][^<>{}]*)[<{]|\}([^<>{}=;]*[a-z][^<>{}=;]*)</gi)].map(
    ([, text, rest]) => text ?? rest ?? '',
  );
  const isCode = (text: string) => /[;=]|\w\(|&&/.test(text);
  // Identifiers, paths and class names have no spaces; single words are checked as they are.
  return [...literals.filter((text) => !/^[a-z][\w./-]*$/.test(text)), ...texts.filter((text) => !isCode(text))];
}

const violationsOf = (texts: readonly string[], pattern = UI_PATTERN): string[] =>
  texts.flatMap((text) => {
    const found = pattern.exec(text.replace(/\s+/g, ' '))?.[0];
    return found === undefined ? [] : [`“${found}” in “${text.trim().replace(/\s+/g, ' ').slice(0, 120)}”`];
  });

describe('vocabulary', () => {
  it('finds a replaced term in a string literal, a template and JSX text, and not in comments or identifiers', () => {
    assert.equal(violationsOf(stringsOf("const label = 'Order number';")).length, 1);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source code
    assert.equal(violationsOf(stringsOf('const label = `${count} not matched`;')).length, 1);
    assert.equal(violationsOf(stringsOf('<Text>\n  Brought back\n</Text>')).length, 1);
    assert.deepEqual(violationsOf(stringsOf("// not matched\nconst restated = 'unmatched';")), []);
  });

  it('keeps replaced terms out of the strings of the dashboard', () => {
    const found = filesIn('dashboard/src', /\.tsx?$/).flatMap((file) =>
      violationsOf(stringsOf(readFileSync(join(ROOT, file), 'utf8'))).map((violation) => `${file}: ${violation}`),
    );
    assert.deepEqual(found, []);
  });

  it('keeps replaced terms out of the docs', () => {
    const found = ['README.md', ...filesIn('docs', /\.md$/)].flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8').replace(/```[\s\S]*?```/g, '');
      return violationsOf(text.replace(/`[^`]*`/g, ' ').split(/\n\s*\n/), DOCS_PATTERN).map(
        (violation) => `${file}: ${violation}`,
      );
    });
    assert.deepEqual(found, []);
  });
});
