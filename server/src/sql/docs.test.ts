/** docs/sql.md describes the views by the table from which they are made: `WRITE=on npm test -- server/src/sql/docs.test.ts` writes it. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type SqlView, VIEWS } from './views.ts';
import { FUNCTIONS } from './vocabulary.ts';

const FILE = join(import.meta.dirname, '../../../docs/sql.md');
const NEEDS = { everything: 'reading all entries' } as Record<string, string>;

const views = Object.entries<SqlView>(VIEWS).map(([name, { about, needs, columns }]) => {
  const needed = needs === 'analytics' ? '' : ` A role needs ${NEEDS[needs] ?? `\`${needs}: read\``}.`;
  const lines = columns.map(([column, type, , text]) => `| \`${column}\` | ${type} | ${text} |`);
  return `### \`${name}\`\n\n${about}.${needed}\n\n| Column | Type | |\n|---|---|---|\n${lines.join('\n')}`;
});

function wrapped(words: readonly string[]): string {
  const lines = [''];
  for (const word of words) {
    if ((lines.at(-1) ?? '').length + word.length > 150) lines.push('');
    lines[lines.length - 1] += `${lines.at(-1) === '' ? '' : ' '}${word}`;
  }
  return lines.join('\n');
}

const functions = `\`\`\`text\n${wrapped([...FUNCTIONS].sort())}\n\`\`\``;

test('the documentation describes each view, column and function', () => {
  let text = readFileSync(FILE, 'utf8');
  for (const [section, content] of [
    ['views', views.join('\n\n')],
    ['functions', functions],
  ] as const) {
    text = text.replace(
      new RegExp(`(<!-- ${section} -->\n)[\\s\\S]*?(<!-- /${section} -->)`),
      (_, start, end) => `${start}\n${content}\n\n${end}`,
    );
  }
  if (process.env.WRITE === 'on') writeFileSync(FILE, text);
  assert.equal(readFileSync(FILE, 'utf8'), text);
});
