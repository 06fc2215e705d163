import type { Action, Permission } from '../users/rights.ts';
import { ALL_COLLECTIONS } from './labels.ts';

/** A line of the grid: a permission, or a collection without one. */
export interface GridRow {
  collection: string;
  name: string;
  /** Of the permission, in the list. */
  index: number | undefined;
  /** The second permission of a collection, and so on: with limits of its own for other actions. */
  isFurther: boolean;
}

/** All collections, then each one, then what permissions name that does not exist any more. */
export function rowsOf(
  collections: readonly { id: string; name: string }[],
  permissions: readonly Permission[],
  nameOfAll: string,
): GridRow[] {
  const known = [{ id: ALL_COLLECTIONS, name: nameOfAll }, ...collections];
  const lost = permissions.filter(({ collection }) => !known.some(({ id }) => id === collection));
  const names = new Map(
    [...known, ...lost.map(({ collection: id }) => ({ id, name: id }))].map((each) => [each.id, each.name]),
  );
  return [...names].flatMap(([collection, name]): GridRow[] => {
    const found = permissions.flatMap((each, index) => (each.collection === collection ? [index] : []));
    if (found.length === 0) return [{ collection, name, index: undefined, isFurther: false }];
    return found.map((index, i) => ({ collection, name, index, isFurther: i > 0 }));
  });
}

/** Whether a permission is for an action of a row; `all`: that of all collections is. */
export function stateOf(permissions: readonly Permission[], { collection, index }: GridRow, action: Action) {
  if (index !== undefined && permissions[index]?.actions.includes(action)) return 'own';
  const has = (name: string) => permissions.some((each) => each.collection === name && each.actions.includes(action));
  return collection !== ALL_COLLECTIONS && !has(collection) && has(ALL_COLLECTIONS) ? 'all' : 'none';
}

const without = (permission: Permission, action: Action): Permission => ({
  ...permission,
  actions: permission.actions.filter((each) => each !== action),
});

export const hasLimits = ({ fields, exceptFields, where, locales }: Permission) =>
  [fields, exceptFields, where, locales].some((each) => each !== undefined);

/** Gives an action to a row, or takes it away. Whoever changes entries also reads them, and one permission counts for each action. */
export function toggle(permissions: readonly Permission[], row: GridRow, action: Action): Permission[] {
  const { collection, index } = row;
  if (stateOf(permissions, row, action) === 'own') {
    return permissions.flatMap((each, i) => {
      if (i !== index) return each;
      const rest = without(each, action);
      return rest.actions.length > 0 || hasLimits(rest) ? rest : [];
    });
  }
  const others = permissions.map((each, i) =>
    each.collection === collection && i !== index ? without(each, action) : each,
  );
  const canRead = action === 'read' || others.some((each) => isFor(each, collection) && each.actions.includes('read'));
  const added: Action[] = canRead ? [action] : ['read', action];
  if (index === undefined) return [...others, { collection, actions: added }];
  return others.map((each, i) => (i === index ? { ...each, actions: [...each.actions, ...added] } : each));
}

const isFor = (permission: Permission, collection: string) =>
  permission.collection === collection || permission.collection === ALL_COLLECTIONS;

/** What is sent: permissions without an action are left out. */
export const sentPermissions = (permissions: readonly Permission[]) =>
  permissions.filter(({ actions }) => actions.length > 0);

/** Where the response names the faults of a permission. */
export const pointerOf = (permissions: readonly Permission[], index: number) =>
  `/permissions/${sentPermissions(permissions.slice(0, index)).length}`;
