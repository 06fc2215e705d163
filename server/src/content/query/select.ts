import type { Fault } from '../../shared/errors.ts';
import { nearestName } from '../../shared/nearest-name.ts';
import type { Collection } from '../collections/collection.ts';
import { fieldsOfRow, isActive, type NestedField } from '../collections/field.ts';
import type { Values } from '../entries/check-values.ts';
import { typeOf } from '../field-types/index.ts';
import { LIMITS } from '../limits.ts';
import { PARENT, POSITION } from '../ordering/system-fields.ts';
import type { Reader } from './parse-where.ts';
import { findPlace, type Owner, ownerOf } from './paths.ts';

/** Which values are returned, by field ID; `true`: all of a value. */
type Tree = Map<string, Tree | true>;

export interface Selection {
  /** Undefined: all that are not excluded. */
  included: Tree | undefined;
  excluded: Tree;
}

/** Parses `title,author.name,-body`. @returns undefined for everything */
export async function parseSelect(
  collection: Collection,
  select: string | undefined,
  faults: Fault[],
  reader: Reader,
): Promise<Selection | undefined> {
  const parts = (select ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  if (parts.length === 0) return undefined;
  if (parts.length > LIMITS.fields) {
    faults.push({ pointer: '?select', code: 'too_many', detail: `A selection has at most ${LIMITS.fields} paths.` });
    return undefined;
  }
  const [included, excluded]: Tree[] = [new Map(), new Map()];
  for (const part of parts) {
    const isExcluded = part.startsWith('-');
    const path = part.slice(isExcluded ? 1 : 0).split('.');
    const own = path[0] === 'values' && path.length > 1 && !collection.byId.has('values') ? path.slice(1) : path;
    const unknown = await unknownName(ownerOf(collection, reader.isPublic), own, reader, 0);
    if (unknown) {
      const near = nearestName(unknown.name, unknown.known);
      const detail = `There is no active field with the ID "${unknown.name.slice(0, 100)}".${near ? ` Perhaps you meant "${near}".` : ''}`;
      faults.push({ pointer: '?select', code: 'field_unknown', detail });
    } else add(isExcluded ? (excluded as Tree) : (included as Tree), own);
  }
  return { included: parts.some((part) => !part.startsWith('-')) ? included : undefined, excluded: excluded as Tree };
}

function add(tree: Tree, [name = '', ...rest]: readonly string[]): void {
  if (rest.length === 0) tree.set(name, true);
  else {
    const known = tree.get(name);
    if (known === true) return;
    const within: Tree = known ?? new Map();
    tree.set(name, within);
    add(within, rest);
  }
}

async function unknownName(
  owner: Owner,
  path: readonly string[],
  reader: Reader,
  references: number,
): Promise<{ name: string; known: readonly string[] } | undefined> {
  const place = findPlace(owner, path);
  if (place.kind === 'unknown') return place;
  if (place.kind !== 'reference') return undefined;
  let unknown: { name: string; known: readonly string[] } | undefined;
  if (references >= LIMITS.expandDepth) return { name: path.join('.'), known: [] };
  for (const view of await reader.load(place.field.collectionIds ?? [])) {
    const found = await unknownName(ownerOf(view, reader.isPublic), place.rest, reader, references + 1);
    if (!found) return undefined;
    unknown ??= found;
  }
  return unknown ?? { name: path.join('.'), known: [] };
}

/** Removes from values what is not selected. */
export function selectValues({ fields }: Collection, values: Values, { included, excluded }: Selection): Values {
  const kept = included ? { ...orderOf(values), ...keep(fields, values, included) } : values;
  return excluded.size > 0 ? without(kept, excluded) : kept;
}

/** The place of an entry, which is no value. */
function orderOf(values: Values): Values {
  return Object.fromEntries([POSITION, PARENT].flatMap((name) => (name in values ? [[name, values[name]]] : [])));
}

function keep(fields: readonly NestedField[] | undefined, values: Values, tree: Tree): Values {
  const kept: Values = {};
  for (const [name, value] of Object.entries(values)) {
    const within = tree.get(name);
    // The type and the ID of a row.
    if (name === '_block' || name === '_id') kept[name] = value;
    if (within === undefined) continue;
    const field = fields?.find(({ id }) => id === name);
    kept[name] = within === true ? value : mapWithin(value, (item) => keepWithin(field, item, within));
  }
  return kept;
}

function keepWithin(field: NestedField | undefined, item: Record<string, unknown>, tree: Tree): unknown {
  if (isEntry(field, item)) return { ...item, values: keep(undefined, item.values as Values, tree) };
  if (!field?.blocks) return keep(field && fieldsOfRow(field, item), item, tree);
  const within = tree.get(String(item._block));
  return within === true ? item : keep(fieldsOfRow(field, item), item, within ?? new Map());
}

function without(values: Values, tree: Tree): Values {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const within = tree.get(name);
      if (within === true) return [];
      if (within === undefined) return [[name, value]];
      return [[name, mapWithin(value, (item) => withoutWithin(item, within))]];
    }),
  );
}

function withoutWithin(item: Record<string, unknown>, tree: Tree): unknown {
  if (isEntry(undefined, item)) return { ...item, values: without(item.values as Values, tree) };
  const ofBlock = typeof item._block === 'string' ? tree.get(item._block) : undefined;
  if (ofBlock === true) return { _block: item._block, _id: item._id };
  return without(item, ofBlock ?? tree);
}

/** Whether this is a referenced entry in the place of its ID. */
const isEntry = (field: NestedField | undefined, item: Record<string, unknown>): boolean =>
  (field === undefined || typeOf(field).structure === 'reference' || !isActive(field)) &&
  typeof item.id === 'string' &&
  typeof item.values === 'object' &&
  item.values !== null;

function mapWithin(value: unknown, map: (item: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapWithin(item, map));
  return typeof value === 'object' && value !== null ? map(value as Record<string, unknown>) : value;
}
