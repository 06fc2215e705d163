import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Account } from '../../../test/harness.ts';
import { publicId } from '../../shared/ids.ts';
import type { Collection } from '../collections/collection.ts';
import type { EntriesQuery, Entry } from '../entries/contract.ts';
import { FIELDS, type ListQuery, listQuery, modelOf, queryOf, values } from '../test-listing-model.ts';
import { contentService, listingOfQuery } from '../test-support.ts';
import { findPage } from './find-page.ts';
import type { Cursor } from './page-request.ts';

const service = await contentService();
const { db } = service;

async function manyEntries(count: number) {
  const account = await service.newAccount();
  const path = await service.newCollection(account, FIELDS);
  const entries: Entry[] = [];
  for (const each of fc.sample(values, count)) entries.push(await service.createEntry(account, path, each));
  return { account, path, entries };
}

/** The IDs of all pages of a listing, with a bound that makes `findPage` use every strategy. */
async function findAll(account: Account, collection: Collection, listing: ListQuery, pageSize: number, bound: number) {
  const query: Record<string, string | string[]> = {};
  for (const [name, text] of queryOf(listing)) query[name] = name in query ? [query[name] ?? '', text].flat() : text;
  const faults: never[] = [];
  const read = await listingOfQuery(service.db, account.uuid, collection, query as EntriesQuery, faults);
  assert.deepEqual(faults, []);
  const scope = { accountId: account.uuid, collectionId: collection.id, version: collection.version };
  const ids: string[] = [];
  for (let cursor: Cursor | undefined; ; ) {
    const rows = await findPage(db, scope, collection, read, cursor, pageSize + 1, bound);
    assert.ok(rows && rows.length <= pageSize + 1);
    ids.push(...rows.slice(0, pageSize).map(({ id }) => publicId('ent', id)));
    const last = rows[pageSize - 1];
    if (rows.length <= pageSize || !last) return ids;
    cursor = last.cursor;
  }
}

test('every strategy finds the same page: walking, gathering or sieving', async () => {
  const { account, path, entries } = await manyEntries(120);
  const collection = await service.readCollection(account, path);
  await fc.assert(
    fc.asyncProperty(
      listQuery,
      fc.constantFrom(2, 10, 60),
      fc.constantFrom(1, 4, 30, 1000),
      async (listing, size, bound) => {
        const expected = modelOf(entries, listing).map(({ id }) => id);
        assert.deepEqual(await findAll(account, collection, listing, size, bound), expected);
      },
    ),
    { numRuns: 250 },
  );
});
