import { GroupCommit } from '../../shared/group-commit.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { Collection, SchemaView } from '../collections/collection.ts';
import { type ExpandTree, findDependencies, type LoadTargets } from '../references/expand-tree.ts';
import { isPublic, publicView } from './public-view.ts';
import { findDeliveryStates } from './queries.ts';

const BATCHES = { maxBatch: 64, maxConcurrent: 4, maxQueued: 20_000 };
const MAX_ATTEMPTS = 5;
export const NOT_PUBLIC = '-';

/** The collections that a response depends on (UUIDs), its own first, and their state before it is made. */
export interface Dependencies {
  ids: readonly string[];
  state: string;
  /** More tags of the response, those of experiments. */
  tags?: readonly string[] | undefined;
}

/** Reads what responses depend on. Requests that arrive at the same time share a statement. */
export class DeliveryStates {
  readonly #db: Database;
  readonly #cache: SchemaView;
  /** By account. */
  readonly #groups = new Map<string, GroupCommit<string, string>>();

  constructor(db: Database, cache: SchemaView) {
    this.#db = db;
    this.#cache = cache;
  }

  /** The state of collections: how often they, and what is published of them, have changed. */
  async stateOf(accountId: string, ids: readonly string[]): Promise<string> {
    const group = this.#groupOf(accountId);
    const [first, ...others] = ids;
    if (first !== undefined && others.length === 0) return group.submit(first);
    return (await Promise.all(ids.map((id) => group.submit(id)))).join(' ');
  }

  /**
   * What a response of a collection (UUID) depends on: itself, and the collections that its references lead to. Returns
   * undefined if the collection is not public.
   * @throws ApiError 400 as `parseExpand`
   */
  async dependenciesOf(
    accountId: string,
    id: string,
    publicId: string,
    tree: ExpandTree | undefined,
  ): Promise<Dependencies | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const read = new Map<string, Collection>();
      const load: LoadTargets = async (publicIds) => {
        const collections = await this.#cache.loadCurrent(this.#db, accountId, publicIds, attempt > 0);
        for (const collection of collections) read.set(collection.id, collection);
        return collections.filter(isPublic).map(publicView);
      };
      const [collection] = await load([publicId]);
      const others = collection ? await findDependencies(collection, tree, load) : [];
      const ids = [...new Set([id, ...others])];
      const state = await this.stateOf(accountId, ids);
      const states = state.split(' ');
      if (states[0] === NOT_PUBLIC) return undefined;
      // The fields of a cached collection can be outdated, and with them the references.
      const isCurrent = ids.every((each, i) => {
        const known = read.get(each);
        return states[i] === NOT_PUBLIC || !known || states[i]?.startsWith(`${known.version}.`);
      });
      // A role may not read every public collection.
      if (!collection && this.#cache.access) return undefined;
      if (isCurrent && collection) return { ids, state };
    }
    throw new Error('the collection changed every time it was read');
  }

  #groupOf(accountId: string): GroupCommit<string, string> {
    const known = this.#groups.get(accountId);
    if (known) return known;
    const find = async (ids: string[]) => {
      const rows = await findDeliveryStates(this.#db, { account_id: accountId, ids: [...new Set(ids)] });
      const states = new Map(rows.map(({ id, version, changes }) => [id, `${version}.${changes}`]));
      return ids.map((id) => states.get(id) ?? NOT_PUBLIC);
    };
    const group = new GroupCommit(find, { ...BATCHES, onIdle: () => this.#groups.delete(accountId) });
    this.#groups.set(accountId, group);
    return group;
  }
}
