import { type AssetValue, findAssets } from '../../files/index.ts';
import { publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { type Collection, type Field, isActive, type NestedField } from '../collections/collection.ts';
import type { AssetReference } from '../field-types/asset.ts';
import type { RichText } from '../field-types/formats/rich-text.ts';
import { typeOf } from '../field-types/index.ts';
import { localizeValues } from '../locales/locale-view.ts';
import { publishedLocalesOf } from '../locales/published-locales.ts';
import type { Values } from './check-values.ts';
import type { Entry } from './contract.ts';
import { presentRichText } from './present-rich-text.ts';
import type { EntryRow, PublishedColumns } from './queries.ts';

type Assets = ReadonlyMap<string, unknown>;

export function serializeEntry(
  collection: Collection,
  row: Pick<EntryRow, 'id' | 'status' | 'version' | 'created_at' | 'updated_at'> & PublishedColumns,
  values: Values,
): Entry {
  return {
    id: publicId('ent', row.id),
    collectionId: collection.publicId,
    values,
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

/** What is returned for some values; by default all of an asset, and rich texts as they are stored. */
export interface Presentation {
  asset?: (asset: AssetValue) => unknown;
  richText?: ((document: RichText) => string) | undefined;
}

/**
 * Stored values as the API returns them: without deleted fields, and with whole assets. A presentation may change the stored ones.
 */
export async function serializeValues(
  tx: Tx,
  accountId: string,
  collection: Collection,
  stored: Values[],
  publicUrl: string,
  presentation?: Presentation,
): Promise<Values[]> {
  if (!hasComputedValues(collection) && !presentation?.richText) return stored;
  const all = stored.map((values) => ({ collection, values }));
  return serializeAll(tx, accountId, all, publicUrl, presentation);
}

/** The same of entries of several collections. */
export async function serializeAll(
  tx: Tx,
  accountId: string,
  stored: readonly { collection: Collection; values: Values }[],
  publicUrl: string,
  { asset: returnedAsset = (asset) => asset, richText }: Presentation = {},
): Promise<Values[]> {
  const all = stored.map(({ collection, values }) => ({ collection, values: localizeValues(collection, values) }));
  const ids = all.flatMap(({ collection, values }) =>
    collection.hasAssets ? assetIdsOf(collection.fields, values) : [],
  );
  const found = ids.length === 0 ? [] : await findAssets(tx, accountId, ids, publicUrl);
  const assets: Assets = new Map([...found].map(([id, asset]) => [id, returnedAsset(asset)]));
  const serialized = all.map(({ collection, values }) => ({
    collection,
    values: hasComputedValues(collection) ? serializeFields(collection.fields, values, assets) : values,
  }));
  if (richText) await presentRichText(serialized, richText);
  return serialized.map(({ values }) => values);
}

/** Every asset that the values reference, including those of deleted fields, which can be restored. */
export function assetIdsOf(fields: readonly NestedField[], values: Values): string[] {
  return fields.flatMap((field) => {
    const { structure } = typeOf(field);
    if ((structure !== 'asset' && structure !== 'fields') || !Object.hasOwn(values, field.id)) return [];
    const items = [values[field.id]].flat();
    if (structure === 'asset') return items.map((item) => (item as AssetReference).assetId);
    return items.flatMap((group) => assetIdsOf(nestedFields(field), group as Values));
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
  if (structure === 'asset') return assets.get((stored as AssetReference).assetId);
  if (structure === 'fields') return serializeFields(nestedFields(field), stored as Values, assets);
  return stored;
}

function nestedFields(field: NestedField | Field): readonly NestedField[] {
  return ('fields' in field ? field.fields : null) ?? [];
}
