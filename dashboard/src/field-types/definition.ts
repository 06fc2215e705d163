import type { Field, FieldFilter, ImportMapping, NestedField } from '@headwater/sdk';
import type { ComponentType, ReactNode } from 'react';
import type { CsvFormats } from './csv-cells.ts';
import type { DraftField, FieldRequest } from './draft.ts';

export type FieldType = Field['type'];
export type AnyField = Field | NestedField;
export type Operator = Exclude<keyof FieldFilter, 'nin' | 'between' | 'all' | 'none' | 'near' | 'ieq'>;

/** Messages by JSON Pointer into the request. */
export type FieldErrors = ReadonlyMap<string, string>;

export interface FieldInputProps<Value = unknown> {
  field: AnyField;
  label: string;
  value: Value | undefined;
  /** undefined clears the value. */
  onChange(value: Value | undefined): void;
  errors: FieldErrors;
  /** JSON Pointer of this value in the request. */
  pointer: string;
  /** `row`: one of several values, its label visible to screen readers only. `filter`: one line in a popover. */
  variant?: 'row' | 'filter';
  /** The input of any field, for types that contain other fields. */
  FieldInput: ComponentType<Omit<FieldInputProps, 'FieldInput' | 'formatValue' | 'label'> & { label?: string }>;
  /** The value of any field as one line of text. */
  formatValue(field: AnyField, value: unknown): string;
}

interface CellProps<Value = unknown> {
  field: AnyField;
  /** One value, or all values of a repeated field. */
  values: Value[];
  /** Inside a button, where a link is not allowed. */
  isInteractive: boolean;
}

export interface FieldListProps {
  fields: DraftField[];
  onChange: (fields: DraftField[]) => void;
  errors: FieldErrors;
  pointer: string;
  isNested?: boolean;
}

export interface SettingsProps {
  field: DraftField;
  onChange: (field: DraftField) => void;
  errors: FieldErrors;
  pointer: string;
  /** All fields of its list. */
  siblings: readonly DraftField[];
  FieldList: ComponentType<FieldListProps>;
}

/**
 * Everything the dashboard needs to know about a field type. `Value` is one value; a repeated field holds a list of them.
 * The methods are bivariant, so that a definition for `string` fits into the registry.
 */
export interface FieldTypeDefinition<Value = unknown> {
  label: string;
  /** Of a format: the type of its fields; text by default. */
  formatOf?: FieldType;
  isSortable: boolean;
  /** Whether a single value can be edited in its table cell. */
  isEditableInTable: boolean;
  /** Whether a group can contain fields of this type. */
  isNestable: boolean;
  /** The rules that values can have: a minimum and maximum, or lengths and a pattern. */
  rules?: 'range' | 'text';
  /** Whether fields can have a default value; by default they can. */
  hasDefault?: boolean;
  /** Whether the first field of this type titles an entry when the collection names no title field. */
  isDefaultTitle?: boolean;
  Input(props: FieldInputProps<Value>): ReactNode;
  /** The input of a repeated field where it is not a list of single inputs. */
  RepeatedInput?(props: FieldInputProps<Value[]>): ReactNode;
  /** The initial value of a new row of a repeated field. */
  emptyRow?: Value;
  /** The value as one line of text. */
  format(value: Value, field: AnyField, formatNested: (field: AnyField, value: unknown) => string): string;
  /** Table cell; by default the formatted text. */
  Cell?(props: CellProps<Value>): ReactNode;
  /** One version of a value with its differences from another one marked; by default the cell. */
  Difference?(props: { value: Value; other: Value | undefined }): ReactNode;
  filter: {
    /** The most likely operator comes first. */
    operators: readonly Operator[];
    operatorLabels?: Partial<Record<Operator, string>>;
    /** Reads a value from the URL; by default the text itself. */
    parse?(text: string): Value;
  };
  csv: {
    /** Whether an import can find entries by this field. */
    canMatch: boolean;
    /** The settings that say how cells of this type are written. */
    formats: readonly (keyof ImportMapping & ('decimal' | 'dateOrder' | 'timeZone'))[];
    /** The value of a cell as the import reads it, to be checked by the user; undefined if it is not clear. */
    preview?(cell: string, formats: CsvFormats): string | undefined;
    /** Whether a cell means different values depending on `dateOrder`. */
    needsDateOrder?(cell: string): boolean;
  };
  /** What a collection defines for a field of this type beyond label and flags. */
  settings?: {
    Editor(props: SettingsProps): ReactNode;
    toRequest(field: DraftField, nestedToRequest: (nested: DraftField) => FieldRequest): Partial<FieldRequest>;
  };
}

/** Checks a definition against the type of its values. */
export const defineFieldType = <Value>(definition: FieldTypeDefinition<Value>) => definition;

/** The props that every input of a field passes to its Mantine component. */
export const inputProps = ({ field, label, errors, pointer, variant }: FieldInputProps) => ({
  label: variant === 'row' ? undefined : label,
  'aria-label': variant === 'row' ? label : undefined,
  description: variant === undefined ? field.helpText : undefined,
  withAsterisk: field.required && variant === undefined,
  error: errors.get(pointer),
});
