import { notFound } from '../../shared/errors.ts';
import { GroupCommit } from '../../shared/group-commit.ts';
import { parseId } from '../../shared/ids.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { type CollectionCache, STALE } from '../collections/collection-cache.ts';
import { localeView, requestedLocale } from '../locales/locale-view.ts';
import { EXPANSIONS, expandEntries } from '../references/expand-entries.ts';
import { parseExpand } from '../references/expand-tree.ts';
import { entryJson } from './entry-json.ts';
import { findReturnedDrafts, findReturnedEntries, type ReturnedEntryRow } from './queries.ts';
import { hasComputedValues, serializeValues } from './serialize-entry.ts';
import type { EntryPath } from './update-entry.ts';

const BATCHES = { maxBatch: 32, maxConcurrent: 4, maxQueued: 20_000 };

/** How an entry is returned. */
export interface Reading {
  expand?: string | undefined;
  locale?: string | undefined;
}

/** Reads entries as JSON text. Requests for entries of a collection that arrive at the same time share a statement. */
export class EntryReader {
  readonly #db: Database;
  readonly #cache: CollectionCache;
  readonly #publicUrl: () => string;
  readonly #groups = new Map<string, GroupCommit<string, ReturnedEntryRow | undefined>>();

  constructor(db: Database, cache: CollectionCache, publicUrl: () => string) {
    this.#db = db;
    this.#cache = cache;
    this.#publicUrl = publicUrl;
  }

  /** @throws ApiError 404 if the entry is deleted, unless `includeDeleted`; 400 `locale_unknown`, or as `expandEntries` */
  read(
    accountId: string,
    path: EntryPath,
    includeDeleted: boolean,
    { expand, locale: sent }: Reading = {},
  ): Promise<string> {
    return this.#cache.use(this.#db, accountId, path.collectionId, async (stored) => {
      const locale = await requestedLocale(this.#db, accountId, stored, sent);
      const collection = localeView(stored, locale);
      const id = parseId('ent', path.entryId);
      const row = id === undefined ? undefined : await this.#find(accountId, collection, id);
      if (!row || !(isActive(row) || includeDeleted)) throw notFound('entry');
      if (row.collection_version !== collection.version) return STALE;
      const tree = parseExpand(expand);
      if (!hasComputedValues(collection) && !tree) return entryJson(collection, row, row.values);
      const parsed = [JSON.parse(row.values)];
      const deps = { tx: this.#db, cache: this.#cache, accountId, publicUrl: this.#publicUrl(), locale };
      const all = await serializeValues(this.#db, accountId, collection, parsed, deps.publicUrl);
      if (tree && (await expandEntries(deps, EXPANSIONS.draft, collection, all, tree)) === STALE) return STALE;
      const [values = {}] = all;
      return entryJson(collection, row, JSON.stringify(values));
    });
  }

  #find(account_id: string, collection: Collection, id: string): Promise<ReturnedEntryRow | undefined> {
    const { id: collection_id, publishing } = collection;
    const key = `${account_id}${collection_id}${publishing}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      const find = async (ids: string[]) => {
        const rows = await (publishing ? findReturnedDrafts : findReturnedEntries)(this.#db, {
          account_id,
          collection_id,
          ids,
        });
        const byId = new Map(rows.map((row) => [row.id, row]));
        return ids.map((each) => byId.get(each));
      };
      group = new GroupCommit(find, { ...BATCHES, onIdle: () => this.#groups.delete(key) });
      this.#groups.set(key, group);
    }
    return group.submit(id);
  }
}
