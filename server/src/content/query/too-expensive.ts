import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { type ApiError, badRequest } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import { everyField } from '../collections/field.ts';
import { typeOf } from '../field-types/index.ts';

/** A statement that was canceled: it ran into a limit of time. */
const CANCELED = '57014';

/** The error of a query that was given up. What costs too much is refused before, where that can be known. */
export const tookTooLong = (cause?: unknown): ApiError =>
  badRequest(
    'query_too_expensive',
    'The query took too long and was given up. Add a condition that an index finds (eq, in or a range of a field, without not), ' +
      'or ask for fewer entries, groups, measures, joins or references at once.',
    cause,
  );

/** Of fewer entries nothing is too expensive. */
const MANY_ENTRIES = 20_000;

/** The time limit for counting them, so that a request is answered within 10 seconds. A database that is not busy takes a hundredth of it. */
const COUNT_MS = 400;

/** Whether a collection, or all of an account, have so many entries. */
const hasManyEntries = statement('content.has_many_entries', {
  account_id: 'uuid',
  collection_id: 'uuid?',
  many: 'integer',
}).returns<{ has_many: boolean }>(
  `select count(*) = :many as has_many from (
     select from collections c
       cross join lateral (
         select from entries e where e.account_id = :account_id and e.collection_id = c.id and e.status = 'active' limit :many
       ) as counted
     where c.account_id = :account_id and (:collection_id is null or c.id = :collection_id)
     limit :many
   ) as found`,
);

type Reading = Pick<FastifyRequest, 'params' | 'body'> & { caller: { accountId: string } };

/**
 * The error of a route that queries, if it does not answer in time: the query is too expensive where what it can reach has many entries. Otherwise it is
 * the machine that is busy, as a database is that cannot count them soon.
 */
export const lateQuery =
  (db: Database, cache: CollectionCache, many = MANY_ENTRIES, countMs = COUNT_MS) =>
  async (request: Reading): Promise<ApiError | undefined> => {
    const isExpensive = async () => {
      const { accountId: account_id } = request.caller;
      const collection_id = await onlyCollection(db, cache, request);
      const [row] = await hasManyEntries(db, { account_id, collection_id, many });
      return row?.has_many;
    };
    const found = await Promise.race([isExpensive().catch(() => false), sleep(countMs, false, { ref: false })]);
    return found ? tookTooLong() : undefined;
  };

/** The collection that a query is about, unless it reaches others by references. */
async function onlyCollection(db: Database, cache: CollectionCache, request: Reading): Promise<string | null> {
  const { collectionId } = request.params as { collectionId?: string };
  if (collectionId === undefined || (request.body as { join?: unknown } | undefined)?.join) return null;
  const [collection] = await cache.everything.loadCurrent(db, request.caller.accountId, [collectionId], false);
  const isAlone = collection && !everyField(collection.fields).some((field) => typeOf(field).structure === 'reference');
  return isAlone ? (parseId('col', collectionId) ?? null) : null;
}

/** Runs a query whose statements may be canceled. @throws ApiError 400 `query_too_expensive` */
export async function inTime<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === CANCELED) throw tookTooLong(error);
    throw error;
  }
}
