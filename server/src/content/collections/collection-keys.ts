import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../shared/deps.ts';
import type { Fault } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';
import { SharedReads } from '../../shared/shared-reads.ts';

export const COLLECTION_KEY = '^[a-z][a-z0-9_]{0,62}$';
const KEY = new RegExp(COLLECTION_KEY);

/** Names that have routes of their own beside `/v1/content/{collectionId}`. */
const RESERVED: ReadonlySet<string> = new Set(['changes', 'redirects', 'resolve']);

/** Reads which collection has a key. Not cached, because another process may give the key to another collection. */
export class CollectionKeys {
  readonly #reads = new SharedReads<string | undefined>();

  /** The ID of a collection whose ID or key is given; what is neither is returned as it is. */
  async idOf(tx: Tx, accountId: string, name: string): Promise<string> {
    if (isId(name) || !KEY.test(name)) return name;
    const read = async () => (await findIds(tx, { account_id: accountId, keys: [name] }))[0]?.id;
    const id = await this.#reads.share(`${accountId} ${name}`, read);
    return id === undefined ? name : publicId('col', id);
  }
}

/** A hook by which routes whose path has a collection receive its ID, even if the request names its key. */
export function collectionByKey({ db }: Pick<Deps, 'db'>) {
  const keys = new CollectionKeys();
  return (request: FastifyRequest, _reply: FastifyReply, next: (error?: Error) => void): void => {
    const params = request.params as { collectionId?: string };
    const { collectionId } = params;
    if (collectionId === undefined || isId(collectionId) || request.routeOptions.url?.startsWith('/v1/content/')) {
      next();
      return;
    }
    keys.idOf(db, request.caller.accountId, collectionId).then((id) => {
      params.collectionId = id;
      next();
    }, next);
  };
}

const isId = (name: string) => parseId('col', name) !== undefined;

/** The IDs of active collections by their keys, for those among `names` that are keys. */
export async function idsByKey(tx: Tx, account_id: string, names: readonly string[]): Promise<Map<string, string>> {
  const keys = [...new Set(names.filter((name) => !isId(name) && KEY.test(name)))];
  const found = keys.length === 0 ? [] : await findIds(tx, { account_id, keys });
  return new Map(found.map(({ key, id }) => [key, publicId('col', id)]));
}

/** The IDs of collections that are named by ID or key. What is neither stays as it is. */
export async function collectionIdsOf(tx: Tx, accountId: string, names: readonly string[]): Promise<string[]> {
  const ids = await idsByKey(tx, accountId, names);
  return [...new Set(names.map((name) => ids.get(name) ?? name))];
}

/**
 * Checks the key that a collection gets, or has when it is restored. Until the transaction ends, no other collection gets it.
 * @param id of the collection (UUID)
 */
export async function checkKey(tx: Tx, account_id: string, id: string, key: string, faults: Fault[]): Promise<void> {
  const pointer = '/key';
  if (RESERVED.has(key) || isId(key)) {
    const detail = `The key "${key}" is reserved. Choose another one, such as "${key}_list".`;
    faults.push({ pointer, code: 'key_reserved', detail });
    return;
  }
  await lockKey(tx, { account_id, key });
  const [holder] = await findIds(tx, { account_id, keys: [key] });
  if (!holder || holder.id === id) return;
  const detail = `The collection ${publicId('col', holder.id)} has the key "${key}".`;
  faults.push({ pointer, code: 'key_taken', detail });
}

const findIds = statement('content.find_collection_ids', { account_id: 'uuid', keys: 'text[]' }).returns<{
  key: string;
  id: string;
}>(
  `select key, id from collections
   where account_id = :account_id and key = any(:keys) and status = 'active' and key is not null and not purging`,
);

const lockKey = statement('content.lock_collection_key', { account_id: 'uuid', key: 'text' }).runs(
  'select pg_advisory_xact_lock(hashtextextended(:account_id::text || :key, 19))',
);
