import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newUuid } from '../shared/ids.ts';
import type { Database, Tx } from '../shared/postgres/database.ts';
import type { EntriesQuery } from './contract.ts';
import { findPage } from './find-page.ts';
import type { Place } from './page-sql.ts';
import * as queries from './queries.ts';
import { readListing } from './read-listing.ts';
import { contentService, seedEntries } from './test-support.ts';
import * as trash from './trash-queries.ts';
import * as versions from './version-queries.ts';

const service = await contentService();
const { db } = service;

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text' },
  { id: 'body', label: 'Body', type: 'text' },
  { id: 'price', label: 'Price', type: 'number' },
  { id: 'live', label: 'Live', type: 'boolean' },
  { id: 'at', label: 'At', type: 'timestamp' },
  { id: 'kind', label: 'Kind', type: 'select', options: [...'abcd'].map((value) => ({ value, label: value })) },
  { id: 'tags', label: 'Tags', type: 'text', repeated: true },
];

const account = await service.newAccount();
const path = await service.newCollection(account, FIELDS);
const collection = await service.readCollection(account, path);
const WORDS = ['amber', 'basil', 'cedar', 'delta', 'ember', 'fjord', 'glade'];
await seedEntries(
  db,
  account.uuid,
  collection,
  Array.from({ length: 6000 }, (_, i) => ({
    title: `Entry ${i}`,
    body: `${WORDS[i % 7]} ${WORDS[(i >> 3) % 7]} ${i}`,
    ...(i % 10 !== 0 && { price: (i * 7919) % 6000 }),
    live: i % 2 === 0,
    at: new Date(1.6e12 + ((i * 104729) % 6000) * 3_600_000).toISOString(),
    kind: 'abcd'[(i >> 2) % 4],
    tags: [WORDS[i % 7], `t${i % 50}`],
  })),
);
// Other collections, of this account and of others: an index of the account alone, or of ids alone, would not do.
for (let i = 0; i < 5; i++) {
  const owner = i < 2 ? account : await service.newAccount();
  const other = await service.newCollection(owner, FIELDS);
  const values = Array.from({ length: 400 }, (_, n) => ({
    title: `x${n}`,
    body: 'amber',
    price: n,
    kind: 'a',
    live: true,
  }));
  await seedEntries(db, owner.uuid, await service.readCollection(owner, other), values);
}
await db.query(
  `insert into collections (account_id, id, name, fields, status, created_at, updated_at)
   select gen_random_uuid(), gen_random_uuid(), 'x', '[]', 'active', now(), now() from generate_series(1, 2000)`,
);
await db.query(
  `insert into outbox_subscriptions (account_id, topic, subscriber_id)
   select gen_random_uuid(), '*', gen_random_uuid() from generate_series(1, 2000)`,
);
// Versions of entries, of this account and of others, and entries in the trash.
await db.query(
  `insert into entry_versions (account_id, entry_id, version, "values", status, made_at)
   select account_id, id, v, "values", status, updated_at from entries, generate_series(1, 3) v`,
);
await db.query(
  `insert into entries (account_id, id, collection_id, "values", keys, status, created_at, updated_at)
   select account_id, gen_random_uuid(), collection_id, "values", keys, 'deleted', created_at, updated_at from entries`,
);
await db.query('vacuum analyze');

interface Asked {
  text: string;
  values: unknown[];
  /** Whether sequential scans were switched off for it. */
  guarded: boolean;
}

/** A database that remembers what was asked of it. */
function recording(): { watched: Database; asked: Asked[] } {
  const asked: Asked[] = [];
  const watch = (tx: Tx, guarded: boolean): Tx['query'] =>
    ((query: Asked | string) => {
      if (typeof query === 'string') assert.equal(query, 'set local enable_seqscan = off');
      else asked.push({ text: query.text, values: query.values, guarded });
      return (tx.query as (query: unknown) => unknown)(query);
    }) as Tx['query'];
  const transaction: Database['transaction'] = (work) => db.transaction((tx) => work({ query: watch(tx, true) }));
  return { watched: { ...db, query: watch(db, false), transaction }, asked };
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** Fails where a table is read as a whole: in the plan for these values, or in the one that a connection comes to use for any. */
async function assertIndexed({ text, values, guarded }: Asked): Promise<void> {
  await db.transaction(async (tx) => {
    if (guarded) await tx.query('set local enable_seqscan = off');
    const own = await tx.query(`explain (format json) ${text}`, values);
    const anyones = await tx.query(`explain (format json, generic_plan) ${text}`);
    for (const { rows } of [own, anyones]) {
      const plan = rows[0]['QUERY PLAN'][0].Plan;
      const scans = nodesOf(plan).filter((node) => node['Node Type'].includes('Seq Scan'));
      assert.deepEqual(scans, [], `${text}\n${values.join(' | ').slice(0, 500)}\n${JSON.stringify(plan, null, 1)}`);
    }
  });
}

const MIDDLE = newUuid();
const PLACES: Record<string, Place> = {
  first: { key: '', id: '' },
  price: { key: 'c090000000000000', id: MIDDLE },
  title: { key: 'entry 3', id: MIDDLE },
  updatedAt: { key: '2026-01-01 00:00:00+00', id: MIDDLE },
  createdAt: { key: '', id: MIDDLE },
};

const LISTINGS: Record<string, string>[] = [
  {},
  { sort: 'createdAt:desc' },
  { sort: 'updatedAt:asc' },
  { sort: 'price:asc' },
  { sort: 'title:desc' },
  { sort: 'price:desc', 'filter[price][gte]': '100', 'filter[price][lt]': '2000' },
  { sort: 'price:asc', 'filter[price][in]': '1,5,9' },
  { 'filter[kind][eq]': 'a' },
  { 'filter[kind][in]': 'a,b' },
  { 'filter[tags][eq]': 'amber' },
  { 'filter[price][exists]': 'false' },
  { 'filter[price][lt]': '20' },
  { 'filter[price][gte]': '20' },
  { 'filter[kind][eq]': 'a', sort: 'price:asc' },
  { 'filter[kind][ne]': 'a', sort: 'updatedAt:desc' },
  { 'filter[kind][eq]': 'a', 'filter[live][eq]': 'true', sort: 'at:desc' },
  { 'filter[price][eq]': '7', sort: 'title:asc' },
  { 'filter[tags][ne]': 'amber', sort: 'price:asc' },
  { 'filter[at][gte]': '2020-10-01T00:00:00Z', 'filter[at][lt]': '2020-11-01T00:00:00Z', sort: 'price:asc' },
  { q: 'amber' },
  { q: 'amber fjord 4', sort: 'price:asc' },
  { q: 'nothing of the kind' },
  { q: '17', sort: 'updatedAt:asc' },
  { 'filter[title][contains]': 'entry 59', sort: 'price:desc' },
  { 'filter[body][contains]': 'amber', 'filter[kind][eq]': 'a', sort: 'at:asc' },
];

test('no statement of any listing, by whichever way, reads a table as a whole', async () => {
  const ways = new Set<string>();
  const seen = new Set<string>();
  for (const query of LISTINGS) {
    const listing = readListing(collection, query as EntriesQuery, []);
    const sorted = (query.sort ?? 'createdAt').split(':')[0] ?? '';
    for (const place of [undefined, PLACES[sorted]]) {
      for (const bound of [1000, 100, 2]) {
        const { watched, asked } = recording();
        const scope = { accountId: account.uuid, collectionId: collection.id, version: collection.version };
        assert.ok(await findPage(watched, scope, collection, listing, place, 51, bound));
        for (const statement of asked) {
          const { text } = statement;
          if (text.includes('array_agg')) ways.add('collect');
          if (text.includes('::uuid[])')) ways.add('gather');
          if (text.includes('in (select unnest(array(')) ways.add('sieve');
          if (text.includes('row_number()')) ways.add('walk');
          const name = `${text} ${place === undefined}`;
          if (!seen.has(name)) await assertIndexed(statement);
          seen.add(name);
        }
      }
    }
  }
  for (const way of ['collect', 'gather', 'sieve', 'walk']) assert.ok(ways.has(way), way);
});

test('no other statement on collections and entries reads a table as a whole', async () => {
  const asked: Asked[] = [];
  const tx = {
    query: async ({ text, values }: Asked) => {
      asked.push({ text, values, guarded: false });
      return { rows: [] };
    },
  } as unknown as Tx;
  const [id, now] = [newUuid(), new Date()];
  const of = [account.uuid, collection.id] as const;
  await queries.findCollection(tx, ...of);
  await queries.lockCollection(tx, ...of);
  await queries.listCollections(tx, account.uuid, now, id, 51);
  await queries.insertEntry(tx, ...of, 1, id, '{}', '{}', now, [1], ['a'], 'text', 1n, '{"id":"x"}', null, 'key', id);
  await queries.findEntry(tx, ...of, id);
  await queries.lockEntry(tx, ...of, id);
  await queries.updateEntry(
    tx,
    account.uuid,
    id,
    '{}',
    '{}',
    'active',
    now,
    [1],
    ['a'],
    [2],
    ['b'],
    true,
    'text',
    1n,
    [3],
    ['c'],
    'entry.updated',
    'changed',
    ['title'],
    null,
    'key',
    id,
    7,
  );
  await queries.countEntries(tx, ...of, 100);
  await queries.backfillChunk(tx, ...of, 1, id, now, 100);
  await versions.listVersions(tx, account.uuid, id, 1000, 51);
  await versions.findVersion(tx, account.uuid, id, 7);
  await trash.listDeletedCollections(tx, account.uuid, now, id, 51, 1000);
  await trash.listDeletedEntries(tx, ...of, 1, now, id, 51);
  await trash.purgeEntries(tx, account.uuid, [id]);
  await trash.takeExpired(tx, now, 1000);
  await trash.claimPurge(tx);
  await trash.purgeIndex(tx, account.uuid, [1, 2], 1000);
  await trash.entriesToPurge(tx, ...of, 1000);
  await trash.purgeAnyEntries(tx, account.uuid, [id]);
  assert.equal(asked.length, 19);
  for (const statement of asked) await assertIndexed(statement);
});
