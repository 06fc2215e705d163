import { notFound } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import type { PageTokens } from '../../shared/page-token.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { type CollectionCache, STALE } from '../collections/collection-cache.ts';
import type { PublicReading } from '../delivery/delivery.ts';
import { expandedJson, presentationOf, previewEntryFrame } from '../delivery/public-entry.ts';
import { draftView, isPublic } from '../delivery/public-view.ts';
import { withVisibleReferences } from '../delivery/reference-filters.ts';
import type { EntriesQuery } from '../entries/contract.ts';
import { sortKeysOf } from '../entries/index-entry.ts';
import type { RichTextFormat } from '../entries/present-rich-text.ts';
import { findEntriesByKey, findReturnedDrafts } from '../entries/queries.ts';
import { type Presentation, serializeValues } from '../entries/serialize-entry.ts';
import type { EntryPath } from '../entries/update-entry.ts';
import { listPage } from '../listing/list-entries.ts';
import { writerOfFrames } from '../listing/write-entry.ts';
import { requestedLocale, singleLocaleView } from '../locales/locale-view.ts';
import { type Expansion, expandEntries } from '../references/expand-entries.ts';
import { parseExpand } from '../references/expand-tree.ts';
import { findPreviewTargets } from '../references/queries.ts';

export interface PreviewDeps {
  db: Database;
  cache: CollectionCache;
  tokens: PageTokens;
  publicUrl: () => string;
  /** Widths of image variants. */
  sizes: readonly number[];
}

/** References to drafts of public collections. */
const expansionOf = (presentation: Presentation): Expansion => ({
  find: findPreviewTargets,
  viewOf: (stored) => (isPublic(stored) ? draftView(stored) : undefined),
  inLocale: singleLocaleView,
  json: ({ publicId }, row) => expandedJson(publicId, previewEntryFrame(row).join('null')),
  presentation,
  omitsUnknown: true,
});

/** A page of entries as they would be published now, without private fields. @throws ApiError 404, 400 */
export function listDrafts(
  { db, cache, tokens, publicUrl, sizes }: PreviewDeps,
  accountId: string,
  collectionId: string,
  query: EntriesQuery,
  richText: RichTextFormat | undefined,
): Promise<Buffer> {
  const presentation = presentationOf(sizes, richText);
  return listPage(db, cache, tokens, accountId, collectionId, query, {
    scope: 'preview',
    viewOf: draftView,
    inLocale: singleLocaleView,
    state: 'draft',
    publicUrl: publicUrl(),
    presentation,
    writerOf: () => writerOfFrames(previewEntryFrame),
    expansion: expansionOf(presentation),
    restrict: (collection) => withVisibleReferences(db, accountId, collection, query, findPreviewTargets),
  });
}

/** An entry as it would be published now, by its ID or slug. @throws ApiError 404 */
export function getDraft(
  { db, cache, publicUrl, sizes }: PreviewDeps,
  accountId: string,
  path: EntryPath,
  { expand, locale: sent, richtext }: PublicReading,
): Promise<string> {
  const presentation = presentationOf(sizes, richtext);
  return cache.use(db, accountId, path.collectionId, async (stored) => {
    const locale = await requestedLocale(db, accountId, stored, sent);
    const collection = singleLocaleView(draftView(stored), locale);
    const id = parseId('ent', path.entryId) ?? (await findBySlug(db, accountId, collection, path.entryId));
    const key = { account_id: accountId, collection_id: collection.id };
    const [row] = id === undefined ? [] : await findReturnedDrafts(db, { ...key, ids: [id] });
    if (!row || !isActive(row)) throw notFound('entry');
    if (row.collection_version !== collection.version) return STALE;
    const parsed = [JSON.parse(row.values)];
    const all = await serializeValues(db, accountId, collection, parsed, publicUrl(), presentation);
    const deps = { tx: db, cache, accountId, publicUrl: publicUrl(), locale };
    if ((await expandEntries(deps, expansionOf(presentation), collection, all, parseExpand(expand))) === STALE)
      return STALE;
    const [values = {}] = all;
    return previewEntryFrame(row).join(JSON.stringify(values));
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
  for (const { key: field_key } of field.sources ?? [field]) {
    const found = await findEntriesByKey(db, { account_id, field_key, sort_keys: [key].flat() });
    if (found.length > 0) return found.map(({ entry_id }) => entry_id).sort()[0];
  }
  return undefined;
}
