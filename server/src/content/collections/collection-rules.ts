import type { Fault } from '../../shared/errors.ts';
import { newUuid, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { DefaultSort } from '../contract.ts';
import { LIMITS } from '../limits.ts';
import { allocateBits } from '../listing/filter-bitmap.ts';
import { NOT_SORTABLE } from '../query/parse-sort.ts';
import { type CollectionSettings, isSortable } from './collection.ts';
import { everyField, type Field, isActive } from './field.ts';
import { UNASSIGNED } from './merge-fields.ts';
import { nextFieldKeys } from './queries.ts';

export interface References {
  displayFieldId: string | null;
  defaultSort: DefaultSort | null;
}

/**
 * The display field and the default sort after a request. What the request sends must name an active field, for the sort
 * a sortable one; what was set before is cleared if its field is deleted.
 */
export function resolveReferences(
  fields: readonly Field[],
  sent: { displayFieldId?: string | null; defaultSort?: DefaultSort | null },
  before: References,
  faults: Fault[],
): References {
  const active = new Map(fields.filter(isActive).map((field) => [field.id, field]));
  const { displayFieldId = before.displayFieldId, defaultSort = before.defaultSort } = sent;
  const checkExists = (pointer: string, id: string) => {
    const field = active.get(id);
    const detail = `There is no active field with the ID "${id}".`;
    if (!field) faults.push({ pointer, code: 'field_unknown', detail });
    return field;
  };
  if (sent.displayFieldId != null) checkExists('/displayFieldId', sent.displayFieldId);
  if (sent.defaultSort != null) {
    const pointer = '/defaultSort/fieldId';
    const field = checkExists(pointer, sent.defaultSort.fieldId);
    if (field && !isSortable(field)) {
      const detail = `Entries cannot be sorted by "${field.label}". ${NOT_SORTABLE}`;
      faults.push({ pointer, code: 'field_not_sortable', detail });
    }
  }
  return {
    displayFieldId: displayFieldId !== null && active.has(displayFieldId) ? displayFieldId : null,
    defaultSort: defaultSort !== null && active.has(defaultSort.fieldId) ? defaultSort : null,
  };
}

export function checkFieldsSize(fields: readonly Field[], faults: Fault[]): void {
  if (Buffer.byteLength(JSON.stringify(fields)) <= LIMITS.fieldsBytes) return;
  const detail = `The fields of a collection, including deleted ones, must be at most ${LIMITS.fieldsBytes} bytes of JSON.`;
  faults.push({ pointer: '/fields', code: 'too_large', detail });
}

/** Only what is published can be public. */
export function checkPublic(publishing: boolean, isPublic: boolean, faults: Fault[]): void {
  if (publishing || !isPublic) return;
  const detail = 'Only a collection with publishing can be public, as everyone can read what is published.';
  faults.push({ pointer: '/public', code: 'publishing_disabled', detail });
}

export const newFieldId = () => publicId('fld', newUuid());

/** Gives new fields their keys and their bits of the filter bitmap, and all fields of a collection with drafts second keys. */
export async function assignFieldKeys(tx: Tx, fields: readonly Field[], publishing: boolean): Promise<void> {
  for (const field of fields.filter(({ key }) => key === UNASSIGNED)) {
    // A translation leaves the bits to the fields that every entry has.
    const filterBits = field.locale === undefined ? allocateBits(field, fields) : undefined;
    if (filterBits) field.filterBits = filterBits;
  }
  const all = everyField(fields);
  const unassigned = all.filter(({ key }) => key === UNASSIGNED);
  const unpublished = publishing ? all.filter(({ publishedKey }) => publishedKey === undefined) : [];
  const count = unassigned.length + unpublished.length;
  if (count === 0) return;
  const keys = (await nextFieldKeys(tx, { count })).map(({ key }) => key);
  for (const field of unassigned) field.key = keys.pop() ?? UNASSIGNED;
  for (const field of unpublished) field.publishedKey = keys.pop() ?? UNASSIGNED;
}

/** Gives new tuples of fields that are unique together the numbers under which their values are claimed, as drafts and published. */
export async function assignTupleKeys(tx: Tx, settings: CollectionSettings | null): Promise<void> {
  const unassigned = settings?.uniqueTogether?.filter(({ key }) => key === UNASSIGNED) ?? [];
  if (unassigned.length === 0) return;
  const keys = (await nextFieldKeys(tx, { count: 2 * unassigned.length })).map(({ key }) => key);
  for (const tuple of unassigned) {
    tuple.key = keys.pop() ?? UNASSIGNED;
    tuple.publishedKey = keys.pop() ?? UNASSIGNED;
  }
}
