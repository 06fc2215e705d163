import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Entry } from '../entries/contract.ts';
import { FIELDS, modelOf, queryOf, values } from '../test-listing-model.ts';
import { contentService } from '../test-support.ts';
import { backfillChunk, backfillWorker } from './backfill-fields.ts';
import { updateCollection } from './update-collection.ts';

const service = await contentService();
const { db, ok } = service;

const [FIRST = { id: '' }, ...OTHERS] = FIELDS;
const idOf = (path: string) => path.split('/').at(-1) ?? '';
const pick = <T>(from: fc.Arbitrary<T>): T => fc.sample(from, 1)[0] as T;
const rowsOfField = async (accountId: string) => {
  const { rows } = await db.query(
    `select (f ->> 'key')::int8 as key, f ->> 'id' as id,
       (select count(distinct entry_id) from entry_index i where i.account_id = $1 and i.field_key = (f ->> 'key')::int8) as entries,
       (select count(*) from entry_index i where i.account_id = $1 and i.field_key = (f ->> 'key')::int8 and i.sort_key = chr(1114111)
          and exists (select from entry_index x where x.account_id = $1 and x.field_key = i.field_key and x.entry_id = i.entry_id
            and x.sort_key <> i.sort_key)) as wrong
     from collections, jsonb_array_elements(fields) as f where account_id = $1`,
    [accountId],
  );
  return rows;
};

/** A collection with entries that has only the first field yet. */
async function before(count: number) {
  const account = await service.newAccount();
  const path = await service.newCollection(account, [FIRST]);
  const entries = new Map<string, Entry>();
  const create = async (sent: Record<string, unknown>) => {
    const entry = await service.createEntry(account, path, sent);
    entries.set(entry.id, entry);
  };
  for (let i = 0; i < count; i++) await create({ title: `t${i % 7}` });
  return { account, path, entries, create };
}

const LISTINGS = [
  { filters: [], sort: 'price:asc' },
  { filters: [], sort: 'price:desc' },
  { filters: [['price', 'exists', false]], sort: undefined },
  { filters: [['price', 'exists', false]], sort: 'title:desc' },
  { filters: [['price', 'ne', 1]], sort: 'price:desc' },
  { filters: [['tags', 'exists', false]], sort: 'colour:asc' },
  { filters: [['sizes', 'ne', 2]], sort: 'updatedAt:desc' },
] as const;

test('a field added to a large collection sorts and filters correctly during and after the backfill', async () => {
  const { account, path, entries, create } = await before(60);
  const changed = await updateCollection(
    db,
    account.uuid,
    idOf(path),
    { fields: OTHERS as never },
    service.clock.now,
    0,
  );
  assert.equal(changed.needsBackfill, true);

  const compare = async () => {
    for (const listing of LISTINGS) {
      const listQuery = { ...listing, filters: listing.filters as never, q: undefined };
      const found = await service.listAll(account, path, queryOf(listQuery), 25);
      assert.deepEqual(found, modelOf(entries.values(), listQuery));
    }
  };
  const touch = async () => {
    await create(pick(values));
    for (const id of fc.sample(fc.constantFrom(...entries.keys()), 5)) {
      entries.set(id, await ok(`PATCH ${path}/entries/${id}`, account, { values: pick(values) }));
    }
    const id = pick(fc.constantFrom(...entries.keys()));
    await ok(`DELETE ${path}/entries/${id}`, account);
    if (Math.random() < 0.5) entries.set(id, await ok(`PATCH ${path}/entries/${id}`, account, { status: 'active' }));
    else entries.delete(id);
  };
  await compare();
  let steps = 0;
  for (let more = true; more; steps++) {
    await touch();
    more = await backfillChunk(db, 17);
    await compare();
  }
  assert.ok(steps > OTHERS.length * 3);
  for (const { id, entries: indexed, wrong } of await rowsOfField(account.uuid)) {
    assert.equal(indexed, entries.size, `${id}: every entry has its rows`);
    assert.equal(wrong, 0, `${id}: no entry has a value and none`);
  }
  const { rows } = await db.query('select fields from collections where account_id = $1', [account.uuid]);
  assert.ok(!JSON.stringify(rows[0].fields).includes('pending'));
  assert.deepEqual((await db.query('select from field_backfills where account_id = $1', [account.uuid])).rows, []);
});

test('several processes can backfill a field while entries change, without missing or duplicate rows', async () => {
  const { account, path, entries, create } = await before(80);
  await updateCollection(db, account.uuid, idOf(path), { fields: OTHERS as never }, service.clock.now, 0);
  const worker = async () => {
    while (await backfillChunk(db, 7));
  };
  const editor = async () => {
    for (let i = 0; i < 25; i++) {
      await create(pick(values));
      const id = pick(fc.constantFrom(...entries.keys()));
      entries.set(id, await ok(`PATCH ${path}/entries/${id}`, account, { values: pick(values) }));
    }
  };
  await Promise.all([worker(), worker(), editor(), editor()]);
  await worker();
  for (const { id, entries: indexed, wrong } of await rowsOfField(account.uuid)) {
    assert.deepEqual([indexed, wrong], [entries.size, 0], id);
  }
});

test('a restored field has its values again, and an index row for every entry', async () => {
  const { account, path, entries, create } = await before(5);
  await ok(`PATCH ${path}`, account, { fields: OTHERS });
  for (let i = 0; i < 5; i++) await create({ title: 'x', price: i });
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'price', status: 'deleted' }] });
  for (let i = 0; i < 5; i++) await create({ title: 'y' });
  for (const [id, entry] of entries) {
    if (entry.values.title !== 'x' || Math.random() < 0.5) continue;
    await ok(`DELETE ${path}/entries/${id}`, account);
    await ok(`PATCH ${path}/entries/${id}`, account, { status: 'active' });
  }
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'price', status: 'active' }] });
  const found = await service.listAll(account, path, [['sort', 'price:desc']], 4);
  assert.deepEqual(
    found.map((entry) => entry.values.price ?? null),
    [4, 3, 2, 1, 0, ...Array(10).fill(null)],
  );
  assert.equal((await service.listAll(account, path, [['filter[price][exists]', 'false']])).length, 10);
});

test('no index row is lost when entries are created while fields are added', async () => {
  const { account, path, entries, create } = await before(0);
  const fields = OTHERS.map((field) => ({ ...field }));
  await Promise.all([
    (async () => {
      for (const field of fields)
        await updateCollection(db, account.uuid, idOf(path), { fields: [field as never] }, service.clock.now);
    })(),
    ...Array.from({ length: 6 }, async () => {
      for (let i = 0; i < 12; i++) await create({ title: 'x' });
    }),
  ]);
  for (const { id, entries: indexed } of await rowsOfField(account.uuid)) assert.equal(indexed, entries.size, id);
});

test('the backfill worker resumes where it stopped, and stops on request', async () => {
  const { account, path } = await before(20);
  const indexer = backfillWorker({ db, log: service.app.log });
  await updateCollection(db, account.uuid, idOf(path), { fields: OTHERS as never }, service.clock.now, 0);
  await backfillChunk(db, 5);
  indexer.start();
  const open = async () =>
    (await db.query('select from field_backfills where account_id = $1', [account.uuid])).rows.length;
  while ((await open()) > 0) await new Promise(setImmediate);
  await indexer.stop();
});
