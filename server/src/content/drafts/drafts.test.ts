import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestUser } from '../../../test/users.ts';
import { emptyTrash } from '../history/empty-trash.ts';
import { contentService } from '../test-support.ts';
import { expireDrafts } from './queries.ts';

const service = await contentService();
const { call, ok, newAccount, newCollection, createEntry, clock } = service;

test('unsaved changes are their user’s alone, change nothing of the entry, and end with it', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [{ id: 'title', label: 'Title', type: 'text' }]);
  const { id } = await createEntry(account, path, { title: 'One' });
  const at = `${path}/entries/${id}`;
  const [ada, bo] = [await createTestUser(service, account), await createTestUser(service, account)];
  const draftOf = async (by: typeof ada) => (await call(`GET ${at}/draft`, { by })).body.draft;
  const put = (by: typeof ada, body: object) => call(`PUT ${at}/draft`, { by, body });
  assert.equal(await draftOf(ada), null);
  // Also what an update would refuse.
  const { draft } = (await put(ada, { version: 1, changes: { title: 7, gone: null } })).body;
  assert.deepEqual(await draftOf(ada), draft);
  assert.deepEqual([draft.version, draft.changes], [1, { title: 7, gone: null }]);
  assert.equal(await draftOf(bo), null);
  await put(bo, { version: 1, changes: { title: 'Bo' } });
  const entry = await ok(`GET ${at}`, account);
  assert.deepEqual([entry.version, entry.values], [1, { title: 'One' }]);
  assert.equal((await put(ada, { version: 0, changes: {} })).status, 400);
  assert.equal((await put(ada, { version: 1e21, changes: {} })).status, 400);
  assert.equal((await put(ada, { version: 1 })).status, 400);
  assert.deepEqual((await call(`DELETE ${at}/draft`, { by: ada })).body.draft.changes, { title: 7, gone: null });
  assert.deepEqual([await draftOf(ada), (await draftOf(bo)).changes], [null, { title: 'Bo' }]);

  const count = async () =>
    (await service.db.query('select count(*)::int as n from entry_drafts where entry_id is not null')).rows[0].n;
  const before = await count();
  await expireDrafts(service.db, { before: new Date(clock.now - 1) });
  assert.equal(await count(), before);
  await ok(`PATCH ${at}`, account, { status: 'deleted' });
  assert.equal((await call(`GET ${at}/draft`, { by: bo })).status, 404);
  clock.now += 86_400_000;
  await emptyTrash(service.db, clock.now, clock.now, 100, new AbortController().signal);
  assert.equal(await count(), before - 1);
});

test('unsaved changes that were stored since they were read are neither replaced nor deleted', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [{ id: 'title', label: 'Title', type: 'text' }]);
  const { id } = await createEntry(account, path, { title: 'One' });
  const at = `${path}/entries/${id}/draft`;
  const ada = await createTestUser(service, account);
  const put = async (title: string, updatedAt?: string | null) => {
    const { status, body } = await call(`PUT ${at}`, { by: ada, body: { version: 1, changes: { title }, updatedAt } });
    return status === 200 ? body.draft.updatedAt : body.errors.map((each: { code: string }) => each.code);
  };
  const remove = async (updatedAt: string) =>
    (await call(`DELETE ${at}?updatedAt=${encodeURIComponent(updatedAt)}`, { by: ada })).status;
  const first = await put('A', null);
  assert.deepEqual(await put('B', null), ['version_conflict']);
  // Within one millisecond, too.
  const second = await put('B', first);
  assert.notEqual(second, first);
  assert.deepEqual(await put('C', first), ['version_conflict']);
  assert.equal(await remove(first), 400);
  assert.deepEqual((await call(`GET ${at}`, { by: ada })).body.draft.changes, { title: 'B' });
  assert.equal(await remove(second), 200);
  assert.equal(await remove(second), 200, 'nothing is there');
  assert.equal(typeof (await put('D', second)), 'string', 'nothing is lost by it');
  assert.equal(typeof (await put('E')), 'string', 'nothing is expected');
});

test('who has an entry open says which field they edit', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [{ id: 'title', label: 'Title', type: 'text' }]);
  const { id } = await createEntry(account, path, { title: 'One' });
  const [ada, bo] = [await createTestUser(service, account), await createTestUser(service, account)];
  const report = async (by: typeof ada, query = '') =>
    (await call(`POST ${path}/entries/${id}/presence${query}`, { by })).body.users;
  await report(ada, '?field=title');
  const others = await report(bo);
  assert.deepEqual(
    others.map((each: { field: string }) => each.field),
    ['title'],
  );
  await report(ada);
  assert.equal((await report(bo))[0].field, null);
});
