import type { Collection } from '../collections/collection.ts';
import type { Values } from '../entries/check-values.ts';
import { PARENT, POSITION } from './system-fields.ts';

/** The members of an entry that its serialized values contain, and the values without them. */
export function liftOrder({ row }: Collection, values: Values): { values: Values; members: OrderMembers } {
  if (!row.settings?.ordering) return { values, members: {} };
  const { [POSITION]: position = null, [PARENT]: parentId = null, ...rest } = values;
  const members = {
    position: position as string | null,
    ...(row.settings.tree && { parentId: parentId as string | null }),
  };
  return { values: rest, members };
}

interface OrderMembers {
  position?: string | null;
  parentId?: string | null;
}

/** Serialized values as the JSON text that follows `"values":` in an entry, with the members that they contain behind it. */
export function valuesText(collection: Collection, serialized: Values): string {
  const { values, members } = liftOrder(collection, serialized);
  const more = Object.entries(members).map(([name, member]) => `,"${name}":${JSON.stringify(member)}`);
  return JSON.stringify(values) + more.join('');
}
