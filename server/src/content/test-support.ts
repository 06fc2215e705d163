import assert from 'node:assert/strict';
import { type Account, type Answer, testService } from '../../test/harness.ts';
import type { Fault } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import type { Database } from '../shared/postgres/database.ts';
import { type Collection, collectionOf } from './collections/collection.ts';
import { uncachedView } from './collections/collection-cache.ts';
import { findCollection } from './collections/queries.ts';
import type { Values } from './entries/check-values.ts';
import type { EntriesQuery, Entry } from './entries/contract.ts';
import { seedEntries as seed } from './entries/seed-entries.ts';
import { type Listing, parseListing } from './listing/parse-listing.ts';
import { freshReader, resolvedListing } from './query/readers.ts';

/** The service, with requests to the content routes that must succeed. */
export async function contentService(env: Record<string, string> = {}) {
  const service = await testService(env);

  async function ok(request: string, account: Account, body?: unknown): Promise<Answer['body']> {
    const answer = await service.call(request, { as: account, ...(body !== undefined && { body }) });
    assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Creates a collection and returns its path. */
  async function newCollection(
    account: Account,
    fields: unknown[],
    more: Record<string, unknown> = {},
  ): Promise<string> {
    const { id } = await ok('POST /v1/cms/collections', account, { name: 'Things', fields, ...more });
    return `/v1/cms/collections/${id}`;
  }

  const createEntry = (account: Account, path: string, values: Values): Promise<Entry> =>
    ok(`POST ${path}/entries`, account, { values });

  /** Reads all pages of a listing. `between` runs after each page but the last. */
  async function listAll(
    account: Account,
    path: string,
    query: [string, string][],
    pageSize = 100,
    between: () => Promise<void> = async () => {},
  ): Promise<Entry[]> {
    const all: Entry[] = [];
    for (let pageToken = ''; ; ) {
      const search = new URLSearchParams([...query, ['pageSize', String(pageSize)], ['pageToken', pageToken]]);
      const { entries, nextPageToken } = await ok(`GET ${path}/entries?${search}`, account);
      assert.ok(entries.length <= pageSize);
      all.push(...entries);
      if (nextPageToken === null) return all;
      assert.equal(entries.length, pageSize, 'a page with a next one is full');
      pageToken = nextPageToken;
      await between();
    }
  }

  async function readCollection(account: Account, path: string): Promise<Collection> {
    const [row] = await findCollection(service.db, {
      account_id: account.uuid,
      id: parseId('col', path.split('/').at(-1) ?? '') ?? '',
    });
    assert.ok(row);
    return collectionOf(row);
  }

  return { ...service, ok, newCollection, createEntry, listAll, readCollection };
}

/** Inserts entries with these values in one statement. Returns their IDs (UUIDs). */
export async function seedEntries(
  db: Database,
  accountId: string,
  collection: Collection,
  all: Values[],
): Promise<string[]> {
  const entries = all.map((values) => ({ values }));
  return (await seed(db, accountId, collection.id, entries)).map(({ id }) => id);
}

/** The faults of a 400 as `pointer code`, sorted. Also checks what holds for every error. */
export function faultsOf(answer: Answer): string[] {
  const { status, body } = answer;
  assert.equal(status, 400, JSON.stringify(body));
  assert.equal(body.code, body.errors[0].code);
  for (const { detail } of body.errors) assert.match(detail, /^[`"A-Z].*\.$/s, 'the detail is a full sentence');
  return body.errors.map((fault: { pointer: string; code: string }) => `${fault.pointer} ${fault.code}`).sort();
}

/** The listing of a query, as a list request has it. */
export async function listingOfQuery(
  db: Database,
  accountId: string,
  collection: Collection,
  query: EntriesQuery,
  faults: Fault[] = [],
): Promise<Listing> {
  const { id: collectionId, version } = collection;
  const parsed = await parseListing(
    collection,
    query,
    faults,
    freshReader(db, uncachedView(undefined), accountId, 'draft'),
  );
  return resolvedListing(db, { accountId, collectionId, version }, parsed);
}
