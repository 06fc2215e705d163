import type { Block, NestedField } from '@headwater/sdk';
import type { AnyField } from '../field-types/definition.ts';
import { defaultsOf } from '../field-types/fields.ts';

/** A row of a field with blocks. */
export type Row = Record<string, unknown> & { _id: string; _block: string };

export const blocksOf = (field: AnyField): Block[] => field.blocks ?? [];

/** The service takes the ID that a row comes with. */
function newRowId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(15));
  return `row_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** A row with the values that its fields have by default, as far as these are not made by the service. */
export const newRow = ({ id, fields }: Block): Row => ({
  ...defaultsOf(fields),
  _block: id,
  _id: newRowId(),
});

/** A row with the same values, in which all rows have IDs of their own. */
export const copyOfRow = (field: AnyField, row: Row): Row => withNewIds(field, row) as Row;

function withNewIds(field: AnyField, row: Record<string, unknown>): Record<string, unknown> {
  const fields: NestedField[] = blocksOf(field).find(({ id }) => id === row._block)?.fields ?? field.fields ?? [];
  const copy: Record<string, unknown> = { ...row };
  if ('_id' in row) copy._id = newRowId();
  for (const nested of fields) {
    const value = row[nested.id];
    if (nested.type !== 'group' || value === undefined) continue;
    copy[nested.id] = Array.isArray(value)
      ? value.map((each) => withNewIds(nested, each))
      : withNewIds(nested, value as Row);
  }
  return copy;
}
