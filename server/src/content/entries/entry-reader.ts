import { notFound } from '../../shared/errors.ts';
import { GroupCommit } from '../../shared/group-commit.ts';
import { parseId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { SchemaView } from '../collections/collection.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { STALE } from '../collections/stale.ts';
import { localeView, requestedLocale } from '../locales/locale-view.ts';
import { valuesText } from '../ordering/lift-order.ts';
import { EXPANSIONS, expandEntries } from '../references/expand-entries.ts';
import { parseExpand } from '../references/expand-tree.ts';
import type { Values } from './check-values.ts';
import { entryJson } from './entry-json.ts';
import { findReturnedEntries, type ReturnedEntryRow } from './queries.ts';
import { hasComputedValues, serializeValues } from './serialize-entry.ts';
import type { EntryPath } from './update-entry.ts';

const BATCHES = { maxBatch: 32, maxConcurrent: 4, maxQueued: 20_000 };

interface Found {
  row: ReturnedEntryRow;
  /** As they are returned, if they are not the stored ones. */
  values?: Values | undefined;
}

/** How an entry is returned. */
export interface Reading {
  expand?: string | undefined;
  locale?: string | undefined;
}

/** Reads entries as JSON text. Requests for entries of a collection that arrive at the same time share a statement. */
export class EntryReader {
  readonly #db: Database;
  readonly #publicUrl: () => string;
  readonly #groups = new Map<string, GroupCommit<string, Found | undefined>>();

  constructor(db: Database, publicUrl: () => string) {
    this.#db = db;
    this.#publicUrl = publicUrl;
  }

  /** @throws ApiError 404 if the entry is deleted, unless `includeDeleted`; 400 `locale_unknown`, or as `expandEntries` */
  read(
    cache: SchemaView,
    accountId: string,
    path: EntryPath,
    includeDeleted: boolean,
    { expand, locale: sent }: Reading = {},
  ): Promise<string> {
    return cache.use(this.#db, accountId, path.collectionId, async (stored) => {
      const locale = await requestedLocale(this.#db, accountId, stored, sent);
      const collection = localeView(stored, locale);
      const id = parseId('ent', path.entryId);
      const found = id === undefined ? undefined : await this.#find(accountId, collection, id);
      const { row, values: computed } = found ?? {};
      if (!row || !(isActive(row) || includeDeleted)) throw notFound('entry');
      if (row.collection_version !== collection.version) return STALE;
      const tree = parseExpand(expand);
      if (!tree) return entryJson(collection, row, computed ? valuesText(collection, computed) : row.values);
      const parsed = [readJson(row.values)];
      const deps = { tx: this.#db, cache, accountId, publicUrl: this.#publicUrl(), locale };
      const all = await serializeValues(this.#db, accountId, collection, parsed, deps.publicUrl);
      if ((await expandEntries(deps, EXPANSIONS.draft, collection, all, tree)) === STALE) return STALE;
      const [values = {}] = all;
      return entryJson(collection, row, valuesText(collection, values));
    });
  }

  #find(account_id: string, collection: Collection, id: string): Promise<Found | undefined> {
    const { id: collection_id, publishing, version, locale = '' } = collection;
    const find = async (ids: string[]) => {
      const rows = await findReturnedEntries(this.#db, account_id, collection, ids);
      const byId = new Map((await this.#compute(account_id, collection, rows)).map((found) => [found.row.id, found]));
      return ids.map((each) => byId.get(each));
    };
    // What a role may read is its own.
    if (collection.access) return find([id]).then(([found]) => found);
    const key = `${account_id}${collection_id}${version}${publishing}${locale}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = new GroupCommit(find, { ...BATCHES, onIdle: () => this.#groups.delete(key) });
      this.#groups.set(key, group);
    }
    return group.submit(id);
  }

  /** The files of all entries of a batch are read by one statement. */
  async #compute(accountId: string, collection: Collection, rows: readonly ReturnedEntryRow[]): Promise<Found[]> {
    const isOutdated = rows.some((row) => row.collection_version !== collection.version);
    if (isOutdated || !hasComputedValues(collection)) return rows.map((row) => ({ row }));
    const stored = rows.map(({ values }) => readJson(values));
    const computed = await serializeValues(this.#db, accountId, collection, stored, this.#publicUrl());
    return rows.map((row, i) => ({ row, values: computed[i] }));
  }
}
