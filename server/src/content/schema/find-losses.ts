import { publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { type CollectionRow, everyField, isActive } from '../collections/collection.ts';
import { retiredPaths } from '../collections/components/fill-fields.ts';
import type { NestedField } from '../collections/field.ts';
import { countEntries } from '../collections/queries.ts';
import { isSystemField } from '../ordering/system-fields.ts';
import { countIndexedValues } from './queries.ts';
import type { StoredSchema } from './read-schema.ts';

/** Values that would no longer be returned. */
export interface Loss {
  /** What the schema no longer has: its section, then IDs from the outermost definition to the innermost. */
  at: readonly string[];
  /** UUID. */
  collectionId: string;
  /** The fields whose values they are, by their numbers in the index; undefined: all entries. */
  keys: number[] | undefined;
}

/** What changes between two states of a schema take away. */
export function findLosses(before: StoredSchema, after: StoredSchema): Loss[] {
  const current = new Map(after.rows.map((row) => [row.id, row]));
  const components = new Map(before.components.map(({ id, key }) => [id, key]));
  return before.rows.filter(isActive).flatMap((row): Loss[] => {
    const next = current.get(row.id);
    const at = ['collections', publicId('col', row.id)];
    if (!next || !isActive(next)) return [{ at, collectionId: row.id, keys: undefined }];
    return retiredPaths(row.fields, next.fields, true).map(({ path }) => ({
      at: locate(at, row, next, path),
      collectionId: row.id,
      keys: keysAt(row.fields, path),
    }));
  });

  /** A field of a component is lost where the component is defined. */
  function locate(from: string[], row: CollectionRow, next: CollectionRow, path: readonly Step[]): string[] {
    let at = from;
    let [old, current_]: (readonly NestedField[])[] = [row.fields, next.fields];
    for (const { id, block } of path) {
      const field = old?.find((each) => each.id === id) as
        | (NestedField & { locale?: string; translationOf?: string })
        | undefined;
      const same = current_?.find((each) => each.id === id);
      if (field && isSystemField(field)) return at;
      if (field?.locale !== undefined) {
        const isLocalized = next.fields.some(
          (each) => each.id === field.translationOf && each.localized && isActive(each),
        );
        return isLocalized ? ['locales'] : [...at, field.translationOf ?? ''];
      }
      const [oldPart, samePart] =
        block === undefined
          ? [field, same]
          : [field?.blocks?.find((each) => each.id === block), same?.blocks?.find((each) => each.id === block)];
      at = [...at, id, ...(block === undefined ? [] : [block])];
      const component = oldPart?.componentId;
      if (component !== undefined && component === samePart?.componentId && components.has(component)) {
        if (path.at(-1)?.id !== id || path.at(-1)?.block !== block) at = ['components', component];
      }
      [old, current_] = [oldPart?.fields ?? [], samePart?.fields ?? []];
    }
    return at;
  }
}

type Step = ReturnType<typeof retiredPaths>[number]['path'][number];

/** The keys of a field, or of all fields of a block, which has none itself. */
function keysAt(fields: readonly NestedField[], path: readonly Step[]): number[] {
  let at: readonly NestedField[] = fields;
  let found: NestedField[] = [];
  for (const { id, block } of path) {
    const field = at.find((each) => each.id === id);
    if (!field) return [];
    at = block === undefined ? (field.fields ?? []) : (field.blocks?.find((each) => each.id === block)?.fields ?? []);
    found = block === undefined ? [field] : everyField(at);
  }
  return found.flatMap(({ key, publishedKey = [] }) => [key, publishedKey].flat());
}

/** How many entries have the values of each loss. */
export async function countLosses(tx: Tx, account_id: string, losses: readonly Loss[]): Promise<number[]> {
  const counts = losses.map(() => 0);
  const fields = losses.flatMap(({ keys = [] }, n) => keys.map((field_key) => ({ n, field_key })));
  if (fields.length > 0) {
    for (const { n, count } of await countIndexedValues(tx, { account_id, fields })) counts[n] = count;
  }
  for (const [n, { keys, collectionId: collection_id }] of losses.entries()) {
    if (keys !== undefined) continue;
    const [counted] = await countEntries(tx, { account_id, collection_id, limit: null });
    counts[n] = counted?.count ?? 0;
  }
  return counts;
}
