import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentService, faultsOf } from '../test-support.ts';

const { call, ok, newAccount } = await contentService();
const TITLE = { id: 'title', label: 'Title', type: 'text' };
const COLLECTIONS = '/v1/cms/collections';

test('a key stands for the ID in every path and in collectionIds, and a field keeps its target when the key changes', async () => {
  const account = await newAccount();
  const { id, key } = await ok(`POST ${COLLECTIONS}`, account, { name: 'Posts', key: 'posts', fields: [TITLE] });
  assert.equal(key, 'posts');
  const entry = await ok(`POST ${COLLECTIONS}/posts/entries`, account, { values: { title: 'One' } });
  assert.equal(entry.collectionId, id);
  for (const path of [
    '',
    '/entries',
    `/entries/${entry.id}`,
    `/entries/${entry.id}/usages`,
    `/entries/${entry.id}/versions`,
    '/trash',
    '/imports',
  ]) {
    assert.deepEqual(
      await ok(`GET ${COLLECTIONS}/posts${path}`, account),
      await ok(`GET ${COLLECTIONS}/${id}${path}`, account),
      path,
    );
  }
  const reference = { id: 'post', label: 'Post', type: 'text', format: 'reference', collectionIds: ['posts', id] };
  const parent = { ...reference, id: 'parent', collectionIds: ['notes'] };
  const notes = await ok(`POST ${COLLECTIONS}`, account, { name: 'Notes', key: 'notes', fields: [reference, parent] });
  const idsOf = (collection: { fields: { collectionIds: string[] }[] }) =>
    collection.fields.map(({ collectionIds }) => collectionIds);
  assert.deepEqual(idsOf(notes), [[id], [notes.id]], 'also its own key');
  const first = await ok(`POST ${COLLECTIONS}/notes/entries`, account, { values: { post: entry.id } });
  await ok(`POST ${COLLECTIONS}/notes/entries`, account, { values: { post: entry.id, parent: first.id } });
  await ok(`PATCH ${COLLECTIONS}/posts`, account, { key: 'articles' });
  assert.deepEqual(idsOf(await ok(`GET ${COLLECTIONS}/notes`, account)), [[id], [notes.id]]);
  assert.equal(
    (await call(`GET ${COLLECTIONS}/posts/entries`, { as: account })).status,
    404,
    'the old key leads nowhere',
  );
  assert.equal((await ok(`GET ${COLLECTIONS}/articles/entries`, account)).entries.length, 1);
  const changed = { fields: [{ id: 'post', collectionIds: ['articles', 'nothing'] }] };
  assert.deepEqual(faultsOf(await call(`PATCH ${COLLECTIONS}/notes`, { as: account, body: changed })), [
    '/fields/0/collectionIds/1 collection_unknown',
  ]);
  assert.equal('key' in (await ok(`PATCH ${COLLECTIONS}/notes`, account, { key: null })), false);
});

test('a key is unique among the active collections of an account, also if it is claimed at the same time', async () => {
  const [account, other] = [await newAccount(), await newAccount()];
  const create = (key: string, as = account) =>
    call(`POST ${COLLECTIONS}`, { as, body: { name: 'Things', key, fields: [TITLE] } });
  const answers = await Promise.all(Array.from({ length: 8 }, () => create('things')));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(400)]);
  const refused = answers.find(({ status }) => status === 400);
  assert.deepEqual(refused && faultsOf(refused), ['/key key_taken']);
  assert.equal((await create('things', other)).status, 200);
  assert.equal((await call(`GET ${COLLECTIONS}/things`, { as: other })).body.name, 'Things');
  const { id } = (await call(`DELETE ${COLLECTIONS}/things`, { as: account })).body;
  assert.equal((await create('things')).status, 200);
  const restored = await call(`PATCH ${COLLECTIONS}/${id}`, { as: account, body: { status: 'active' } });
  assert.deepEqual(faultsOf(restored), ['/key key_taken']);
  await ok(`PATCH ${COLLECTIONS}/${id}`, account, { status: 'active', key: 'more_things' });
  for (const key of ['Things', '1a', '', 'a-b', 'a'.repeat(64)]) {
    assert.equal((await create(key)).status, 400, key);
  }
  for (const key of ['redirects', 'changes', 'resolve', id]) {
    assert.deepEqual(faultsOf(await create(key)), ['/key key_reserved'], key);
  }
});

test('public content is read by key, and the key of another collection is never answered from memory', async () => {
  const account = await newAccount();
  const isPublic = { publishing: true, public: true, fields: [TITLE] };
  await ok(`POST ${COLLECTIONS}`, account, { name: 'One', key: 'one', ...isPublic });
  await ok(`POST ${COLLECTIONS}`, account, { name: 'Two', key: 'two', ...isPublic });
  for (const key of ['one', 'two']) {
    const entry = await ok(`POST ${COLLECTIONS}/${key}/entries`, account, { values: { title: key } });
    await ok(`POST ${COLLECTIONS}/${key}/entries/${entry.id}/publish`, account, {});
  }
  const titles = async (key: string) =>
    (await ok(`GET /v1/content/${key}`, account)).entries.map(
      (each: { values: { title: string } }) => each.values.title,
    );
  assert.deepEqual([await titles('one'), await titles('two')], [['one'], ['two']]);
  await ok(`PATCH ${COLLECTIONS}/one`, account, { key: 'three' });
  await ok(`PATCH ${COLLECTIONS}/two`, account, { key: 'one' });
  assert.deepEqual([await titles('one'), await titles('three')], [['two'], ['one']]);
  assert.equal((await call('GET /v1/content/two', { as: account })).status, 404);
});

test('that a collection is not public is only told with a secret token', async () => {
  const account = await newAccount();
  await ok(`POST ${COLLECTIONS}`, account, { name: 'Secrets', key: 'secrets', fields: [TITLE] });
  const withKey = (name: string) =>
    call(`GET /v1/content/${name}`, { headers: { 'x-api-key': `Bearer ${account.apiKey}` } });
  const [hidden, unknown] = [await withKey('secrets'), await withKey('nothing')];
  assert.deepEqual([hidden.status, unknown.status], [404, 404]);
  const { requestId: _, ...body } = hidden.body;
  const { requestId: __, ...same } = unknown.body;
  assert.deepEqual(body, same);
  for (const path of ['secrets', 'secrets/ent_x']) {
    const { status, body } = await call(`GET /v1/content/${path}`, { as: account });
    assert.deepEqual([status, body.code], [404, 'not_found']);
    assert.match(body.detail, /"Secrets" is not public.*"publishing": true, "public": true/);
  }
});
