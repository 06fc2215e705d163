import { notFound } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import type { PageTokens } from '../../shared/page-token.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { type CollectionCache, STALE } from '../collections/collection-cache.ts';
import { previewEntryJson, withSrcset } from '../delivery/public-entry.ts';
import { draftView } from '../delivery/public-view.ts';
import type { EntriesQuery } from '../entries/contract.ts';
import { sortKeysOf } from '../entries/index-entry.ts';
import { findEntriesByKey, findReturnedEntries } from '../entries/queries.ts';
import { serializeValues } from '../entries/serialize-entry.ts';
import type { EntryPath } from '../entries/update-entry.ts';
import { listPage } from '../listing/list-entries.ts';

export interface PreviewDeps {
  db: Database;
  cache: CollectionCache;
  tokens: PageTokens;
  publicUrl: () => string;
  /** Widths of image variants. */
  sizes: readonly number[];
}

type Asset = Parameters<typeof withSrcset>[0];

/** A page of entries as they would be published now, without private fields. @throws ApiError 404, 400 */
export function listDrafts(
  { db, cache, tokens, publicUrl, sizes }: PreviewDeps,
  accountId: string,
  collectionId: string,
  query: EntriesQuery,
): Promise<string> {
  return listPage(db, cache, tokens, accountId, collectionId, query, {
    scope: 'preview',
    viewOf: draftView,
    state: 'draft',
    publicUrl: publicUrl(),
    asset: (asset: Asset) => withSrcset(asset, sizes),
    json: (_collection, row, values) => previewEntryJson(row, values),
  });
}

/** An entry as it would be published now, by its ID or slug. @throws ApiError 404 */
export function getDraft(
  { db, cache, publicUrl, sizes }: PreviewDeps,
  accountId: string,
  path: EntryPath,
): Promise<string> {
  return cache.use(db, accountId, path.collectionId, async (stored) => {
    const collection = draftView(stored);
    const id = parseId('ent', path.entryId) ?? (await findBySlug(db, accountId, collection, path.entryId));
    const key = { account_id: accountId, collection_id: collection.id };
    const [row] = id === undefined ? [] : await findReturnedEntries(db, { ...key, ids: [id] });
    if (!row || !isActive(row)) throw notFound('entry');
    if (row.collection_version !== collection.version) return STALE;
    const asset = (each: Asset) => withSrcset(each, sizes);
    const parsed = [JSON.parse(row.values)];
    const [values = {}] = await serializeValues(db, accountId, collection, parsed, publicUrl(), asset);
    return previewEntryJson(row, JSON.stringify(values));
  });
}

/** Drafts may share a slug: the oldest has it. */
async function findBySlug(
  db: Database,
  account_id: string,
  collection: Collection,
  slug: string,
): Promise<string | undefined> {
  const field = collection.fields.find((each) => each.format === 'slug' && isActive(each));
  const key = field && sortKeysOf(collection, { [field.id]: slug })[field.key];
  if (!field || key === undefined) return undefined;
  const found = await findEntriesByKey(db, { account_id, field_key: field.key, sort_keys: [key].flat() });
  return found.map(({ entry_id }) => entry_id).sort()[0];
}
