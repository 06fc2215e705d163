import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { IntlMessageFormat } from 'intl-messageformat';
import { CONNECTORS } from '../../server/src/costs/connectors/registry.ts';
import type { PlatformForm } from '../../server/src/destinations/platforms/platform.ts';
import { PLATFORMS } from '../../server/src/destinations/platforms/registry.ts';
import { translator } from '../src/languages/service-texts.ts';
import { faultsOf, faultsOfSchemas } from './faults.ts';
import { isText, textsOf } from './texts.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Drawings, code and tables of codes, in which no word is shown. */
const WITHOUT_TEXTS =
  /languages\/(language|translate)|shared\/(icons|locale-defaults|wall-time|focus-first-error|locale|logo)\.|router\.tsx/;

const pages = globSync('dashboard/src/**/*.{ts,tsx}', { cwd: ROOT });
/** Mails. The service has no other texts that are translated. */
const mails = globSync('server/src/**/*.ts', { cwd: ROOT }).filter(
  (path) =>
    !path.endsWith('.test.ts') &&
    /\btranslatorOf\(|\bTranslate\b|\balertOwners\(/.test(read(path)) &&
    !path.endsWith('languages.ts'),
);

const catalogues = readdirSync(join(ROOT, 'languages')).map((name) => ({
  language: basename(name, '.json'),
  texts: JSON.parse(read(`languages/${name}`)) as Record<string, string>,
}));

type Element = ReturnType<IntlMessageFormat['getAst']>[number];

/** Of a message: the names of its placeholders and tags, and the forms of its plurals. */
function partsOf(message: string): { names: string[]; plurals: string[][] } {
  const names = new Set<string>();
  const plurals: string[][] = [];
  const visit = (elements: readonly Element[]): void => {
    for (const element of elements) {
      if ('value' in element && element.type !== 0) names.add(element.value);
      if ('options' in element) {
        if ('pluralType' in element) plurals.push(Object.keys(element.options));
        for (const { value } of Object.values(element.options)) visit(value);
      }
      if ('children' in element) visit(element.children);
    }
  };
  visit(new IntlMessageFormat(message, 'en').getAst());
  return { names: [...names].sort(), plurals };
}

/** Its name, and what its credentials and conversions are called and where to find them. */
function textsOfPlatform({ name, credentials, target }: Pick<PlatformForm, 'credentials'> & Partial<PlatformForm>) {
  const fields = [...Object.values(credentials), ...(target ? [target] : [])];
  return [...(name ? [name] : []), ...fields.flatMap(({ label, description }) => [label, description])];
}

const found = [...pages, ...mails].map((path) => ({ path, ...textsOf(read(path), path) }));
/** What the service says of faults and of the settings of platforms, as people see it in the dashboard. */
const faults = new Set([
  ...globSync('server/src/**/*.ts', { cwd: ROOT }).flatMap((path) => faultsOf(read(path), path)),
  ...faultsOfSchemas(),
  ...[...Object.values(PLATFORMS), ...Object.values(CONNECTORS)].flatMap(textsOfPlatform).filter(isText),
]);
const keys = new Set([...found.flatMap((each) => each.keys), ...faults]);

describe('texts of the dashboard and of mails', () => {
  it('are literals, so that they can be found', () => {
    assert.deepEqual(
      found.flatMap(({ path, computed }) => computed.map((call) => `${path}: ${call}`)),
      [],
    );
  });

  it('go through the catalogue wherever a page shows them', () => {
    const bare = found
      .filter(({ path }) => path.startsWith('dashboard/') && !WITHOUT_TEXTS.test(path))
      .flatMap((each) => each.bare.map((text) => `${each.path}: ${text}`));
    assert.deepEqual(bare, [], 'wrap each in t(…), or name it in SAME of texts.ts if every language writes it alike');
  });

  for (const { language, texts } of catalogues) {
    it(`are all in languages/${language}.json, and nothing else is`, () => {
      assert.deepEqual(
        [...keys].filter((key) => texts[key] === undefined || texts[key].trim() === ''),
        [],
        'without a translation',
      );
      assert.deepEqual(
        Object.keys(texts).filter((key) => !keys.has(key)),
        [],
        'not used any more',
      );
    });

    it(`have the same placeholders in languages/${language}.json, and the plurals that ${language} has`, () => {
      const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      const placeholders = (text: string) => (text.match(/\{\d\}/g) ?? []).toSorted();
      for (const [key, text] of Object.entries(texts)) {
        if (faults.has(key)) {
          assert.deepEqual(placeholders(text), placeholders(key), key);
          continue;
        }
        const { names, plurals } = partsOf(text);
        assert.deepEqual(names, partsOf(key).names, key);
        for (const forms of plurals) {
          assert.deepEqual(
            categories.filter((category) => !forms.includes(category)),
            [],
            key,
          );
        }
      }
    });

    it(`are sorted in languages/${language}.json, so that additions merge`, () => {
      const names = Object.keys(texts);
      assert.deepEqual(names, names.toSorted());
    });
  }
});

describe('what the service says of faults', () => {
  const { de } = Object.fromEntries(catalogues.map(({ language, texts }) => [language, texts]));

  it('begins with the place of the value in every language, where it does so in English', () => {
    const begins = /^`[^`]*` /;
    for (const { texts } of catalogues) {
      for (const [key, text] of Object.entries(texts)) {
        if (faults.has(key)) assert.equal(begins.exec(text)?.[0], begins.exec(key)?.[0], key);
      }
    }
  });

  it('is translated with its values', () => {
    const translate = translator(de ?? {});
    assert.equal(translate('`/fields/0/label` is required.'), '`/fields/0/label` ist erforderlich.');
    assert.equal(
      translate('In the collection "Posts (draft)": The list contains "de" twice.'),
      'In der Sammlung „Posts (draft)“: Die Liste enthält „de“ zweimal.',
    );
    // A value is not a text of the interface.
    assert.equal(translate('"Title" is required.'), '„Title“ ist erforderlich.');
    assert.equal(translate('No catalogue has this.'), 'No catalogue has this.');
  });

  it('is found in the sources', () => {
    const code = `refuse('/a', 'too_many', \`An account has at most \${limit} keys.\`);
      const detail = isOpen ? 'It is open still.' : \`\${pointer} is closed: \${reason}\`;
      add({ code: 'x', detail: 'contains a text that is not one.' }); query('select_rows', 'select a from b where c = 1.');`;
    assert.deepEqual(faultsOf(code, 'server/src/a.ts'), [
      'An account has at most {0} keys.',
      'It is open still.',
      '{0} is closed: {1}',
      '`{0}` contains a text that is not one.',
    ]);
    assert.deepEqual(faultsOf(code, 'server/src/mcp/a.ts'), []);
  });
});

describe('the search for texts', () => {
  it('finds what is not translated, and leaves code alone', () => {
    const { keys, bare, computed } = textsOf(
      `const a = <Text title="Own words" c="dimmed">{t('Known')} Bare {x === 'Loud' ? 'Shown' : t('Also known')}</Text>;
       const b = { label: 'A label', queryKey: ['Not shown'], color: 'Red' };
       notify('Was saved.'); notify(\`\${name} was lost\`); list.includes('Not shown'); t(variable);`,
      'a.tsx',
    );
    assert.deepEqual(keys, ['Known', 'Also known']);
    assert.deepEqual(bare, ['Own words', 'Bare', 'Shown', 'A label', 'Was saved.', 'X was lost']);
    assert.deepEqual(computed, ['t(variable)']);
  });
});
