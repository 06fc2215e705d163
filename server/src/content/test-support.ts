import assert from 'node:assert/strict';
import { type Account, type Answer, testService } from '../../test/harness.ts';
import { parseId } from '../shared/ids.ts';
import type { Database } from '../shared/postgres/database.ts';
import { addEntries } from './add-entries.ts';
import type { Values } from './check-values.ts';
import { type Collection, collectionOf } from './collection.ts';
import type { Entry } from './contract.ts';
import { findCollection } from './queries.ts';

/** The service, and calls of the content routes that are meant to succeed. */
export async function contentService() {
  const service = await testService();

  async function ok(request: string, account: Account, body?: unknown): Promise<Answer['body']> {
    const answer = await service.call(request, { as: account, ...(body !== undefined && { body }) });
    assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** The path of a new collection. */
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

  /** All pages of a listing; `between` runs after each but the last. */
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
    const [row] = await findCollection(service.db, account.uuid, parseId('col', path.split('/').at(-1) ?? ''));
    assert.ok(row);
    return collectionOf(row);
  }

  return { ...service, ok, newCollection, createEntry, listAll, readCollection };
}

/** Entries with these values, written as `createEntry` writes them, but all in one statement. */
export const seedEntries = (
  db: Database,
  accountId: string,
  collection: Collection,
  all: Values[],
): Promise<string[]> =>
  addEntries(
    db,
    accountId,
    collection,
    all.map((values) => ({ values })),
  );

/** The faults of a 400 as `pointer code`, sorted. */
export function faultsOf(answer: Answer): string[] {
  assert.equal(answer.status, 400, JSON.stringify(answer.body));
  return answer.body.errors.map((fault: { pointer: string; code: string }) => `${fault.pointer} ${fault.code}`).sort();
}
