import { ApiError, notFound } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { type Collection, collectionOf, isActive, type NestedField } from './collection.ts';
import { findCollection } from './queries.ts';

/** What `work` answers when its statement found the collection at another version than it was told. */
export const STALE = Symbol('stale');

/** Fields and options that are remembered, about 200 bytes each; a collection counts as ten at least. */
const REMEMBERED = 200_000;
const ATTEMPTS = 20;

/**
 * The collections that this process remembers, so that an entry is read or written in one statement. What is remembered
 * may be old, for another process may have changed it: every statement checks the version by which it was made, and a
 * refusal is not believed before the collection has been read anew.
 */
export class KnownCollections {
  readonly #known = new Map<string, Collection>();
  #weight = 0;

  /**
   * Runs `work` with the collection as it is, at once with what is remembered, and again where that turns out to be old.
   * @throws ApiError 404 where the account has no such active collection
   */
  async use<T>(
    tx: Tx,
    accountId: string,
    publicId: string,
    work: (collection: Collection) => Promise<T | typeof STALE>,
  ): Promise<T> {
    const id = parseId('col', publicId);
    if (id === undefined) throw notFound('collection');
    let known = this.#known.get(accountId + id);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const fresh = known === undefined;
      const collection = known ?? (await this.#read(tx, accountId, id));
      try {
        const result = await work(collection);
        if (result !== STALE) return result;
        known = undefined;
      } catch (error) {
        if (fresh || !(error instanceof ApiError) || error.status !== 400) throw error;
        known = undefined;
      }
    }
    throw new Error('the collection changed each time that it was read');
  }

  /** Remembers what was just read, or committed, if it is active. */
  remember(accountId: string, collection: Collection): void {
    const name = accountId + collection.id;
    this.#forget(name);
    if (!isActive(collection.row)) return;
    this.#known.set(name, collection);
    this.#weight += weightOf(collection);
    for (const oldest of this.#known.keys()) {
      if (this.#weight <= REMEMBERED) break;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    const known = this.#known.get(name);
    if (known === undefined) return;
    this.#known.delete(name);
    this.#weight -= weightOf(known);
  }

  async #read(tx: Tx, accountId: string, id: string): Promise<Collection> {
    const [row] = await findCollection(tx, accountId, id);
    if (row === undefined || !isActive(row)) {
      this.#forget(accountId + id);
      throw notFound('collection');
    }
    const collection = collectionOf(row);
    this.remember(accountId, collection);
    return collection;
  }
}

function weightOf({ fields }: Collection): number {
  const all: NestedField[] = [...fields, ...fields.flatMap((field) => field.fields ?? [])];
  return all.reduce((sum, { options }) => sum + 1 + (options?.length ?? 0), 10);
}
