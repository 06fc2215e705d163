import type { Fault } from '../shared/errors.ts';
import { newUuid, publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { type Field, isActive, isSortable } from './collection.ts';
import { type DefaultSort, LIMITS } from './contract.ts';
import { UNNUMBERED, unnumbered } from './merge-fields.ts';
import { nextFieldKeys } from './queries.ts';
import { nextSlot } from './signature.ts';

export interface References {
  displayFieldId: string | null;
  defaultSort: DefaultSort | null;
}

/**
 * The display field and the default sort after a request: what it sends must name an active field, and one that sorts;
 * what was set before is cleared with its field.
 */
export function resolveReferences(
  fields: readonly Field[],
  sent: { displayFieldId?: string | null; defaultSort?: DefaultSort | null },
  before: References,
  faults: Fault[],
): References {
  const active = new Map(fields.filter(isActive).map((field) => [field.id, field]));
  const { displayFieldId = before.displayFieldId, defaultSort = before.defaultSort } = sent;
  const unknown = (pointer: string) =>
    faults.push({ pointer, code: 'field_unknown', detail: 'There is no such active field.' });

  if (sent.displayFieldId != null && !active.has(sent.displayFieldId)) unknown('/displayFieldId');
  if (sent.defaultSort != null) {
    const field = active.get(sent.defaultSort.fieldId);
    const pointer = '/defaultSort/fieldId';
    if (field === undefined) unknown(pointer);
    else if (!isSortable(field)) {
      faults.push({
        pointer,
        code: 'field_not_sortable',
        detail: 'A repeated field, a group or an asset does not sort.',
      });
    }
  }
  return {
    displayFieldId: displayFieldId !== null && active.has(displayFieldId) ? displayFieldId : null,
    defaultSort: defaultSort !== null && active.has(defaultSort.fieldId) ? defaultSort : null,
  };
}

export function checkSize(fields: readonly Field[], faults: Fault[]): void {
  if (Buffer.byteLength(JSON.stringify(fields)) <= LIMITS.fieldsBytes) return;
  const detail = `All fields of a collection, deleted ones included, are at most ${LIMITS.fieldsBytes} bytes of JSON.`;
  faults.push({ pointer: '/fields', code: 'too_large', detail });
}

export const newFieldId = () => publicId('fld', newUuid());

/** Gives new fields their numbers and their places in the signature. */
export async function numberFields(tx: Tx, fields: readonly Field[]): Promise<void> {
  for (const field of fields.filter(({ key }) => key === UNNUMBERED)) {
    const slot = nextSlot(field, fields);
    if (slot) field.slot = slot;
  }
  const fresh = unnumbered(fields);
  if (fresh.length === 0) return;
  const keys = await nextFieldKeys(tx, fresh.length);
  fresh.forEach((field, i) => {
    field.key = keys[i]?.key ?? 0;
  });
}
