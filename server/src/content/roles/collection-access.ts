import type { Action, Permission } from '../../accounts/index.ts';
import type { Collection, CollectionAccess } from '../collections/collection.ts';
import { type Field, isActive } from '../collections/field.ts';
import { baseOf } from '../locales/check-locales.ts';
import type { ShownIn } from '../locales/contract.ts';
import { isSystemField } from '../ordering/system-fields.ts';
import { and, type Where } from '../query/where.ts';

/** Which entries exist for an action of a role, or for everyone in a locale; undefined: all. */
export function conditionOf(
  { access, shownIn }: { access?: CollectionAccess | undefined; shownIn?: ShownIn | undefined },
  action: Action,
): Where | undefined {
  const own = access?.conditions[action] as Where | undefined;
  if (!shownIn || action !== 'read') return own;
  const shown: Where = { kind: 'shown', ...shownIn };
  return own ? and([own, shown]) : shown;
}

/** A collection with everything in it: what is written is checked and stored as a whole. */
export const wholeOf = (collection: Collection): Collection => collection.access?.whole ?? collection;

/** Whether a permission names a field: the field itself, and its locale. */
export function namesField(
  permission: Permission,
  { locales }: Collection,
  field: Field,
): 'field' | 'locale' | undefined {
  if (isSystemField(field)) return undefined;
  const id = field.translationOf ?? field.id;
  if (permission.fields && !permission.fields.includes(id)) return 'field';
  if (permission.exceptFields?.includes(id)) return 'field';
  const isLocalized = field.localized || field.locale !== undefined;
  if (!permission.locales || !isLocalized) return undefined;
  const locale = field.locale ?? (locales && baseOf(locales));
  return locale != null && permission.locales.includes(locale) ? undefined : 'locale';
}

/** Whether a role may set a field by an action: of what it does not read, it does not even know the name. */
export function mayWrite({ permissions, whole }: CollectionAccess, action: 'create' | 'update', field: Field): boolean {
  return [permissions[action], permissions.read].every(
    (permission) => permission !== undefined && namesField(permission, whole, field) === undefined,
  );
}

/** A whole entry with the values that a view has. */
export function narrowValues<Entry extends { values?: Record<string, unknown> }>(
  view: Collection,
  entry: Entry,
): Entry {
  if (!view.access || !entry.values) return entry;
  const shown = Object.entries(entry.values).filter(([id]) => {
    const field = view.byId.get(id);
    return field !== undefined && isActive(field);
  });
  return { ...entry, values: Object.fromEntries(shown) };
}
