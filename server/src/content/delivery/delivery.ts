import { notFound } from '../../shared/errors.ts';
import { GroupCommit } from '../../shared/group-commit.ts';
import { parseId } from '../../shared/ids.ts';
import type { PageTokens } from '../../shared/page-token.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { type CollectionCache, STALE } from '../collections/collection-cache.ts';
import type { Values } from '../entries/check-values.ts';
import type { EntriesQuery } from '../entries/contract.ts';
import { serializeValues } from '../entries/serialize-entry.ts';
import type { EntryPath } from '../entries/update-entry.ts';
import { isSlug } from '../field-types/formats/slug.ts';
import { listPage } from '../listing/list-entries.ts';
import { findReturnedPublished } from '../publishing/queries.ts';
import { publicEntryJson, withSrcset } from './public-entry.ts';
import { publicView } from './public-view.ts';
import { findDeliveryStates, findPublishedBySlug } from './queries.ts';
import { type CachedResponse, ResponseCache } from './response-cache.ts';

const BATCHES = { maxBatch: 64, maxConcurrent: 4, maxQueued: 20_000 };

interface DeliveryDeps {
  db: Database;
  cache: CollectionCache;
  tokens: PageTokens;
  publicUrl: () => string;
  /** Widths of image variants. */
  sizes: readonly number[];
}

/**
 * Responses of published entries for everyone. Before a response is sent, one statement reads whether anything was published or
 * changed since it was made; requests that arrive at the same time share that statement.
 */
export class Delivery {
  readonly #deps: DeliveryDeps;
  readonly #responses = new ResponseCache();
  /** By account. */
  readonly #states = new Map<string, GroupCommit<string, string | undefined>>();

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
  }

  /** A page of published entries. @param name what distinguishes the request @throws ApiError 404, 400 */
  async list(accountId: string, collectionId: string, query: EntriesQuery, name: string): Promise<CachedResponse> {
    const { db, cache, tokens, publicUrl } = this.#deps;
    return this.#respond(accountId, collectionId, `list ${name}`, () =>
      listPage(db, cache, tokens, accountId, collectionId, query, {
        scope: 'content',
        viewOf: publicView,
        state: 'published',
        publicUrl: publicUrl(),
        asset: this.#asset,
        json: (_collection, row, values) => publicEntryJson(row, values),
      }),
    );
  }

  /** A published entry. @throws ApiError 404 */
  async get(accountId: string, path: EntryPath): Promise<CachedResponse> {
    const { db, cache, publicUrl } = this.#deps;
    return this.#respond(accountId, path.collectionId, `entry ${path.entryId}`, () =>
      cache.use(db, accountId, path.collectionId, async (stored) => {
        const collection = publicView(stored);
        const { row, redirectTo } = await this.#find(accountId, collection, path.entryId);
        if (!row) throw notFound('entry');
        if (row.collection_version !== collection.version) return STALE;
        const parsed = [JSON.parse(row.values)];
        const [values = {}] = await serializeValues(db, accountId, collection, parsed, publicUrl(), this.#asset);
        return publicEntryJson(row, JSON.stringify(values), redirectTo(values));
      }),
    );
  }

  /** @param name the ID of an entry or a slug */
  async #find(accountId: string, collection: Collection, name: string) {
    const key = { account_id: accountId, collection_id: collection.id };
    const id = parseId('ent', name);
    const slugField = collection.fields.find((field) => field.format === 'slug' && isActive(field));
    if (id !== undefined || !slugField || !isSlug(name)) {
      const [row] = id === undefined ? [] : await findReturnedPublished(this.#deps.db, { ...key, id });
      return { row, redirectTo: () => undefined };
    }
    const [row] = await findPublishedBySlug(this.#deps.db, { ...key, field_key: slugField.key, slug: name });
    const redirectTo = (values: Values) => (row?.is_current ? undefined : (values[slugField.id] as string | undefined));
    return { row, redirectTo };
  }

  readonly #asset = (asset: Parameters<typeof withSrcset>[0]) => withSrcset(asset, this.#deps.sizes);

  async #respond(
    accountId: string,
    collectionId: string,
    name: string,
    make: () => Promise<string>,
  ): Promise<CachedResponse> {
    const id = parseId('col', collectionId);
    const state = id === undefined ? undefined : await this.#stateOf(accountId, id);
    if (state === undefined) throw notFound('collection');
    return this.#responses.get(`${accountId} ${collectionId} ${name}`, state, make);
  }

  #stateOf(accountId: string, collectionId: string): Promise<string | undefined> {
    let group = this.#states.get(accountId);
    if (group === undefined) {
      const find = async (ids: string[]) => {
        const rows = await findDeliveryStates(this.#deps.db, { account_id: accountId, ids: [...new Set(ids)] });
        const states = new Map(rows.map(({ id, version, changes }) => [id, `${version}.${changes}`]));
        return ids.map((id) => states.get(id));
      };
      group = new GroupCommit(find, { ...BATCHES, onIdle: () => this.#states.delete(accountId) });
      this.#states.set(accountId, group);
    }
    return group.submit(collectionId);
  }
}
