/** Whether the integrations for n8n, Zapier and Make fit the API; `npm run integrations` runs them by each tool's own runner. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { describe } from '../../integrations/describe.ts';
import { generatedFiles } from '../../integrations/generate.ts';

const ROOT = join(import.meta.dirname, '../..');
const text = readFileSync(join(ROOT, 'openapi.json'), 'utf8');
const files = generatedFiles();
const parsed = [...files].flatMap(([path, content]) => (path.endsWith('.json') ? [[path, JSON.parse(content)]] : []));

/** Each text in a value. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

test('a route, member, topic or operator that the API no longer has is named', () => {
  const without = (name: string, other = '"renamed"') => describe(JSON.parse(text.replaceAll(name, other)));
  assert.throws(() => without('"/v1/leads"', '"/v1/people"'), /GET \/v1\/leads/);
  assert.throws(() => without('"lead.created"'), /lead\.created/);
  assert.throws(() => without('"occurredAt"', '"at"'), /occurredAt of POST \/v1\/events/);
  assert.throws(() => without('"operator"', '"comparison"'), /operators of filters/);
  assert.throws(() => without('"gbraid":', '"renamed":'), /gbraid/);
});

test('the code of the integrations calls only routes of the API', () => {
  const paths = Object.keys(JSON.parse(text).paths).map((path) => path.replace(/\{\w+\}/g, '*'));
  const sources = globSync('integrations/{n8n/{nodes,credentials}/**/*.ts,zapier/*.js}', { cwd: ROOT })
    .filter((file) => !/description\.js|properties\.ts/.test(file))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'));
  const generated = parsed.flatMap(([, content]) => textsOf(content)).map((each) => each.replace(/^\{\{[^}]*\}\}/, ''));
  const called = [...sources.flatMap((source) => source.match(/(?<=['`])\/v1\/[^'`]*/g) ?? []), ...generated]
    .filter((each) => each.startsWith('/v1/'))
    .map((each) => each.replace(/\$\{[^}]*\}|\{\{[^}]*\}\}/g, '*'));
  assert.ok(called.length > 40);
  assert.deepEqual(
    called.filter((path) => !paths.includes(path)),
    [],
  );
});

test('the components of the app for Make have all of their files, and fields for what they send', () => {
  const contents = new Map<string, unknown>(parsed.map(([path, content]) => [path.replace('make/src/', ''), content]));
  const { components, generalCodeFiles } = contents.get('makecomapp.json') as {
    components: Record<string, Record<string, { codeFiles: Record<string, string> }>>;
    generalCodeFiles: Record<string, string | null>;
  };
  const all = Object.values(components).flatMap((each) => Object.values(each).map(({ codeFiles }) => codeFiles));
  const listed = [...all.flatMap(Object.values), ...Object.values(generalCodeFiles).filter((each) => each !== null)];
  assert.deepEqual(listed.sort(), [...contents.keys()].filter((path) => path !== 'makecomapp.json').sort());
  const namesOf = (value: unknown): string[] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([key, each]) => (key === 'name' ? [String(each)] : namesOf(each)));
  for (const { communication = '', attach = '', params, mappableParams } of all) {
    const parameters = params ?? mappableParams;
    if (parameters === undefined) continue;
    const used = textsOf([contents.get(communication), contents.get(attach)]).flatMap((each) =>
      [...each.matchAll(/parameters\.(\w+)/g)].map(([, name]) => name ?? ''),
    );
    const names = namesOf(contents.get(parameters));
    for (const name of used) assert.ok(names.includes(name), `${communication}: no parameter ${name}`);
  }
});
