import { LRUCache } from 'lru-cache';
import type { RoleAccess } from '../../accounts/index.ts';
import { ApiError, notFound } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { RoleView } from '../roles/role-view.ts';
import { type Collection, type CollectionRow, collectionOf, isActive, type SchemaView } from './collection.ts';
import { everyField } from './field.ts';
import { findCollection, findCollections } from './queries.ts';
import { CONDITION_NOT_MET, STALE } from './stale.ts';

/** Fields and options that are cached, about 200 bytes each; a collection counts as at least ten. */
const MAX_WEIGHT = 200_000;
const MAX_ATTEMPTS = 20;

/** Gives each reader its view of the schema. */
export class CollectionCache {
  readonly #store = new StoredCollections();

  /** The view of somebody who makes a request. */
  of({ access }: { access?: RoleAccess | undefined }): SchemaView {
    return access ? new RoleView(this.#store, access) : this.#store;
  }

  /** For what has no reader, or one of its own: workers, and what everyone can read. */
  get everything(): SchemaView {
    return this.#store;
  }

  /** Caches a collection that was just committed. */
  set(accountId: string, collection: Collection): void {
    this.#store.set(accountId, collection);
  }
}

/** A view that starts without cached collections, for what runs in a thread. */
export const uncachedView = (access: RoleAccess | undefined): SchemaView => new CollectionCache().of({ access });

/**
 * The collections that this process caches, so that an entry is read or written in one statement. Another process may
 * change a collection at any time, so every statement checks the version that it was made for, and a refusal only counts
 * when it was decided by a fresh copy.
 */
class StoredCollections implements SchemaView {
  readonly access = undefined;
  readonly #collections = new LRUCache<string, Collection>({ maxSize: MAX_WEIGHT, sizeCalculation: weightOf });

  /**
   * Runs an operation with the cached collection, and again with a fresh copy if the cached one turns out to be outdated.
   * @throws ApiError 404 if the account has no such active collection
   */
  async use<T>(
    tx: Tx,
    accountId: string,
    publicId: string,
    operation: (collection: Collection) => Promise<T | typeof STALE>,
  ): Promise<T> {
    const id = parseId('col', publicId);
    if (id === undefined) throw notFound('collection');
    let cached = this.#collections.get(accountId + id);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const isFresh = cached === undefined;
      const collection = cached ?? (await this.#read(tx, accountId, id));
      cached = undefined;
      try {
        const result = await operation(collection);
        if (result !== STALE) return result;
      } catch (error) {
        // What was refused after a write is not written again in the same transaction.
        const isFinal = isFresh || (error instanceof ApiError && error.code === CONDITION_NOT_MET);
        if (isFinal || !(error instanceof ApiError) || error.status !== 400) throw error;
      }
    }
    throw new Error('the collection changed every time it was read');
  }

  /** Collections by ID (UUID) as a statement found them; `STALE` if one has changed since. */
  async load(
    tx: Tx,
    accountId: string,
    versions: ReadonlyMap<string, number>,
  ): Promise<Map<string, Collection> | typeof STALE> {
    const isCurrent = (collection: Collection) => versions.get(collection.id) === collection.version;
    const cached = [...versions.keys()].flatMap((id) => this.#collections.get(accountId + id) ?? []);
    const loaded = new Map(cached.filter(isCurrent).map((collection) => [collection.id, collection]));
    const missing = [...versions.keys()].filter((id) => !loaded.has(id));
    for (const collection of await this.#readAll(tx, accountId, missing)) loaded.set(collection.id, collection);
    return [...versions.keys()].every((id) => loaded.has(id)) && [...loaded.values()].every(isCurrent) ? loaded : STALE;
  }

  /** The active collections among these (public IDs). @param isFresh reads them from the database */
  async loadCurrent(tx: Tx, accountId: string, publicIds: readonly string[], isFresh: boolean): Promise<Collection[]> {
    const ids = publicIds.flatMap((id) => parseId('col', id) ?? []);
    const cached = isFresh ? [] : ids.flatMap((id) => this.#collections.get(accountId + id) ?? []);
    const known = new Set(cached.map(({ id }) => id));
    return [
      ...cached,
      ...(await this.#readAll(
        tx,
        accountId,
        ids.filter((id) => !known.has(id)),
      )),
    ];
  }

  async read(_tx: Tx, accountId: string, row: CollectionRow): Promise<Collection | undefined> {
    const collection = collectionOf(row);
    this.set(accountId, collection);
    return isActive(row) ? collection : undefined;
  }

  async #readAll(tx: Tx, account_id: string, ids: readonly string[]): Promise<Collection[]> {
    const rows = ids.length === 0 ? [] : await findCollections(tx, { account_id, ids });
    const collections = rows.map(collectionOf);
    for (const collection of collections) this.set(account_id, collection);
    return collections;
  }

  /** Caches a collection that was just read or committed, if it is active. */
  set(accountId: string, collection: Collection): void {
    if (isActive(collection.row)) this.#collections.set(accountId + collection.id, collection);
    else this.#collections.delete(accountId + collection.id);
  }

  async #read(tx: Tx, accountId: string, id: string): Promise<Collection> {
    const [row] = await findCollection(tx, { account_id: accountId, id });
    if (row === undefined || !isActive(row)) {
      this.#collections.delete(accountId + id);
      throw notFound('collection');
    }
    const collection = collectionOf(row);
    this.set(accountId, collection);
    return collection;
  }
}

function weightOf({ fields }: Collection): number {
  const all = everyField(fields);
  return all.reduce((sum, { options }) => sum + 1 + (options?.length ?? 0), 10);
}
