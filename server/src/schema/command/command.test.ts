import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { service } from '../../../test/shared.ts';
import { testKeys } from '../../../test/test-keys.ts';
import { readConfig } from '../../shared/config.ts';
import { parseId } from '../../shared/ids.ts';
import { Vault } from '../../shared/secrets/vault.ts';
import { localSchema, runSchemaCommand, type SchemaAction } from './commands.ts';
import { readSchemaFile } from './read-file.ts';
import { schemaFile } from './write-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'schema-'));
let files = 0;
const newFile = (text: string) => {
  const file = join(folder, `${++files}.schema.ts`);
  writeFileSync(file, text);
  return file;
};

async function newAccount() {
  const { id } = await service.newAccount();
  const { db, control } = service;
  const deps = { db, control, clock: () => service.clock.now, config: readConfig({}), vault: new Vault(testKeys()) };
  const source = localSchema(deps, parseId('acc', id) ?? '');
  const run = async (action: SchemaAction, file: string, more: { allowDataLoss?: boolean; undoId?: string } = {}) =>
    runSchemaCommand(action, more.undoId ?? '', source, {
      file,
      allowDataLoss: more.allowDataLoss ?? false,
      exitCode: true,
      json: false,
    });
  return { source, run };
}

const SOURCE = `const text = { type: 'text' } as const;
const posts = {
  key: 'posts',
  name: 'Posts',
  fields: [
    { id: 'title', label: "It's a title", ...text },
    { id: 'body', label: 'Body', type: 'text' },
  ],
};
export default { collections: [posts] };
`;

test('what was pushed from a file is pulled into one that makes no difference', async () => {
  const { run, source } = await newAccount();
  const file = newFile(SOURCE);
  const { output } = await run('push', file);
  assert.match(
    output,
    /^\+ Creates the collection "Posts", posts\n\nApplied\. Undo it with: headwater schema undo und_/,
  );
  const pulled = join(folder, 'pulled.schema.ts');
  await run('pull', pulled);
  assert.deepEqual((await readSchemaFile(pulled)).schema, await source.get());
  assert.deepEqual(await run('diff', pulled), { output: 'No differences.', exitCode: 0 });
  assert.match(readFileSync(pulled, 'utf8'), /export type Schema = SchemaOf<typeof schema>;/);
});

test('diff names what differs and changes nothing', async () => {
  const { run } = await newAccount();
  await run('push', newFile(SOURCE));
  const { output, exitCode } = await run('diff', newFile(SOURCE.replace("label: 'Body'", "label: 'Text'")));
  assert.equal(exitCode, 1);
  assert.match(output, /~ Changes the field "Text", posts\.body \(label\)\n {4}label: "Body" → "Text"/);
  assert.equal((await run('diff', newFile(SOURCE))).output, 'No differences.');
});

test('every fault has its line and column in the file, of whatever the service refuses', async () => {
  const { run } = await newAccount();
  await run('push', newFile(SOURCE));
  const file = newFile(
    SOURCE.replace("label: 'Body', type: 'text'", "label: 'Body', type: 'number'").replace(
      "name: 'Posts'",
      "name: 'Posts', displayFieldId: 'absent'",
    ),
  );
  await assert.rejects(run('push', file), (error: Error) => {
    const lines = error.message.split('\n').sort();
    assert.match(lines[0] ?? '', new RegExp(`${file}:4:34: There is no active field .* \\(field_unknown\\)`));
    assert.match(lines[1] ?? '', new RegExp(`${file}:7:40: The type of "Body" .* \\(type_immutable\\)`));
    return true;
  });
  const unknown = newFile(SOURCE.replace("id: 'body'", "id: 'body', colour: 'red'"));
  await assert.rejects(run('push', unknown), new RegExp(`${unknown}:7:27: .* \\(unknown_property\\)`));
});

test('a fault of a role has its line and column', async () => {
  const { run } = await newAccount();
  const role = `{ key: 'author', name: 'Author', permissions: [\n  { collection: 'posts', actions: ['read'], fields: ['titel'] }] }`;
  const file = newFile(SOURCE.replace('[posts] }', `[posts],\nroles: [${role}] }`));
  await assert.rejects(run('push', file), new RegExp(`${file}:12:54: .*"titel".*\\(field_unknown\\)`));
  const right = newFile(SOURCE.replace('[posts] }', `[posts],\nroles: [${role.replace('titel', 'title')}] }`));
  assert.match((await run('push', right)).output, /\+ Creates the role "Author", author/);
});

test('what is no TypeScript, or exports nothing, is a fault of the file', async () => {
  const { run } = await newAccount();
  const broken = newFile('export default {\n  collections: [,\n  }\n};\n');
  await assert.rejects(run('diff', broken), new RegExp(`${broken}:3:3: Unexpected token`));
  const empty = newFile('export const schema = {};\n');
  await assert.rejects(run('diff', empty), /must export a schema as its default/);
  await assert.rejects(run('diff', join(folder, 'absent.ts')), /There is no such file/);
});

test('a file can hold every text', () => {
  const name = 'a\'b"c\\d\n\u2028`*/';
  const text = schemaFile({
    collections: [{ name, fields: [] }],
    components: [],
    locales: { default: null, locales: [] },
    roles: [],
    webhooks: [],
  });
  return readSchemaFile(newFile(text)).then(({ schema }) => assert.equal(schema.collections?.[0]?.name, name));
});
