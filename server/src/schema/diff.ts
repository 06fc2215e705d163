import { isDeepStrictEqual } from 'node:util';
import type { Schema, SchemaChange } from './contract.ts';

/** A change, and where it is: its section and then IDs, as in the losses of content. */
export type PlacedChange = SchemaChange & { at: readonly string[] };

type Definition = Record<string, unknown>;
type Type = SchemaChange['type'];

/** What is different between two schemas, from the outside in. What has the same ID is the same, whatever its name. */
export function diffSchemas(before: Schema, after: Schema): PlacedChange[] {
  const changes: PlacedChange[] = [];
  const nameIn = (schema: Schema) => new Map(schema.collections.map(({ id, key }) => [key ?? '', id ?? '']));
  const context = { changes, before: nameIn(before), after: nameIn(after) };
  if (!isDeepStrictEqual(before.locales, after.locales)) {
    const members = differences({ ...before.locales }, { ...after.locales }, context);
    changes.push(change(['locales'], 'update', 'locales', 'locales', 'locales', 'Locales', members));
  }
  diffList(['components'], '', 'component', before.components, after.components, context);
  diffList(['collections'], '', 'collection', before.collections, after.collections, context);
  diffList(['roles'], '', 'role', before.roles, after.roles, context);
  diffList(['webhooks'], '', 'webhook', before.webhooks, after.webhooks, context);
  return changes;
}

interface Context {
  changes: PlacedChange[];
  /** IDs of collections by key, before and after: a reference that names one by its new key is the same. */
  before: ReadonlyMap<string, string>;
  after: ReadonlyMap<string, string>;
}

const NESTED: Record<string, Type> = { fields: 'field', blocks: 'block', options: 'option' };

function diffList(
  at: readonly string[],
  path: string,
  type: Type,
  before: readonly Definition[],
  after: readonly Definition[],
  context: Context,
): void {
  const old = new Map(before.map((each) => [idOf(each), each]));
  const current = new Map(after.map((each) => [idOf(each), each]));
  const isTop = path === '';
  for (const each of after) {
    const id = idOf(each);
    const known = old.get(id);
    const where = pathOf(path, each, type);
    if (!known) context.changes.push(change([...at, id], 'create', type, id, where, titleOf(each, type), []));
    else diffOne([...at, id], where, type, known, each, context);
  }
  for (const each of before) {
    const id = idOf(each);
    if (current.has(id)) continue;
    const where = pathOf(path, each, type);
    context.changes.push(change([...at, id], 'delete', type, id, where, titleOf(each, type), []));
  }
  if (isTop) return;
  const kept = (list: readonly Definition[], others: ReadonlyMap<string, Definition>) =>
    list.map(idOf).filter((id) => others.has(id));
  const [was, is] = [kept(before, current), kept(after, old)];
  if (isDeepStrictEqual(was, is)) return;
  const parent = context.changes.find((each) => isDeepStrictEqual(each.at, at));
  const member = { member: `order of ${type}s`, before: was, after: is };
  if (parent) parent.members.push(member);
  else {
    const [owner = '', id = owner] = [at[0], at.at(-1)];
    const ownerType = at.length === 2 ? (owner.slice(0, -1) as Type) : 'field';
    context.changes.push(change(at, 'update', ownerType, id, path, path, [member]));
  }
}

function diffOne(
  at: readonly string[],
  path: string,
  type: Type,
  before: Definition,
  after: Definition,
  context: Context,
): void {
  const members = differences(before, after, context);
  const title = titleOf(after, type);
  if (members.length > 0) context.changes.push(change(at, 'update', type, idOf(after), path, title, members));
  for (const [name, nested] of Object.entries(NESTED)) {
    const [old, current] = [before[name], after[name]].map((list) => (list ?? []) as Definition[]);
    if (old && current) diffList(at, path, nested, old, current, context);
  }
}

function differences(before: Definition, after: Definition, { before: was, after: is }: Context) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((member) => {
    if (
      member in NESTED &&
      (Array.isArray(before[member]) || Array.isArray(after[member])) &&
      !isScalars(after[member] ?? before[member])
    )
      return [];
    const [old, current] = [before[member], after[member]];
    if (isDeepStrictEqual(old, current)) return [];
    if (member === 'collectionIds' && isDeepStrictEqual(idsOf(old, was), idsOf(current, is))) return [];
    return [{ member, ...(old !== undefined && { before: old }), ...(current !== undefined && { after: current }) }];
  });
}

/** The fields of a webhook are names. */
const isScalars = (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string');
const idsOf = (names: unknown, ids: ReadonlyMap<string, string>) =>
  Array.isArray(names) ? names.map((name) => ids.get(name) ?? name) : names;

const idOf = ({ id, value }: Definition) => String(id ?? value ?? '');
const titleOf = ({ name, label, url, value }: Definition, type: Type) =>
  String((type === 'webhook' ? url : (name ?? label)) ?? value ?? '');
const pathOf = (path: string, definition: Definition, type: Type) => {
  const name = type === 'webhook' ? definition.url : (definition.key ?? definition.id ?? definition.value);
  return path === '' ? String(name) : `${path}.${name}`;
};

const VERBS = { create: 'Creates', update: 'Changes', delete: 'Deletes' };

function change(
  at: readonly string[],
  action: SchemaChange['action'],
  type: Type,
  id: string,
  path: string,
  name: string,
  members: SchemaChange['members'],
): PlacedChange {
  const of = members.length > 0 ? ` (${members.map(({ member }) => member).join(', ')})` : '';
  const what = type === 'locales' ? 'the locales' : `the ${type} "${name}"`;
  const description = `${VERBS[action]} ${what}${path === name || type === 'locales' ? '' : `, ${path}`}${of}`;
  return { at, action, type, id, path, name, members, losesData: false, entries: 0, description };
}
