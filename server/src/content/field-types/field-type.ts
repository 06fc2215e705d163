import type { TSchema } from 'typebox';
import { hasMoreCharacters } from '../../shared/characters.ts';
import type { NestedField } from '../collections/field.ts';
import type { FieldType } from './names.ts';
import type { ValidationRule } from './validation.ts';
import type { Operator } from './where.ts';

export { OPERATORS, type Operator } from './where.ts';

export const EQUALITY_OPERATORS: readonly Operator[] = ['eq', 'ne', 'in', 'exists'];
export const RANGE_OPERATORS: readonly Operator[] = [...EQUALITY_OPERATORS, 'lt', 'lte', 'gt', 'gte'];

/** Why a text (a CSV cell, a filter operand) is not a value of the field's type. */
export class ValueFault {
  readonly code: string;
  readonly detail: string;

  constructor(code: string, detail: string) {
    this.code = code;
    this.detail = detail;
  }
}

/** How a CSV file writes what can be written in more than one way; null: not specified. */
export interface CsvFormats {
  decimal: '.' | ',' | null;
  dateOrder: 'dmy' | 'mdy' | null;
  timeZone: string | null;
}

/** An asset as it is stored: a reference, with what differs from the file; responses contain the whole asset. */
export interface AssetReference {
  assetId: string;
  alt?: string;
  title?: string;
  caption?: string;
  focalPoint?: { x: number; y: number };
}

/** One value of a request, while it is being checked. */
export interface ValueContext {
  field: NestedField;
  /** Whether the entry has the value already; of a repeated field, anywhere. */
  wasStored(value: unknown): boolean;
  /** The values that the entry has of the field, anywhere. */
  stored(): unknown[];
  /** Reports a fault of the value, or of its member `member`. */
  fault(code: string, detail: string, member?: string): undefined;
  /** Records that the value references an asset; the caller checks that it exists. */
  useAsset(reference: AssetReference): void;
  /** Records that the value references an entry; the caller checks that it exists. */
  useEntry(entryId: string): void;
  /** Checks the members of a group and returns them as they are stored; undefined after reporting that it is no row. */
  checkMembers(group: Record<string, unknown>): Record<string, unknown> | undefined;
}

/** The bits of a field in the filter bitmap of an entry; see `listing/filter-bitmap.ts`. */
export interface FilterBits {
  width: number;
  /** The bucket of a sort key, from 1 to 2^width - 1; bucket 0 means "no value". */
  bucketOf(sortKey: string): number;
  /** The buckets of all keys from `start` to `end`; undefined if they can be any. */
  bucketsBetween(start: string, end: string): number[] | undefined;
}

/** Where a setting of a field is merged. */
interface SettingContext {
  /** The field, without its other settings. */
  field: NestedField;
  isNew: boolean;
  isNested: boolean;
  fault(code: string, detail: string): void;
}

/** A member of the definition of a field that belongs to one type or format. */
export interface FieldSetting<Value = unknown> {
  /** In a response. */
  schema: TSchema;
  /** In a request; by default as in a response, or null to remove it. */
  sent?: TSchema;
  /** The setting after a request. @param sent undefined: as it was @param known what it was */
  merge(sent: Value | null | undefined, known: Value | undefined, context: SettingContext): Value | undefined;
}

/** Type-checks a setting against its own type of value. */
export function defineSetting<Value>(setting: FieldSetting<Value>): FieldSetting {
  return setting as FieldSetting;
}

/** Everything the service knows about one type of field. */
export interface FieldTypeDefinition<Value = unknown> {
  /** Describes a value in the API reference. */
  description: string;
  /**
   * TypeScript types of a value as the SDK reads and writes it. `$options` stands for a union of the field's options,
   * `$activeOptions` for its active ones, `$fields` for an object of its nested fields, and `$references` for the ID of an
   * entry or the entry itself.
   */
  sdkType: { read: string; write: string };
  /** What a value consists of: a plain JSON value, one of the field's `options`, its nested `fields`, an asset, or the ID of an entry. */
  structure: 'plain' | 'options' | 'fields' | 'asset' | 'reference';
  /** Of a format: the type of its fields; `text` by default. */
  formatOf?: FieldType;
  /** Members of the definition that only fields of this type or format have. */
  settings?: Readonly<Record<string, FieldSetting>>;
  /** Whether an empty text is a value. For all other types it means null. */
  acceptsEmptyText: boolean;
  /** Whether `q` searches the field. */
  isSearchable: boolean;
  /** The text that is searched; by default the value itself. */
  textOf?(value: Value): string;
  /** Whether entries can be sorted by the field, if it is not repeated. */
  isSortable: boolean;
  /** Whether a CSV import can match rows to entries by the field. */
  isImportKey: boolean;
  operators: readonly Operator[];
  /** What a field of this type can require of its values. */
  validation: readonly ValidationRule[];
  /** Returns a value of a request as it is stored; undefined after reporting a fault. */
  check(value: unknown, context: ValueContext): Value | undefined;
  /** Parses the operand of a filter. */
  parseOperand(text: string, field: NestedField): Value | ValueFault;
  /**
   * The text under which a value is indexed. Keys of one type compare, as UTF-8 bytes, like their values; equal keys are
   * equal values. Never empty.
   */
  sortKey(value: Value): string;
  /** More keys by which a value is found: the entries that a text links to. None of them is the key of a value. */
  otherKeys?(value: Value): string[];
  /** The keys that `lt`, `lte`, `gt` and `gte` treat as equal to a value: from `start` up to, but not including, `end`. */
  sortRange(value: Value): [start: string, end: string];
  /** Whether different values can sort alike: texts that differ in case and accents. */
  sortsAlike?: true;
  filterBits: FilterBits | null;
  csv: {
    /** Parses a cell that is not empty into a value as the API takes it. */
    parse(cell: string, field: NestedField, formats: CsvFormats): Value | string | ValueFault;
    /** The setting that decides between two readings of a cell. */
    ambiguity?: 'decimal' | 'dateOrder';
    format(value: Value): string;
    /** An item of a JSON array, in which the values of a repeated field are written. */
    fromJson(item: unknown): unknown;
    toJson(value: Value): unknown;
  };
}

/** Type-checks a definition against its own type of value. */
export function defineFieldType<Value>(definition: FieldTypeDefinition<Value>): FieldTypeDefinition<Value> {
  return definition;
}

/** For types whose JSON array items in a CSV cell are the values themselves. */
export const PLAIN_JSON = {
  fromJson: (item: unknown) => item,
  toJson: (value: unknown) => value,
};

/** Returns a text that is not too long. */
export function checkText(value: unknown, context: ValueContext, maxLength: number): string | undefined {
  if (typeof value !== 'string') return context.fault('type', `${quoted(context)} must be a string.`);
  if (!hasMoreCharacters(value, maxLength)) return value;
  return context.fault('too_long', `${quoted(context)} must have at most ${maxLength} characters.`);
}

/** The field's label as it appears in error messages. */
export const quoted = ({ field }: Pick<ValueContext, 'field'>) => `"${field.label}"`;
