import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filePart, PNG } from '../../../test/furnished-account.ts';
import type { Account } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { createTestUser } from '../../../test/users.ts';
import { purgeNext } from '../collections/purge-collection.ts';
import { contentService } from '../test-support.ts';
import { emptyTrash } from './empty-trash.ts';

const service = await contentService();
const { call, ok, db, clock, newAccount, newCollection, createEntry } = service;

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text' },
  { id: 'hero', label: 'Hero', type: 'asset' },
];
const TABLES = ['entries', 'entry_index', 'entry_texts', 'entry_versions', 'asset_uses', 'field_backfills'];

/** More than the fixed clock of a test is behind the clock by which IDs are generated. */
const A_WHILE = 600_000;

/** The number of rows of an account in each of these tables. */
async function rowsOf(account: Account): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of TABLES) {
    const { rows } = await db.query(`select count(*)::int as n from ${table} where account_id = $1`, [account.uuid]);
    if (rows[0].n > 0) counts[table] = rows[0].n;
  }
  return counts;
}

async function upload(account: Account): Promise<string> {
  const { payload, headers } = filePart('file', 'a.png', PNG);
  return (await call('POST /v1/files/upload', { as: account, body: payload, headers })).body.assetId;
}

const isUsed = async (account: Account, assetId: string) =>
  (await ok(`GET /v1/files/${assetId}`, account)).unusedSince === null;
/** Purges as two concurrent processes would. */
const purge = async () => {
  const one = async () => {
    while (await purgeNext(db, { entries: 2, indexRows: 3 }, clock.now));
  };
  await Promise.all([one(), one()]);
  await one();
};
const names = (things: { id: string }[]) => things.map(({ id }) => id);

test('the trash lists deleted entries, most recently deleted first, with who deleted them, and no restored ones', async () => {
  const account = await newAccount();
  const path = await newCollection(account, FIELDS);
  const entries = [];
  for (const title of ['a', 'b', 'c', 'd']) entries.push(await createEntry(account, path, { title }));
  const [a, b, c] = entries;
  const user = await createTestUser(service, account, 'editor', 'Ida');
  for (const entry of [b, a, c]) {
    clock.now += A_WHILE;
    await call(`DELETE ${path}/entries/${entry?.id}`, { by: user });
  }
  const first = await ok(`GET ${path}/trash?pageSize=2`, account);
  const second = await ok(`GET ${path}/trash?pageSize=2&pageToken=${first.nextPageToken}`, account);
  assert.deepEqual(names([...first.entries, ...second.entries]), [c?.id, a?.id, b?.id]);
  assert.equal(second.nextPageToken, null);
  assert.deepEqual(first.entries[0].deletedBy, { type: 'user', id: user.userId, name: 'Ida' });
  assert.equal(first.entries[0].deletedAt, first.entries[0].updatedAt);
  assert.deepEqual([first.entries[0].status, first.entries[0].values], ['deleted', { title: 'c' }]);
  await ok(`PATCH ${path}/entries/${a?.id}`, account, { status: 'active' });
  assert.deepEqual(names((await ok(`GET ${path}/trash`, account)).entries), [c?.id, b?.id]);
});

test('deleted collections are listed only in the trash, with the number of entries that a restore brings back', async () => {
  const account = await newAccount();
  const [one, two] = [await newCollection(account, FIELDS), await newCollection(account, FIELDS)];
  await createEntry(account, one, { title: 'a' });
  for (const path of [one, two]) {
    clock.now += A_WHILE;
    await ok(`DELETE ${path}`, account);
  }
  const page = await ok('GET /v1/cms/trash?pageSize=1', account);
  const rest = await ok(`GET /v1/cms/trash?pageSize=1&pageToken=${page.nextPageToken}`, account);
  const listed = [...page.collections, ...rest.collections];
  assert.deepEqual(
    listed.map(({ id, entryCount }) => [`/v1/cms/collections/${id}`, entryCount]),
    [
      [two, 0],
      [one, 1],
    ],
  );
  assert.deepEqual((await ok('GET /v1/cms/collections', account)).collections, []);
  await ok(`PATCH ${one}`, account, { status: 'active' });
  assert.equal((await ok(`GET ${one}/entries`, account)).entries.length, 1);
  assert.equal((await ok('GET /v1/cms/trash', account)).collections.length, 1);
});

test('permanently deleting an entry leaves no rows behind and frees its files', async () => {
  const account = await newAccount();
  const path = await newCollection(account, FIELDS);
  const assetId = await upload(account);
  const { id } = await createEntry(account, path, { title: 'a', hero: { assetId } });
  const kept = await createEntry(account, path, { title: 'kept' });
  const before = await rowsOf(account);
  const entry = `${path}/entries/${id}`;
  await ok(`PATCH ${entry}`, account, { values: { title: 'b' } });

  const active = await call(`DELETE ${entry}?permanently=true`, { as: account });
  assert.deepEqual([active.status, active.body.code], [400, 'not_deleted']);
  await ok(`DELETE ${entry}`, account);
  assert.equal(await isUsed(account, assetId), true);
  const removed = await ok(`DELETE ${entry}?permanently=true`, account);
  assert.deepEqual([removed.id, removed.status, removed.values.title], [id, 'deleted', 'b']);

  assert.equal(await isUsed(account, assetId), false);
  assert.deepEqual(await rowsOf(account), { entries: 1, entry_index: 2, entry_texts: 1 });
  assert.notDeepEqual(await rowsOf(account), before);
  for (const [request, body] of [
    [`GET ${entry}?includeDeleted=true`],
    [`PATCH ${entry}`, { status: 'active' }],
    [`DELETE ${entry}?permanently=true`],
    [`GET ${entry}/versions?includeDeleted=true`],
  ] as const) {
    assert.equal((await call(request, { as: account, body })).status, 404, request);
  }
  assert.equal((await ok(`GET ${path}/entries/${kept.id}`, account)).values.title, 'kept');
});

test('a permanently deleted collection disappears at once, and its contents are removed in parts', async () => {
  const account = await newAccount();
  const [path, other] = [await newCollection(account, FIELDS), await newCollection(account, FIELDS)];
  const assetId = await upload(account);
  await createEntry(account, other, { title: 'other', hero: { assetId } });
  const before = await rowsOf(account);
  for (let i = 0; i < 5; i++) {
    const { id } = await createEntry(account, path, { title: `t${i}`, hero: { assetId } });
    await ok(`PATCH ${path}/entries/${id}`, account, { values: { title: `u${i}` } });
    if (i < 2) await ok(`DELETE ${path}/entries/${id}`, account);
  }
  await db.query(
    `insert into field_backfills (account_id, collection_id, field_key, entry_id)
     select account_id, id, (fields -> 0 ->> 'key')::bigint, gen_random_uuid() from collections
     where account_id = $1 order by id limit 1`,
    [account.uuid],
  );
  const active = await call(`DELETE ${path}?permanently=true`, { as: account });
  assert.deepEqual([active.status, active.body.code], [400, 'not_deleted']);
  await ok(`DELETE ${path}`, account);
  const owner = await createTestUser(service, account);
  assert.equal((await call(`DELETE ${path}?permanently=true`, { by: owner })).status, 200);

  assert.deepEqual((await ok('GET /v1/cms/trash', account)).collections, []);
  for (const [request, body] of [
    [`GET ${path}?includeDeleted=true`],
    [`PATCH ${path}`, { status: 'active' }],
    [`DELETE ${path}?permanently=true`],
  ] as const) {
    assert.equal((await call(request, { as: account, body })).status, 404, request);
  }
  await purge();
  assert.deepEqual(await rowsOf(account), before);
  const { rows } = await db.query('select count(*)::int as n from collections where account_id = $1', [account.uuid]);
  assert.equal(rows[0].n, 1);
  assert.equal(await isUsed(account, assetId), true, 'the other collection uses it');
  const { body } = await call('GET /v1/audit?action=collection.removed', { by: owner });
  assert.deepEqual(body.changes[0].before, { name: 'Things' });
});

test('the worker removes a permanently deleted collection automatically', async () => {
  const account = await newAccount();
  const path = await newCollection(account, FIELDS);
  await createEntry(account, path, { title: 'a' });
  for (const worker of service.workers) worker.start();
  await ok(`DELETE ${path}`, account);
  await ok(`DELETE ${path}?permanently=true`, account);
  await until(async () => Object.keys(await rowsOf(account)).length === 0);
  await Promise.all(service.workers.map((worker) => worker.stop()));
});

test('the trash is emptied of what was deleted long enough ago, and of nothing else', async () => {
  const account = await newAccount();
  const [path, gone] = [await newCollection(account, FIELDS), await newCollection(account, FIELDS)];
  const assetId = await upload(account);
  const old = [];
  for (let i = 0; i < 5; i++) old.push(await createEntry(account, path, { title: `old ${i}`, hero: { assetId } }));
  const [fresh, active] = [
    await createEntry(account, path, { title: 'fresh' }),
    await createEntry(account, path, { title: 'active' }),
  ];
  for (const { id } of old) await ok(`DELETE ${path}/entries/${id}`, account);
  await ok(`DELETE ${gone}`, account);
  clock.now += 10 * 86_400_000;
  await ok(`DELETE ${path}/entries/${fresh.id}`, account);
  await emptyTrash(db, clock.now - 5 * 86_400_000, clock.now, 2, new AbortController().signal);
  await purge();
  assert.deepEqual(names((await ok(`GET ${path}/trash`, account)).entries), [fresh.id]);
  assert.deepEqual(names((await ok(`GET ${path}/entries`, account)).entries), [active.id]);
  assert.deepEqual((await ok('GET /v1/cms/trash', account)).collections, []);
  assert.equal(await isUsed(account, assetId), false);
});

test('no user can permanently delete the content of another account, and viewers cannot delete any', async () => {
  const [mine, theirs] = [await newAccount(), await newAccount()];
  const path = await newCollection(mine, FIELDS);
  const { id } = await createEntry(mine, path, { title: 'a' });
  await ok(`DELETE ${path}/entries/${id}`, mine);
  const viewer = await createTestUser(service, mine, 'viewer');
  const entry = `DELETE ${path}/entries/${id}?permanently=true`;
  assert.equal((await call(entry, { as: theirs })).status, 404);
  assert.equal((await call(entry, { by: viewer })).body.code, 'role_insufficient');
  await ok(`DELETE ${path}`, mine);
  const collection = `DELETE ${path}?permanently=true`;
  assert.equal((await call(collection, { as: theirs })).status, 404);
  assert.equal((await call(collection, { by: viewer })).body.code, 'role_insufficient');
  await purge();
  assert.equal((await ok('GET /v1/cms/trash', mine)).collections.length, 1);
});
