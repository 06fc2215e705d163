import { escapePointer, type Fault, invalid } from '../../shared/errors.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { SchemaView } from '../collections/collection.ts';
import { idsByKey } from '../collections/collection-keys.ts';
import type { NestedField } from '../collections/field.ts';
import type { Values } from '../entries/check-values.ts';
import { isGroup } from '../field-types/group.ts';
import { LIMITS } from '../limits.ts';
import { mapReferences } from './map-references.ts';
import type { Operation } from './operation.ts';

/** A new entry in the place of a reference. */
interface Nested {
  values: Values;
  collection: string;
  field: NestedField;
  pointer: string;
  ref: string;
}

/** Whether values may have a new entry in the place of a reference; cheap, as most have none. */
export function mayHaveNested(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > 8) return false;
  if (Array.isArray(value)) return value.some((item) => mayHaveNested(item, depth + 1));
  const group = value as Values;
  if (depth > 0 && Object.hasOwn(group, 'new') && isGroup(group.new)) return true;
  return Object.values(group).some((item) => mayHaveNested(item, depth + 1));
}

/**
 * The operations that create an entry and those in its references, which come first.
 * @throws ApiError 400 with every fault of the nested entries' collections and depth
 */
export async function expandNested(
  tx: Tx,
  cache: SchemaView,
  accountId: string,
  collectionId: string,
  values: Values,
): Promise<Operation[]> {
  const operations: Operation[] = [];
  const faults: Fault[] = [];
  let count = 0;
  const visit = async (each: Omit<Nested, 'ref' | 'field'>, ref: string | undefined, depth: number): Promise<void> => {
    const found: Nested[] = [];
    const sent = await cache.use(tx, accountId, each.collection, async (collection) =>
      mapReferences(collection, each.values, (value, field, at) => {
        if (!isGroup(value) || !isGroup(value.new)) return value;
        const pointer = at.replace('/values', each.pointer);
        for (const name of Object.keys(value).filter((member) => member !== 'new' && member !== 'collection')) {
          const detail = `"${name.slice(0, 100)}" is not known here. Write {"new": {…values}, "collection": …}.`;
          faults.push({ pointer: `${pointer}/${escapePointer(name)}`, code: 'unknown_property', detail });
        }
        const allowed = field.collectionIds ?? [];
        const target = value.collection ?? (allowed.length === 1 ? allowed[0] : undefined);
        if (typeof target !== 'string') {
          const detail = `"${field.label}" references several collections. Name one in "collection".`;
          faults.push({ pointer: `${pointer}/collection`, code: 'required', detail });
          return value;
        }
        const name = `nested-${++count}`;
        found.push({ values: value.new, collection: target, field, pointer: `${pointer}/new`, ref: name });
        return `@${name}`;
      }),
    );
    if (found.length > 0 && depth === LIMITS.nestedDepth) {
      const detail = `New entries can be nested ${LIMITS.nestedDepth} deep. Create this one first.`;
      faults.push({ pointer: found[0]?.pointer ?? '', code: 'too_deep', detail });
    } else if (count > LIMITS.nestedEntries) {
      const detail = `An entry can be created with at most ${LIMITS.nestedEntries} others.`;
      faults.push({ pointer: each.pointer, code: 'too_many', detail });
    } else {
      const ids = await idsByKey(
        tx,
        accountId,
        found.map(({ collection }) => collection),
      );
      for (const { ref: name, field, ...nested } of found) {
        const collection = ids.get(nested.collection) ?? nested.collection;
        if (field.collectionIds?.includes(collection)) await visit({ ...nested, collection }, name, depth + 1);
        else {
          const detail = `"${field.label}" references no entries of "${nested.collection.slice(0, 100)}".`;
          const pointer = nested.pointer.replace(/new$/, 'collection');
          faults.push({ pointer, code: 'reference_not_allowed', detail });
        }
      }
    }
    const pointer = each.pointer.replace(/\/(?:values|new)$/, '');
    const operation = { op: 'create' as const, collection: each.collection, values: sent, pointer };
    operations.push({ ...operation, valuesPointer: each.pointer, ...(ref !== undefined && { ref }) });
  };
  await visit({ values, collection: collectionId, pointer: '/values' }, undefined, 0);
  if (faults.length > 0) throw invalid(faults);
  return operations;
}
