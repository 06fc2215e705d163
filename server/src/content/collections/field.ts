import type { FieldType, Format } from '../field-types/names.ts';
import type { Validation } from '../field-types/validation.ts';
import type { Where } from '../field-types/where.ts';

export type Status = 'active' | 'deleted';

export interface Option {
  value: string;
  label: string;
  status: Status;
}

/** A kind of row of a field with blocks. */
export interface Block {
  id: string;
  label: string;
  status: Status;
  /** The component that its fields are those of. */
  componentId?: string;
  fields: NestedField[];
}

/** A field of a collection, of a group or of a block, as it is stored. */
export interface NestedField {
  id: string;
  label: string;
  type: FieldType;
  required: boolean;
  status: Status;
  options: Option[] | null;
  /** Absent in groups: `false`. */
  repeated?: boolean;
  /** Of a group: its fields; none of a field with blocks. */
  fields?: NestedField[] | null;
  /** Of a group: the component that its fields are those of. */
  componentId?: string;
  /** Of blocks: the kinds of rows. */
  blocks?: Block[];
  /** Of a repeated group: its rows have IDs, as rows of blocks do. */
  rowIds?: true;
  format?: Format;
  /** Of a slug: the field whose text it is derived from. */
  slugSource?: string;
  /** Of a reference: the collections of the entries. */
  collectionIds?: string[];
  /** Of a reference: whether the entries can be deleted. */
  onDelete?: 'refuse';
  helpText?: string;
  validation?: Validation;
  /** The value of new entries, groups and rows without one; a list if the field is repeated. */
  defaultValue?: unknown;
  /** Not part of what everyone can read. */
  private?: true;
  /** Of a decimal: how many digits after the point its values can have. */
  scale?: number;
  /** Of a text: the template that makes its value. */
  computed?: string;
  /** The condition under which it is required and checked. */
  visibleWhen?: Where;
  /** The field's number in the index, unique across all collections. */
  key: number;
  /** Its number in the index of published entries. */
  publishedKey?: number;
}

/** Bits of the filter bitmap. */
export interface BitRange {
  /** The lowest bit. */
  offset: number;
  width: number;
}

/** A field of a collection, as it is stored. */
export interface Field extends NestedField {
  repeated: boolean;
  fields: NestedField[] | null;
  /** No two entries have the same value. Not for repeated fields. */
  unique?: true;
  /** Its value differs by locale. The other locales have fields of their own, its translations. */
  localized?: true;
  /** The part of the form that shows it. */
  section?: string;
  /** Of a translation: the locale, and the ID of the localized field. Its own ID is `title@de`. */
  locale?: string;
  translationOf?: string;
  /** In the view of a locale: the fields that can have its value, the preferred one first. */
  sources?: readonly Field[];
  filterBits?: BitRange;
  /** Entries that are older than the field may lack their index row; a worker is writing them. */
  pending?: true;
  /** The same for published entries. */
  publishedPending?: true;
  /** In the view of a role: it cannot be read, or not in this locale, and is treated as deleted. */
  hidden?: 'field' | 'locale';
}

export function isActive(resource: { status: Status }): boolean {
  return resource.status === 'active';
}

const NONE: readonly NestedField[] = [];

/** The fields of a group, or of all blocks of a field. */
export function membersOf({ fields, blocks }: NestedField): readonly NestedField[] {
  return blocks ? blocks.flatMap((block) => block.fields) : (fields ?? NONE);
}

/** The fields of one value of a group: of a row of blocks, those of its block. */
export function fieldsOfRow(field: NestedField, row: unknown): readonly NestedField[] {
  return field.blocks ? (blockOf(field, row)?.fields ?? NONE) : (field.fields ?? NONE);
}

/** The block of a row. */
export function blockOf({ blocks }: NestedField, row: unknown): Block | undefined {
  const id = (row as { _block?: unknown } | null)?._block;
  return blocks?.find((block) => block.id === id);
}

/** All fields with those of their groups and blocks, each after the field that contains it. */
export function everyField(fields: readonly NestedField[]): NestedField[] {
  return fields.flatMap((field): NestedField[] => [field, ...everyField(membersOf(field))]);
}

/** Fields with a change to each of them, those of groups and blocks included. */
export function mapFields<Of extends NestedField>(fields: readonly Of[], change: (field: Of) => Of): Of[];
export function mapFields(fields: readonly NestedField[], change: (field: NestedField) => NestedField): NestedField[] {
  return fields.map((field) => {
    const { fields: nested, blocks } = field;
    const changed = change(field);
    if (blocks)
      return { ...changed, blocks: blocks.map((each) => ({ ...each, fields: mapFields(each.fields, change) })) };
    return nested && nested.length > 0 ? { ...changed, fields: mapFields(nested, change) } : changed;
  });
}

/** Whether rows of the field have IDs. */
export const hasRowIds = ({ blocks, rowIds }: NestedField): boolean => blocks !== undefined || rowIds === true;
