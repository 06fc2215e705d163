import type { Permission } from '../../accounts/index.ts';
import { escapePointer, type Fault } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { SchemaView } from '../collections/collection.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { collectionIdsOf } from '../collections/collection-keys.ts';
import { canonicalLocale } from '../locales/check-locales.ts';
import { unknownLocale } from '../locales/locale-view.ts';
import { getLocales } from '../locales/queries.ts';
import { WhereParser } from '../query/parse-where.ts';
import { namesField } from './collection-access.ts';

/** Checks the permissions of a role against the collections of its account, and names these by their IDs. Adds every fault. */
export async function resolvePermissions(
  tx: Tx,
  schema: SchemaView,
  accountId: string,
  sent: readonly Permission[],
  faults: Fault[],
): Promise<Permission[]> {
  const resolved: Permission[] = [];
  const checked = await checkLocales(tx, accountId, sent, faults);
  for (const [i, permission] of checked.entries()) {
    const pointer = `/permissions/${i}`;
    const fault = (member: string, code: string, detail: string) =>
      faults.push({ pointer: `${pointer}/${member}`, code, detail });
    if (permission.fields && permission.exceptFields) {
      fault('exceptFields', 'fields_conflict', 'Name the fields in `fields` or in `exceptFields`, not in both.');
    }
    if (permission.collection === '*') {
      for (const name of ['fields', 'exceptFields', 'where'] as const) {
        if (permission[name] === undefined) continue;
        const detail = `Collections have different fields, so a permission for all of them has no ${name}. Name a collection.`;
        fault(name, 'collection_required', detail);
      }
      resolved.push(permission);
      continue;
    }
    const ids = await collectionIdsOf(tx, accountId, [permission.collection]);
    const [collection] = await schema.loadCurrent(tx, accountId, ids, true);
    if (!collection) {
      fault('collection', 'collection_unknown', `There is no collection "${permission.collection}".`);
      resolved.push(permission);
      continue;
    }
    checkFields(collection, permission, pointer, faults);
    resolved.push({ ...permission, collection: publicId('col', collection.id) });
  }
  checkTogether(resolved, faults);
  for (const [i, permission] of resolved.entries()) {
    await checkCondition(tx, schema, accountId, resolved, permission, `/permissions/${i}/where`, faults);
  }
  return resolved;
}

/** The permissions with their locales as the account writes them. */
async function checkLocales(
  tx: Tx,
  accountId: string,
  sent: readonly Permission[],
  faults: Fault[],
): Promise<Permission[]> {
  if (!sent.some(({ locales }) => locales)) return [...sent];
  const known = (await getLocales(tx, accountId)).locales.map(({ locale }) => locale);
  return sent.map((permission, i) => {
    const { locales } = permission;
    if (!locales) return permission;
    const canonical = locales.map((locale) => canonicalLocale(locale) ?? locale);
    for (const [j, locale] of canonical.entries()) {
      if (known.includes(locale)) continue;
      faults.push(unknownLocale(locale, `/permissions/${i}/locales/${j}`));
    }
    return { ...permission, locales: canonical };
  });
}

function checkFields({ byId }: Collection, permission: Permission, pointer: string, faults: Fault[]): void {
  for (const name of ['fields', 'exceptFields'] as const) {
    for (const [i, id] of permission[name]?.entries() ?? []) {
      const field = byId.get(id);
      if (field && field.translationOf === undefined) continue;
      const detail = `The collection has no field with the ID "${id}".`;
      faults.push({ pointer: `${pointer}/${name}/${i}`, code: 'field_unknown', detail });
    }
  }
}

/** Which permission applies is never a question, and whoever writes also reads. */
function checkTogether(all: readonly Permission[], faults: Fault[]): void {
  const seen = new Set<string>();
  for (const [i, { collection, actions }] of all.entries()) {
    for (const action of actions) {
      const name = `${collection} ${action}`;
      const detail = `Another permission already says who may ${action} entries of this collection. Merge the two.`;
      if (seen.has(name)) faults.push({ pointer: `/permissions/${i}/actions`, code: 'permission_repeated', detail });
      seen.add(name);
    }
  }
  const reads = (collection: string) =>
    all.some((each) => each.actions.includes('read') && (each.collection === collection || each.collection === '*'));
  for (const [i, { collection, actions }] of all.entries()) {
    if (actions.includes('read') || reads(collection)) continue;
    const detail = 'Whoever changes entries of a collection sees them: add the action read.';
    faults.push({ pointer: `/permissions/${i}/actions`, code: 'read_required', detail });
  }
}

async function checkCondition(
  tx: Tx,
  schema: SchemaView,
  accountId: string,
  all: readonly Permission[],
  { collection: id, where }: Permission,
  pointer: string,
  faults: Fault[],
): Promise<void> {
  if (!where || id === '*') return;
  const [collection] = await schema.loadCurrent(tx, accountId, [id], false);
  if (!collection) return;
  const load = (ids: readonly string[]) => schema.loadCurrent(tx, accountId, ids, false);
  const reader = { isPublic: false, currentUser: { id: '', email: null }, load };
  await new WhereParser(reader, faults).parse(collection, where, pointer);
  const read =
    all.find((each) => each.collection === id && each.actions.includes('read')) ??
    all.find((each) => each.collection === '*' && each.actions.includes('read'));
  for (const [name, at] of pathsIn(where, pointer)) {
    const field = collection.byId.get(name);
    if (!field || !isActive(field) || !read || !namesField(read, collection, field)) continue;
    const detail = `The role may not read "${name}", so its conditions cannot be about it.`;
    faults.push({ pointer: at, code: 'condition_unreadable', detail });
  }
}

/** The fields of the collection that conditions name, and where. */
function pathsIn(where: unknown, pointer: string): [field: string, pointer: string][] {
  if (typeof where !== 'object' || where === null) return [];
  return Object.entries(where).flatMap(([name, value]): [string, string][] => {
    const at = `${pointer}/${escapePointer(name)}`;
    if ((name === 'and' || name === 'or') && Array.isArray(value)) {
      return value.flatMap((each, i) => pathsIn(each, `${at}/${i}`));
    }
    if (name === 'not') return pathsIn(value, at);
    const [first = '', second] = name.split('.');
    return [[first === 'values' && second !== undefined ? second : first, at]];
  });
}
