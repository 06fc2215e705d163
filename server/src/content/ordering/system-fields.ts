import type { CollectionSettings } from '../collections/collection-settings.ts';
import type { Field } from '../collections/field.ts';

// The position and the parent of entries are values of two fields that the definition of a collection does not show, so that
// they are indexed, published and kept in versions as others are. Their IDs cannot be those of other fields.

export const POSITION = '$position';
export const PARENT = '$parentId';
const DOLLAR = POSITION.charCodeAt(0);

/** By which name requests know them, if no field of the collection has it. */
export const SYSTEM_NAMES: ReadonlyMap<string, string> = new Map([
  ['position', POSITION],
  ['parentId', PARENT],
]);

/** No other field has an ID that starts so. */
export const isSystemField = ({ id }: { id: string }): boolean => id.charCodeAt(0) === DOLLAR;

/** Fields with those that the settings of their collection need; others are deleted, so that their values stay. */
export function withSystemFields(
  fields: readonly Field[],
  before: readonly Field[],
  settings: CollectionSettings | null,
  collectionId: string,
): Field[] {
  const needed = new Set([...(settings?.ordering ? [POSITION] : []), ...(settings?.tree ? [PARENT] : [])]);
  const system = [POSITION, PARENT].flatMap((id): Field[] => {
    const known = before.find((field) => field.id === id);
    if (!known && !needed.has(id)) return [];
    return [{ ...(known ?? newField(id, collectionId)), status: needed.has(id) ? 'active' : 'deleted' }];
  });
  return [...fields.filter((field) => !isSystemField(field)), ...system];
}

const newField = (id: string, collectionId: string): Field => ({
  id,
  label: id === POSITION ? 'Position' : 'Parent',
  type: 'text',
  format: id === POSITION ? 'position' : 'reference',
  ...(id === PARENT && { collectionIds: [collectionId] }),
  required: false,
  repeated: false,
  status: 'active',
  options: null,
  fields: null,
  key: 0,
});
