import type { NestedField } from '../collections/field.ts';
import { asset } from './asset.ts';
import { boolean } from './boolean.ts';
import { date } from './date.ts';
import type { FieldSetting, FieldTypeDefinition } from './field-type.ts';
import { formats } from './formats/index.ts';
import { group } from './group.ts';
import type { FieldType, Format } from './names.ts';
import { number } from './number.ts';
import { select } from './select.ts';
import { text } from './text.ts';
import { timestamp } from './timestamp.ts';
import { url } from './url.ts';

export { FIELD_TYPES, type FieldType, FORMATS, type Format } from './names.ts';

/** The registry of field types. To add one, write its file and add it here and to `FIELD_TYPES`. */
const fieldTypes: Record<FieldType, FieldTypeDefinition> = {
  text,
  number,
  boolean,
  date,
  timestamp,
  url,
  asset,
  select,
  group,
} satisfies Record<FieldType, FieldTypeDefinition>;

/** The definition of a field's type, or of its format. */
export function typeOf({ type, format }: { type: FieldType; format?: Format | undefined }): FieldTypeDefinition {
  return format === undefined ? fieldTypes[type] : formats[format];
}

/** The type of the fields that can have a format. */
export const typeOfFormat = (format: Format): FieldType => formats[format].formatOf ?? 'text';

/** The settings that fields of some types and formats have, by name. */
export const FIELD_SETTINGS: Readonly<Record<string, FieldSetting>> = Object.assign(
  {},
  ...[...Object.values(fieldTypes), ...Object.values(formats)].map(({ settings }) => settings),
);

/** The settings of a field that its type or format defines. */
export function settingsOf(field: NestedField): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const name in typeOf(field).settings) {
    const value = (field as unknown as Record<string, unknown>)[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** Whether different values of a field can have one place in its order: texts that differ in case and accents. */
export const sortsAlike = (field: Parameters<typeof typeOf>[0]): boolean => typeOf(field).sortsAlike ?? false;
