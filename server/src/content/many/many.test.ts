import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../../test/harness.ts';
import { endOf, runnerOf } from '../../exports/test-support.ts';
import { contentService, faultsOf, seedEntries } from '../test-support.ts';
import { deleteExpired } from './queries.ts';

const service = await contentService();
const { call, ok, newAccount, newCollection, createEntry, db } = service;
runnerOf(service).start();

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text', required: true },
  { id: 'price', label: 'Price', type: 'number', validation: { min: 0 } },
  { id: 'sku', label: 'SKU', type: 'text', unique: true },
  { id: 'tags', label: 'Tags', type: 'text', repeated: true },
];

async function setup(settings: Record<string, unknown> = {}) {
  const account = await newAccount();
  const path = await newCollection(account, FIELDS, settings);
  const entries = [];
  for (const [title, price] of Object.entries({ A: 1, B: 2, C: 3, D: 4 })) {
    entries.push(await createEntry(account, path, { title, price }));
  }
  const all = async () => {
    const page = await ok(`GET ${path}/entries?pageSize=100&sort=title:asc`, account);
    return page.entries.map(({ values }: { values: Record<string, unknown> }) => values);
  };
  return { account, path, entries, all };
}

test('entries that match are changed together, and the undo gives them their earlier values', async () => {
  const { account, path, all } = await setup();
  const before = await all();
  const body = { where: { or: [{ price: { gte: 3 } }, { title: { eq: 'A' } }] }, increment: { price: 10 }, expect: 3 };
  const dry = await ok(`POST ${path}/entries/update-many`, account, { ...body, dryRun: true });
  assert.deepEqual(dry, { matched: 3, changed: 3, undoId: null });
  assert.deepEqual(await all(), before);

  const done = await ok(`POST ${path}/entries/update-many`, account, body);
  assert.deepEqual([done.matched, done.changed], [3, 3]);
  assert.deepEqual(
    (await all()).map(({ price }: { price: number }) => price),
    [11, 2, 13, 14],
  );
  const undone = await ok(`POST ${path}/undo/${done.undoId}`, account, undefined);
  assert.deepEqual(undone, { entries: 3, restored: 3, skipped: 0 });
  assert.deepEqual(await all(), before);
  const twice = await call(`POST ${path}/undo/${done.undoId}`, { as: account });
  assert.deepEqual([twice.status, twice.body.code], [400, 'already_undone']);
});

test('entries that have the values already are not changed, and nothing to undo has no ID', async () => {
  const { account, path, entries } = await setup();
  const some = { where: { price: { lte: 2 } }, values: { price: 2 } };
  const done = await ok(`POST ${path}/entries/update-many`, account, some);
  assert.deepEqual([done.matched, done.changed], [2, 1]);
  assert.equal((await ok(`GET ${path}/entries/${entries[1]?.id}`, account)).version, 1);
  assert.deepEqual(await ok(`POST ${path}/entries/update-many`, account, some), {
    matched: 2,
    changed: 0,
    undoId: null,
  });
});

test('an undo skips entries that changed since, and restores what was published', async () => {
  const { account, path, entries } = await setup({ publishing: true });
  const [a, b] = entries.map(({ id }) => id);
  for (const { id } of entries) await ok(`POST ${path}/entries/${id}/publish`, account, {});
  const deleted = await ok(`POST ${path}/entries/delete-many`, account, { where: {}, expect: 4 });
  assert.deepEqual([deleted.matched, deleted.changed], [4, 4]);
  assert.equal((await ok(`GET ${path}/entries?count=exact`, account)).total, 0);
  await ok(`PATCH ${path}/entries/${b}`, account, { status: 'active' });
  assert.deepEqual(await ok(`POST ${path}/undo/${deleted.undoId}`, account), { entries: 4, restored: 3, skipped: 1 });
  const published = await ok(`GET ${path}/entries?state=published&count=exact`, account);
  assert.equal(published.total, 4);
  assert.equal((await ok(`GET ${path}/entries/${a}`, account)).status, 'active');
});

test('a fault of one entry, another count and a bad query change nothing', async () => {
  const { account, path, all } = await setup();
  const before = await all();
  const refused: [body: Record<string, unknown>, faults: string[]][] = [
    [{ where: {}, expect: 5, values: { price: 9 } }, ['/expect count_changed']],
    [{ where: {}, values: { sku: 'same' } }, ['/values/sku value_taken']],
    [{ where: {}, values: { title: '', price: -1, nope: 1 } }, []],
    [{ where: { nope: { eq: 1 }, price: { like: 1 } }, values: { price: 9 } }, []],
    [{ values: { price: 9 } }, ['/where required']],
    [{ where: {} }, ['/values required']],
  ];
  for (const [body, faults] of refused) {
    const found = faultsOf(await call(`POST ${path}/entries/update-many`, { as: account, body }));
    if (faults.length > 0) assert.deepEqual(found, faults, JSON.stringify(body));
    assert.equal(new Set(found).size, found.length, 'each fault once');
  }
  assert.deepEqual(await all(), before);
});

test('a retried request changes entries once', async () => {
  const { account, path, all } = await setup();
  const request = {
    as: account,
    body: { where: { title: { eq: 'A' } }, increment: { price: 1 } },
    headers: { 'idempotency-key': 'once' },
  };
  const [first, second] = [
    await call(`POST ${path}/entries/update-many`, request),
    await call(`POST ${path}/entries/update-many`, request),
  ];
  assert.deepEqual(first.body, second.body);
  assert.equal((await all())[0].price, 2);
});

test('more than 1,000 entries are changed by a job, with the same result and undo', async () => {
  const account = await newAccount();
  const path = await newCollection(account, FIELDS);
  await seed(account, path, 1_203);
  const job = (started: { id: string; type: string }) => endOf(service, account, started.id);
  const count = async (where: object) =>
    (await ok(`POST ${path}/entries/query`, account, { where, count: 'exact', pageSize: 1 })).total;

  const update = { where: { price: { lt: 10_000 } }, values: { tags: ['new'] }, increment: { price: 10_000 } };
  const other = await call(`POST ${path}/entries/update-many`, { as: account, body: { ...update, expect: 1_202 } });
  assert.deepEqual([other.status, other.body.code], [400, 'count_changed']);
  const dry = await job(await ok(`POST ${path}/entries/update-many`, account, { ...update, dryRun: true }));
  assert.deepEqual(dry.result, { matched: 1_203, changed: 1_203, undoId: null, refused: [] } as never);
  assert.equal(await count({ price: { gte: 10_000 } }), 0);

  const done = await job(await ok(`POST ${path}/entries/update-many`, account, { ...update, expect: 1_203 }));
  const { undoId, ...result } = done.result as unknown as { undoId: string };
  assert.deepEqual([done.status, result], ['completed', { matched: 1_203, changed: 1_203, refused: [] }]);
  assert.equal(await count({ price: { gte: 10_000 }, tags: { eq: 'new' } }), 1_203);
  const undone = await job(await ok(`POST ${path}/undo/${undoId}`, account));
  assert.deepEqual(undone.result, { entries: 1_203, restored: 1_203, skipped: 0 } as never);
  assert.equal(await count({ price: { lt: 10_000 }, tags: { exists: false } }), 1_203);

  const less = { where: {}, increment: { price: -2 } };
  const { result: rest } = await job(await ok(`POST ${path}/entries/update-many`, account, less));
  const { matched, changed, refused } = rest as unknown as Many;
  assert.deepEqual([matched, changed], [1_203, 1_201]);
  assert.deepEqual(
    refused.map(({ pointer, code }) => [pointer, code]),
    [
      ['/increment/price', 'too_small'],
      ['/increment/price', 'too_small'],
    ],
  );
});

test('changes that can no longer be undone are deleted', async () => {
  const { account, path } = await setup();
  const { undoId } = await ok(`POST ${path}/entries/delete-many`, account, { where: {} });
  await deleteExpired(db, { now: new Date(Date.now() + 31 * 86_400_000), limit: 1_000 });
  const { rows } = await db.query('select 1 from changed_entries where account_id = $1', [account.uuid]);
  assert.equal(rows.length, 0);
  assert.equal((await call(`POST ${path}/undo/${undoId}`, { as: account })).status, 404);
});

interface Many {
  matched: number;
  changed: number;
  refused: { pointer: string; code: string }[];
}

async function seed(account: Account, path: string, count: number) {
  const values = Array.from({ length: count }, (_, i) => ({ title: `Entry ${i}`, price: i }));
  await seedEntries(db, account.uuid, await service.readCollection(account, path), values);
}
