import { type Fault, invalid } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import type { Collection } from '../collections/collection.ts';
import { fieldsOfRow, isActive, type NestedField } from '../collections/field.ts';
import type { Values } from '../entries/check-values.ts';
import { typeOf } from '../field-types/index.ts';
import { LIMITS } from '../limits.ts';

/** What to expand, by field ID: `author,related.cover` is `{author: {}, related: {cover: {}}}`. A group contains its fields. */
export type ExpandTree = Map<string, ExpandTree>;

/** @throws ApiError 400 `too_many` */
export function parseExpand(text: string | undefined): ExpandTree | undefined {
  if (text === undefined) return undefined;
  const paths = text.split(',').filter((path) => path.trim() !== '');
  if (paths.length === 0) return undefined;
  if (paths.length > LIMITS.expandPaths) {
    const detail = `The parameter expand takes at most ${LIMITS.expandPaths} paths.`;
    throw invalid([{ pointer: '?expand', code: 'too_many', detail }]);
  }
  const tree: ExpandTree = new Map();
  for (const path of paths) {
    let node = tree;
    for (const name of path.trim().split('.')) {
      const child = node.get(name) ?? new Map();
      node.set(name, child);
      node = child;
    }
  }
  return tree;
}

/** What is needed of entries that texts link to. */
const LINKED: ExpandTree = new Map();

/** The collections that can be read, of those with these public IDs, as they are read. */
export type LoadTargets = (ids: readonly string[]) => Promise<Collection[]>;

interface Owner {
  fields: readonly NestedField[];
}

/** The blocks of a field, as steps of a path: `blocks.hero.author`. */
const asOwners = ({ blocks = [] }: NestedField) => blocks.filter(isActive).map(({ id, fields }) => ({ id, fields }));

/** @param depth of its references, which is the same in its groups */
type OwnerAt = Owner & { blocks?: { id: string; fields: readonly NestedField[] }[]; depth: number };

/**
 * Checks that every path names references, in at least one of the collections it leads to.
 * @throws ApiError 400 `expand_invalid`
 */
export async function checkExpand(collection: Collection, tree: ExpandTree, load: LoadTargets): Promise<void> {
  const faults: Fault[] = [];
  const check = async (owners: readonly OwnerAt[], node: ExpandTree, path: string): Promise<void> => {
    for (const [name, children] of node) {
      const at = path === '' ? name : `${path}.${name}`;
      const next: OwnerAt[] = [];
      const targets = new Map<number, string[]>();
      for (const { fields, blocks = [], depth } of owners) {
        const block = blocks.find(({ id }) => id === name);
        if (block) next.push({ fields: block.fields, depth });
        const field = fields.find(({ id }) => id === name);
        if (field === undefined || !isActive(field)) continue;
        if (field.blocks) next.push({ fields: [], blocks: asOwners(field), depth });
        else if (field.fields) next.push({ fields: field.fields, depth });
        else if (typeOf(field).structure === 'reference') {
          targets.set(depth, [...(targets.get(depth) ?? []), ...(field.collectionIds ?? [])]);
        }
      }
      if (targets.size === 0 && (next.length === 0 || children.size === 0)) {
        const detail = `The path "${at.slice(0, LIMITS.labelLength)}" does not lead to a reference.`;
        faults.push({ pointer: '?expand', code: 'expand_invalid', detail });
      } else if (children.size > 0 && targets.has(LIMITS.expandDepth)) {
        const detail = `References are expanded to a depth of at most ${LIMITS.expandDepth}.`;
        faults.push({ pointer: '?expand', code: 'expand_too_deep', detail });
      } else if (children.size > 0) {
        for (const [depth, ids] of targets) {
          for (const { fields } of await load([...new Set(ids)])) next.push({ fields, depth: depth + 1 });
        }
        await check(next, children, at);
      }
    }
  };
  await check([{ fields: collection.fields, depth: 1 }], tree, '');
  if (faults.length > 0) throw invalid(faults);
}

/**
 * The UUIDs of the collections that reading references depends on, and of those that are expanded the same of theirs. The tree
 * may be unchecked: it is followed to the depth that can be expanded, and collections that share a path are visited together.
 */
export async function findDependencies(
  collection: Collection,
  tree: ExpandTree | undefined,
  load: LoadTargets,
): Promise<string[]> {
  const all = new Set<string>();
  const visit = async (owners: readonly Owner[], node: ExpandTree | undefined, depth: number): Promise<void> => {
    const targets = new Map<ExpandTree, Set<string>>();
    const collect = ({ fields }: Owner, parent: ExpandTree | undefined): void => {
      for (const field of fields.filter(isActive)) {
        const children = parent?.get(field.id);
        for (const { id, fields } of asOwners(field)) collect({ fields }, children?.get(id));
        if (field.fields) collect({ fields: field.fields }, children);
        for (const id of field.collectionIds ?? []) {
          all.add(parseId('col', id) ?? '');
          // The URL of a linked entry may contain the slug of one that it references.
          if (field.format === 'richtext') targets.set(LINKED, (targets.get(LINKED) ?? new Set()).add(id));
          if (children) targets.set(children, (targets.get(children) ?? new Set()).add(id));
        }
      }
    };
    for (const owner of owners) collect(owner, node);
    if (depth === LIMITS.expandDepth) return;
    for (const [children, ids] of targets) await visit(await load([...ids]), children, depth + 1);
  };
  await visit([collection], tree, 0);
  return [...all];
}

/**
 * Replaces every reference in values by what `map` returns, and removes those it returns undefined for.
 * @param map receives the ID of the entry, and what to expand of it; undefined: nothing, not even the entry
 */
export function mapReferences(
  fields: Owner['fields'],
  values: Values,
  tree: ExpandTree | undefined,
  map: (id: string, children: ExpandTree | undefined) => unknown,
): void {
  for (const field of fields) {
    if (!isActive(field) || !Object.hasOwn(values, field.id)) continue;
    const { structure } = typeOf(field);
    const children = tree?.get(field.id);
    const value = values[field.id];
    if (structure === 'fields') {
      for (const row of [value].flat() as Values[]) {
        const within = field.blocks ? children?.get(String(row._block)) : children;
        mapReferences(fieldsOfRow(field, row), row, within, map);
      }
    } else if (structure === 'reference') {
      const mapped = Array.isArray(value)
        ? value.map((id) => map(id, children)).filter((each) => each !== undefined)
        : map(value as string, children);
      if (mapped === undefined) delete values[field.id];
      else values[field.id] = mapped;
    }
  }
}
