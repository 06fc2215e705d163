import { asset } from './asset.ts';
import { boolean } from './boolean.ts';
import { date } from './date.ts';
import type { FieldTypeDefinition } from './field-type.ts';
import { type TextFormat, textFormats } from './formats/index.ts';
import { group } from './group.ts';
import { number } from './number.ts';
import { select } from './select.ts';
import { text } from './text.ts';
import { timestamp } from './timestamp.ts';
import { url } from './url.ts';

export const FIELD_TYPES = [
  'text',
  'number',
  'boolean',
  'date',
  'timestamp',
  'url',
  'asset',
  'select',
  'group',
] as const;
export { TEXT_FORMATS, type TextFormat } from './formats/index.ts';
export type FieldType = (typeof FIELD_TYPES)[number];

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
export function typeOf({ type, format }: { type: FieldType; format?: TextFormat | undefined }): FieldTypeDefinition {
  return format === undefined ? fieldTypes[type] : textFormats[format];
}
