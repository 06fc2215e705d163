import { type AssetValue, findAssets } from '../files/index.ts';
import { publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import type { Values } from './check-values.ts';
import { type Collection, type Field, isActive, type NestedField } from './collection.ts';
import type { Entry } from './contract.ts';
import type { EntryRow } from './queries.ts';

type Assets = ReadonlyMap<string, AssetValue>;

export function entryAnswer(
  collection: Collection,
  row: Pick<EntryRow, 'id' | 'status' | 'version' | 'created_at' | 'updated_at'>,
  values: Values,
): Entry {
  return {
    id: publicId('ent', row.id),
    collectionId: collection.publicId,
    values,
    status: row.status,
    version: row.version,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}

/** Stored values as they are answered: without those of deleted fields, and with what the assets' files are. */
export async function answerValues(
  tx: Tx,
  accountId: string,
  collection: Collection,
  stored: Values[],
  publicUrl: string,
): Promise<Values[]> {
  if (!collection.rewritten) return stored;
  const named = collection.hasAssets ? stored.flatMap((values) => assetIdsOf(collection.fields, values)) : [];
  const assets: Assets = named.length === 0 ? new Map() : await findAssets(tx, accountId, named, publicUrl);
  return stored.map((values) => fillFields(collection.fields, values, assets));
}

/** Every asset that the values name, those of deleted fields included: the fields can come back. */
export function assetIdsOf(fields: readonly NestedField[], values: Values): string[] {
  return fields.flatMap((field) => {
    if (!Object.hasOwn(values, field.id)) return [];
    const each = [values[field.id]].flat();
    if (field.type === 'asset') return each.map((asset) => (asset as { assetId: string }).assetId);
    if (field.type === 'group')
      return each.flatMap((group) => assetIdsOf((field as Field).fields ?? [], group as Values));
    return [];
  });
}

function fillFields(fields: readonly NestedField[], values: Values, assets: Assets): Values {
  const filled: Values = {};
  for (const field of fields) {
    if (!isActive(field) || !Object.hasOwn(values, field.id)) continue;
    const value = values[field.id];
    const answered = Array.isArray(value)
      ? value.map((each) => fillValue(field, each, assets)).filter((each) => each !== undefined)
      : fillValue(field, value, assets);
    if (answered !== undefined) filled[field.id] = answered;
  }
  return filled;
}

/** An asset that is gone is no value. */
function fillValue(field: NestedField, value: unknown, assets: Assets): unknown {
  if (field.type === 'asset') return assets.get((value as { assetId: string }).assetId);
  if (field.type === 'group') return fillFields((field as Field).fields ?? [], value as Values, assets);
  return value;
}
