import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAST_ID, newUuid } from '../../shared/ids.ts';
import { BY_INDEX, type Database, type Tx } from '../../shared/postgres/database.ts';
import * as collections from '../collections/queries.ts';
import type { EntriesQuery } from '../entries/contract.ts';
import * as entries from '../entries/queries.ts';
import * as versions from '../history/queries.ts';
import * as trash from '../history/trash-queries.ts';
import * as publishing from '../publishing/queries.ts';
import * as releases from '../releases/queries.ts';
import { contentService, listingOfQuery, seedEntries } from '../test-support.ts';
import { findPage } from './find-page.ts';
import type { Cursor } from './page-request.ts';

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
// Other collections of this and other accounts, for which an index by account or by ID alone would not be enough.
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
await db.query(
  'insert into old_slugs (account_id, field_key, slug, entry_id) select account_id, 1, id::text, id from entries',
);
await db.query(
  `insert into release_items (account_id, release_id, entry_id, collection_id, position, action)
   select account_id, gen_random_uuid(), id, collection_id, 0, 'publish' from entries`,
);
await db.query(
  `insert into releases (account_id, id, status, at, updated_at)
   select account_id, id, 'completed', now(), now() from entries`,
);
await db.query(
  `insert into entry_reviews (account_id, entry_id, state, version, approved_versions, author_type, updated_at)
   select account_id, id, 'draft', 1, '{}', 'command', now() from entries`,
);
await db.query(
  `insert into entry_comments (account_id, id, entry_id, text, author_type)
   select account_id, gen_random_uuid(), id, 'x', 'command' from entries`,
);
await db.query(
  `insert into entry_drafts (account_id, entry_id, owner_id, version, changes, updated_at)
   select account_id, id, id, 1, '{}', now() from entries`,
);
await db.query(
  'insert into entry_presence (account_id, entry_id, user_id, seen_at) select account_id, id, id, now() from entries',
);
await db.query(
  `insert into deleted_publications (account_id, entry_id, "values", version)
   select account_id, id, '{}', 1 from entries`,
);
await db.query(
  `insert into former_publications (account_id, entry_id, collection_id, "values", version, published_at, until)
   select account_id, id, collection_id, '{}', 1, now(), now() from entries`,
);
// Versions of entries, and deleted entries, of this and other accounts.
await db.query(
  `insert into entry_versions (account_id, entry_id, version, "values", status, created_at)
   select account_id, id, v, "values", status, updated_at from entries, generate_series(1, 3) v`,
);
await db.query(
  `insert into entries (account_id, id, collection_id, "values", sort_keys, status, created_at, updated_at)
   select account_id, gen_random_uuid(), collection_id, "values", sort_keys, 'deleted', created_at, updated_at from entries`,
);
await db.query('vacuum analyze');

interface SentStatement {
  text: string;
  values: unknown[];
  /** Whether sequential scans were disabled for it. */
  guarded: boolean;
  /** Planned at each call for its parameters. */
  isPlanned?: boolean;
}

/** A database that records the statements it receives. */
function recording(): { watched: Database; sent: SentStatement[] } {
  const sent: SentStatement[] = [];
  const watch = (tx: Tx, guarded: boolean): Tx['query'] =>
    ((query: SentStatement | string) => {
      if (typeof query === 'string') assert.equal(query, BY_INDEX);
      else sent.push({ text: query.text, values: query.values, guarded });
      return (tx.query as (query: unknown) => unknown)(query);
    }) as Tx['query'];
  const transaction: Database['transaction'] = (work) =>
    db.transaction((tx, last) => work({ query: watch(tx, true) }, { query: watch(last, true) }));
  return { watched: { ...db, query: watch(db, false), transaction }, sent };
}

interface Plan {
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Node Type': string;
  'Relation Name'?: string;
  Alias?: string;
  Operation?: string;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** Fails if the plan for these values, or the generic plan, has a sequential scan. */
async function assertIndexed({ text, values, guarded, isPlanned }: SentStatement): Promise<void> {
  await db.transaction(async (tx) => {
    if (guarded) await tx.query(BY_INDEX);
    const own = await tx.query(`explain (format json) ${text}`, values);
    const anyones = await tx.query(`explain (format json, generic_plan) ${text}`);
    for (const { rows } of isPlanned ? [own] : [own, anyones]) {
      const plan = rows[0]['QUERY PLAN'][0].Plan;
      const scans = nodesOf(plan).filter((node) => node['Node Type'].includes('Seq Scan'));
      assert.deepEqual(scans, [], `${text}\n${values.join(' | ').slice(0, 500)}\n${JSON.stringify(plan, null, 1)}`);
    }
  });
}

/** Fails if the rows that a statement changes are found by a join, whose plan depends on statistics that a new table has not. */
async function assertFoundOneByOne(statement: SentStatement | undefined): Promise<void> {
  const { rows } = await db.query(`explain (format json, generic_plan) ${statement?.text}`);
  const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
  const targets = nodes
    .filter(({ Operation }) => Operation === 'Update' || Operation === 'Delete')
    .map(({ Alias }) => Alias);
  const scans = nodes.filter((node) => node['Node Type'] !== 'ModifyTable' && targets.includes(node.Alias));
  const found = scans.map((node) => `${node['Node Type']} of ${node['Relation Name']}`).sort();
  const [index, versions] = ['Tid Scan of entry_index', 'Tid Scan of entry_versions'];
  assert.deepEqual(found, ['Index Scan of entry_texts', 'Tid Scan of entries', index, index, versions]);
}

const MIDDLE = newUuid();
const CURSORS: Record<string, Cursor> = {
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

test('no statement of any listing or strategy has a sequential scan', async () => {
  const ways = new Set<string>();
  const seen = new Set<string>();
  for (const query of LISTINGS) {
    const listing = await listingOfQuery(db, account.uuid, collection, query as EntriesQuery);
    const sorted = (query.sort ?? 'createdAt').split(':')[0] ?? '';
    for (const cursor of [undefined, CURSORS[sorted]]) {
      for (const bound of [1000, 100, 2]) {
        const { watched, sent } = recording();
        const scope = { accountId: account.uuid, collectionId: collection.id, version: collection.version };
        assert.ok(await findPage(watched, scope, collection, listing, cursor, 51, bound));
        for (const statement of sent) {
          const { text } = statement;
          if (text.includes('array_agg')) ways.add('collect');
          if (text.includes('with ordinality')) ways.add('pages');
          else if (text.includes('::uuid[])')) ways.add('gather');
          if (text.includes('in (select unnest(array(')) ways.add('sieve');
          if (text.includes('row_number()')) ways.add('walk');
          const name = `${text} ${cursor === undefined}`;
          if (!seen.has(name)) await assertIndexed(statement);
          seen.add(name);
        }
      }
    }
  }
  for (const way of ['pages', 'collect', 'gather', 'sieve', 'walk']) assert.ok(ways.has(way), way);
});

test('filters that are common alone and have no entry in common are not looked for in all of the order', async () => {
  // Entries without a price are live; 600 have none, 3,000 are not live.
  const filters = { 'filter[price][exists]': 'false', 'filter[live][eq]': 'false' };
  for (const sort of ['at:asc', 'kind:desc']) {
    const listing = await listingOfQuery(db, account.uuid, collection, { ...filters, sort } as EntriesQuery);
    const { watched, sent } = recording();
    const scope = { accountId: account.uuid, collectionId: collection.id, version: collection.version };
    assert.deepEqual(await findPage(watched, scope, collection, listing, undefined, 51, 100), []);
    for (const { text, values } of sent) {
      const { rows } = await db.query(`explain (analyze, format json) ${text}`, values);
      const read = nodesOf(rows[0]['QUERY PLAN'][0].Plan)
        .filter((node) => node['Relation Name'] === 'entry_index')
        .map(
          (node) => ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1),
        );
      assert.ok(Math.max(0, ...read) <= 3000, `${text} reads ${read} of 6000 rows`);
    }
  }
});

test('no other statement on collections and entries has a sequential scan', async () => {
  const sent: SentStatement[] = [];
  const tx = {
    query: async ({ name, text, values }: SentStatement & { name?: string }) => {
      sent.push({ text, values, guarded: false, isPlanned: name === undefined });
      return { rows: [] };
    },
  } as unknown as Tx;
  const [id, now, limit] = [newUuid(), new Date(), 100];
  const one = { account_id: account.uuid, id };
  const of = { account_id: account.uuid, collection_id: collection.id };
  const author = { author_type: 'key', author_id: id };
  const row = { field_key: 1, sort_key: 'a', entry_id: id, filter_bitmap: '1' };
  const published = { published: '{"id":"x"}', published_values: null };
  const written = { id, stored: '{}', sort_keys: '{}', filter_bitmap: '1', search_text: 'text', ...published };
  const created = { ...written, created_at: now };
  const change = {
    status: 'active',
    has_new_text: true,
    change: 'changed',
    changed_fields: '["title"]',
    restored_from: null,
    updated_at: now,
    topic: 'entry.updated',
  };
  const before = { before_updated_at: now, before_id: id, limit };
  const position = { after_created_at: now, after_id: id, limit };
  await collections.findCollection(tx, one);
  await collections.lockCollection(tx, one);
  await collections.shareLockCollection(tx, one);
  await collections.listCollectionRows(tx, { account_id: account.uuid, ...position });
  await collections.countEntries(tx, { ...of, limit });
  await collections.backfillEntries(tx, { ...of, field_key: 1, ...position });
  for (const count of [1, 100]) {
    const all = <Item>(item: Item) => Array.from({ length: count }, () => item);
    const newRows = { entries: all(created), index_rows: all(row) };
    await entries.insertEntryRows(tx, { ...of, ...author, collection_version: 1, ...newRows });
    const updates = {
      entries: all({ ...written, ...change, version: 3 }),
      deleted_rows: all(row),
      written_rows: all(row),
      kept_rows: all(row),
    };
    await entries.updateEntryRows(tx, { ...of, ...author, ...updates, kept_versions: 7, now });
    const view = { ...collection, id: of.collection_id };
    await entries.findEntries(tx, account.uuid, view, all(id));
    await entries.findReturnedEntries(tx, account.uuid, view, all(id));
    await entries.findReturnedEntries(tx, account.uuid, { ...view, publishing: true }, all(id));
    await entries.lockEntries(tx, account.uuid, view, all(id));
    await entries.findEntriesByKey(tx, { account_id: account.uuid, field_key: 1, keys: all(entries.indexedKey('a')) });
    await trash.deleteEntryRows(tx, { account_id: account.uuid, ids: all(id) });
    await trash.deleteEntriesWithTexts(tx, { account_id: account.uuid, ids: all(id) });
  }
  await entries.findEntry(tx, account.uuid, { ...collection, id: of.collection_id }, id);
  await versions.listVersions(tx, { ...one, before: 1000, limit });
  await versions.findVersion(tx, { ...one, version: 7 });
  await trash.listDeletedCollections(tx, { account_id: account.uuid, ...before, count_limit: 1000 });
  await trash.listDeletedEntries(tx, { ...of, collection_version: 1, ...before });
  await trash.takeExpiredEntries(tx, { before: now, limit });
  await trash.claimPurge(tx);
  await trash.deleteIndexRows(tx, { account_id: account.uuid, field_keys: [1, 2], limit });
  await trash.listEntriesToPurge(tx, { ...of, limit });
  const releaseFilters = { account_id: account.uuid, collection_id: null, entry_id: null, limit };
  await releases.listReleaseRows(tx, { ...releaseFilters, status: 'pending', before: LAST_ID });
  await releases.listReleaseRows(tx, { ...releaseFilters, status: null, entry_id: id, before: LAST_ID });
  const period = { after_at: now, after_id: id, to: null };
  await releases.listReleasesByTime(tx, { ...releaseFilters, status: null, ...period });
  await releases.listItems(tx, { account_id: account.uuid, id, after: -1, limit });
  assert.equal(sent.length, 37);
  for (const statement of sent) await assertIndexed(statement);
  await assertFoundOneByOne(sent.find(({ text }) => text.includes('update entries e')));
  const [pending] = sent.slice(33);
  const plan = await db.query(`explain ${pending?.text}`, pending?.values as never);
  assert.ok(JSON.stringify(plan.rows).includes('releases_pending'), 'those that are finished are not read');
});

test('no statement for a Citus cluster changes rows by their place, which Citus cannot plan', async () => {
  const sent: SentStatement[] = [];
  const citus = {
    isDistributed: true,
    query: async (statement: SentStatement) => {
      sent.push(statement);
      return { rows: [] };
    },
  } as unknown as Tx;
  const of = { account_id: account.uuid, collection_id: collection.id, now: new Date(), entries: [], deleted_rows: [] };
  const changes: never[] = [];
  const author = { author_type: 'key', author_id: null };
  await entries.updateEntryRows(citus, { ...of, ...author, written_rows: [], kept_rows: [], kept_versions: 7 });
  await publishing.insertPublished(citus, { ...of, written_rows: [], topic: 'entry.published', changes });
  await publishing.deletePublishedRows(citus, { ...of, changes });
  for (const { text, values } of sent) {
    assert.doesNotMatch(text, /\bctid\b/);
    await db.query(`explain ${text}`, values);
  }
  assert.equal(sent.length, 3);
});
