import { findAssets } from '../../files/index.ts';
import { publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { mapInTurns } from '../../shared/turns.ts';
import type { Collection } from '../collections/collection.ts';
import { blockOf, fieldsOfRow, isActive, type NestedField } from '../collections/field.ts';
import type { AssetReference } from '../field-types/field-type.ts';
import { linksOf, type RichText, withLinkUrls } from '../field-types/formats/rich-text-document.ts';
import { typeOf } from '../field-types/index.ts';
import { baseOf, chainOf } from '../locales/check-locales.ts';
import { localizeValues } from '../locales/locale-view.ts';
import { publishedLocalesOf } from '../locales/published-locales.ts';
import { liftOrder } from '../ordering/lift-order.ts';
import type { Values } from './check-values.ts';
import type { Entry } from './contract.ts';
import { presentRichText } from './present-rich-text.ts';
import type { EntryRow, PublishedColumns } from './queries.ts';

type Assets = ReadonlyMap<string, object>;
const NONE: Assets = new Map();
const NO_URLS: ReadonlyMap<string, string | null> = new Map();

export function serializeEntry(
  collection: Collection,
  row: Pick<EntryRow, 'id' | 'status' | 'version' | 'created_at' | 'updated_at'> & PublishedColumns,
  serialized: Values,
): Entry {
  const { values, members } = liftOrder(collection, serialized);
  return {
    id: publicId('ent', row.id),
    collectionId: collection.publicId,
    values,
    ...members,
    status: row.status,
    version: row.version,
    ...(collection.publishing && {
      publishedVersion: row.published_version ?? null,
      publishedAt: row.published_at ? isoTime(row.published_at) : null,
      ...(collection.locales && { publishedLocales: publishedLocalesOf(collection.locales, row) }),
    }),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}

/** Whether the API returns other values than those that are stored. */
export function hasComputedValues({ hasAssets, hasDeletedFields }: Collection): boolean {
  return hasAssets || hasDeletedFields;
}

/** What is returned for some values; by default rich texts as they are stored. */
export interface Presentation {
  richText?: ((document: RichText) => string) | undefined;
  /** The URLs of entries that rich texts link to, by public ID: null without one. By default links stay as they are stored. */
  linkUrls?(tx: Tx, ids: readonly string[], locale: string | undefined): Promise<ReadonlyMap<string, string | null>>;
}

/** Whether a presentation changes values of a collection. */
export const isPresented = ({ hasLinks }: Collection, presentation: Presentation | undefined): boolean =>
  presentation?.richText !== undefined || (hasLinks && presentation?.linkUrls !== undefined);

/**
 * Stored values as the API returns them: without deleted fields, and with whole assets. A presentation may change the stored ones.
 * @param known assets that need not be read, if they are all there are
 */
export async function serializeValues(
  tx: Tx,
  accountId: string,
  collection: Collection,
  stored: Values[],
  publicUrl: string,
  presentation?: Presentation,
  known?: Assets,
): Promise<Values[]> {
  if (!hasComputedValues(collection) && !isPresented(collection, presentation)) return stored;
  const all = stored.map((values) => ({ collection, values }));
  return serializeAll(tx, accountId, all, publicUrl, presentation, known);
}

/** The same of entries of several collections. */
export async function serializeAll(
  tx: Tx,
  accountId: string,
  stored: readonly { collection: Collection; values: Values }[],
  publicUrl: string,
  { richText, linkUrls }: Presentation = {},
  known: Assets = NONE,
): Promise<Values[]> {
  const all = await mapInTurns(stored, ({ collection, values }) => ({
    collection,
    values: localizeValues(collection, values),
  }));
  const ids = all.flatMap(({ collection, values }) =>
    collection.hasAssets ? assetIdsOf(collection.fields, values) : [],
  );
  const assets = ids.every((id) => known.has(id))
    ? known
    : await findAssets(tx, accountId, ids, publicUrl, localesOf(stored));
  const serialized = await mapInTurns(all, ({ collection, values }) => ({
    collection,
    values: hasComputedValues(collection) ? serializeFields(collection.fields, values, assets) : values,
  }));
  const linking = linkUrls ? serialized.filter(({ collection }) => collection.hasLinks) : [];
  if (linkUrls && linking.length > 0) {
    const ids = new Set<string>();
    await presentRichText(linking, (document) => {
      for (const id of linksOf(document)) ids.add(id);
      return document;
    });
    const urls = ids.size === 0 ? NO_URLS : await linkUrls(tx, [...ids], linking[0]?.collection.locale);
    if (ids.size > 0) await presentRichText(linking, (document) => withLinkUrls(document, urls));
  }
  if (richText) await presentRichText(serialized, richText);
  return serialized.map(({ values }) => values);
}

/** The locales of texts of assets, the preferred one first: that of the view, and its fallbacks. Texts without a locale come last. */
function localesOf(all: readonly { collection: Collection }[]): string[] {
  const { locale, locales } = all.find(({ collection }) => collection.locale !== undefined)?.collection ?? {};
  if (locale === undefined || !locales) return [];
  const chain = chainOf(locales, locale);
  const base = chain.indexOf(baseOf(locales));
  return base < 0 ? chain : chain.slice(0, base);
}

/** Every asset that the values reference, including those of deleted fields, which can be restored. */
export function assetIdsOf(fields: readonly NestedField[], values: Values): string[] {
  return fields.flatMap((field) => {
    const { structure } = typeOf(field);
    if ((structure !== 'asset' && structure !== 'fields') || !Object.hasOwn(values, field.id)) return [];
    const items = [values[field.id]].flat();
    if (structure === 'asset') return items.map((item) => (item as AssetReference).assetId);
    return items.flatMap((row) => assetIdsOf(fieldsOfRow(field, row), row as Values));
  });
}

function serializeFields(fields: readonly NestedField[], values: Values, assets: Assets): Values {
  const serialized: Values = {};
  for (const field of fields) {
    if (!isActive(field) || !Object.hasOwn(values, field.id)) continue;
    const stored = values[field.id];
    const value = Array.isArray(stored)
      ? stored.map((item) => serializeValue(field, item, assets)).filter((item) => item !== undefined)
      : serializeValue(field, stored, assets);
    if (value !== undefined) serialized[field.id] = value;
  }
  return serialized;
}

/** A deleted asset is no value. */
function serializeValue(field: NestedField, stored: unknown, assets: Assets): unknown {
  const { structure } = typeOf(field);
  if (structure === 'asset') {
    const { assetId, ...own } = stored as AssetReference;
    const asset = assets.get(assetId);
    return asset && { ...asset, ...own };
  }
  if (structure === 'fields') return serializeRow(field, stored as Values, assets);
  return stored;
}

/** A group, or a row with its ID and its block; undefined for one of a deleted block. */
function serializeRow(field: NestedField, stored: Values, assets: Assets): Values | undefined {
  const { _block, _id } = stored;
  const values = serializeFields(fieldsOfRow(field, stored), stored, assets);
  if (field.blocks) {
    const block = blockOf(field, stored);
    return block && isActive(block) ? { _block, _id, ...values } : undefined;
  }
  return field.rowIds && _id !== undefined ? { _id, ...values } : values;
}
