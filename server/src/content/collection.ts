import { publicId } from '../shared/ids.ts';
import { isoTime } from '../shared/time.ts';
import type { Collection as CollectionAnswer, DefaultSort, FieldType } from './contract.ts';
import type { CollectionRow } from './queries.ts';
import type { Slot } from './signature.ts';

export type Status = 'active' | 'deleted';

export interface Option {
  value: string;
  label: string;
  status: Status;
}

/** A field of a group, as it is stored. */
export interface NestedField {
  id: string;
  label: string;
  type: FieldType;
  required: boolean;
  status: Status;
  options: Option[] | null;
  /** Its number in the index, which it alone ever has. */
  key: number;
}

/** A field of a collection, as it is stored. */
export interface Field extends NestedField {
  repeated: boolean;
  fields: NestedField[] | null;
  /** Its bits of an entry's signature. */
  slot?: Slot;
  /** Entries older than the field may lack their row in the index; a worker is writing them. */
  pending?: true;
}

/** A collection as a process remembers it: the row, and what is asked of its fields again and again. */
export interface Collection {
  row: CollectionRow;
  id: string;
  publicId: string;
  version: number;
  fields: Field[];
  byId: ReadonlyMap<string, Field>;
  /** Whether the values of its entries are answered otherwise than they are stored: without deleted fields, or with assets. */
  rewritten: boolean;
  hasAssets: boolean;
  hasDeletedFields: boolean;
}

export function collectionOf(row: CollectionRow): Collection {
  const everyField = [...row.fields, ...row.fields.flatMap((field) => field.fields ?? [])];
  const hasAssets = everyField.some((field) => field.type === 'asset');
  const hasDeletedFields = everyField.some((field) => field.status === 'deleted');
  return {
    row,
    id: row.id,
    publicId: publicId('col', row.id),
    version: row.version,
    fields: row.fields,
    byId: new Map(row.fields.map((field) => [field.id, field])),
    rewritten: hasAssets || hasDeletedFields,
    hasAssets,
    hasDeletedFields,
  };
}

export function isActive(thing: { status: Status }): boolean {
  return thing.status === 'active';
}

/** Whether entries can be sorted by the field: it has one value, and the value an order. */
export function isSortable(field: Field): boolean {
  return !field.repeated && field.type !== 'group' && field.type !== 'asset';
}

export function collectionAnswer(row: CollectionRow): CollectionAnswer {
  return {
    id: publicId('col', row.id),
    name: row.name,
    description: row.description,
    fields: row.fields.map((field) => ({
      ...nestedAnswer(field),
      repeated: field.repeated,
      fields: field.fields?.map(nestedAnswer) ?? null,
    })),
    displayFieldId: row.display_field_id,
    defaultSort: row.default_sort as DefaultSort | null,
    status: row.status,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}

function nestedAnswer({ id, label, type, required, status, options }: NestedField) {
  return { id, label, type, required, status, options };
}
