import { notFound } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { PageTokens } from '../../shared/page-token.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { SchemaView } from '../collections/collection.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { STALE } from '../collections/stale.ts';
import { type PublicReading, SINGLETON } from '../delivery/delivery.ts';
import { linkUrlsBy, urlMembersOfExpanded } from '../delivery/link-urls.ts';
import { expandedJson, presentationOf, previewEntryFrame } from '../delivery/public-entry.ts';
import { draftView, isPublic } from '../delivery/public-view.ts';
import type { Values } from '../entries/check-values.ts';
import type { EntriesQuery } from '../entries/contract.ts';
import { sortKeysOf } from '../entries/index-entry.ts';
import type { RichTextFormat } from '../entries/present-rich-text.ts';
import { findEntriesByKey, findReturnedEntries, indexedKey } from '../entries/queries.ts';
import { type Presentation, serializeValues } from '../entries/serialize-entry.ts';
import { findOnlyEntry, isSingleton } from '../entries/singleton.ts';
import type { EntryPath } from '../entries/update-entry.ts';
import { listPage } from '../listing/list-entries.ts';
import { writerOfFrames } from '../listing/write-entry.ts';
import { requestedLocale, singleLocaleView } from '../locales/locale-view.ts';
import { valuesText } from '../ordering/lift-order.ts';
import { type Expansion, expandEntries } from '../references/expand-entries.ts';
import { parseExpand } from '../references/expand-tree.ts';
import { findPreviewTargets } from '../references/queries.ts';
import { asPublished, urlMembersOf, urlRowOf } from '../urls/entry-urls.ts';

interface PreviewDeps {
  db: Database;
  cache: SchemaView;
  tokens: PageTokens;
  publicUrl: () => string;
  /** Widths of image variants. */
}

/** References to drafts of public collections. */
const expansionOf = (presentation: Presentation): Expansion => ({
  find: findPreviewTargets,
  viewOf: (stored) => (isPublic(stored) ? draftView(stored) : undefined),
  inLocale: singleLocaleView,
  json: ({ publicId }, row) => expandedJson(publicId, previewEntryFrame(row).join('null')),
  membersOf: urlMembersOfExpanded('draft'),
  presentation,
  state: 'draft',
  omitsUnknown: true,
});

/** A page of entries as they would be published now, without private fields. @throws ApiError 404, 400 */
export function listDrafts(
  { db, cache, tokens, publicUrl }: PreviewDeps,
  accountId: string,
  collectionId: string,
  query: EntriesQuery,
  richText: RichTextFormat | undefined,
): Promise<Buffer> {
  const presentation = presentationOf(richText, linkUrlsBy(cache, accountId, 'draft', query.locale));
  return listPage(db, cache, tokens, accountId, collectionId, query, {
    scope: 'preview',
    viewOf: draftView,
    inLocale: singleLocaleView,
    state: 'draft',
    publicUrl: publicUrl(),
    presentation,
    writerOf: (_, members) => writerOfFrames((row) => previewEntryFrame(row, members?.get(publicId('ent', row.id)))),
    membersOf: (stored, rows, locale) =>
      urlMembersOf(
        { tx: db, cache, accountId, findTargets: findPreviewTargets },
        stored,
        () => rows.map((row) => asPublished(stored, urlRowOf(row))),
        locale,
      ),
    expansion: expansionOf(presentation),
    targetView: (stored) => (isPublic(stored) ? draftView(stored) : undefined),
    findTargets: findPreviewTargets,
    isPublic: true,
  });
}

/** An entry as it would be published now, by its ID or slug. @throws ApiError 404 */
export function getDraft(
  { db, cache, publicUrl }: PreviewDeps,
  accountId: string,
  path: EntryPath,
  { expand, locale: sent, richtext }: PublicReading,
): Promise<string> {
  const presentation = presentationOf(richtext, linkUrlsBy(cache, accountId, 'draft', sent));
  return cache.use(db, accountId, path.collectionId, async (stored) => {
    const locale = await requestedLocale(db, accountId, stored, sent);
    const collection = singleLocaleView(draftView(stored), locale);
    const id =
      parseId('ent', path.entryId) ??
      (await findOnly(db, accountId, collection, path.entryId)) ??
      (await findBySlug(db, accountId, collection, path.entryId));
    const [row] = id === undefined ? [] : await findReturnedEntries(db, accountId, collection, [id]);
    if (!row || !isActive(row)) throw notFound('entry');
    if (row.collection_version !== collection.version) return STALE;
    const draft: Values = readJson(row.values);
    const all = await serializeValues(db, accountId, collection, [draft], publicUrl(), presentation);
    const deps = { tx: db, cache, accountId, publicUrl: publicUrl(), locale };
    if ((await expandEntries(deps, expansionOf(presentation), collection, all, parseExpand(expand))) === STALE)
      return STALE;
    const [values = {}] = all;
    const urls = await urlMembersOf(
      { ...deps, findTargets: findPreviewTargets },
      stored,
      () => [asPublished(stored, { id: row.id, version: row.version, values: draft })],
      locale,
    );
    return previewEntryFrame(row, urls.get(publicId('ent', row.id))).join(valuesText(collection, values));
  });
}

async function findOnly(db: Database, account_id: string, collection: Collection, name: string) {
  if (name !== SINGLETON || !isSingleton(collection)) return undefined;
  return (await findOnlyEntry(db, { account_id, collection_id: collection.id }))[0]?.id;
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
    const found = await findEntriesByKey(db, { account_id, field_key, keys: [key].flat().map(indexedKey) });
    if (found.length > 0) return found.map(({ entry_id }) => entry_id).sort()[0];
  }
  return undefined;
}
