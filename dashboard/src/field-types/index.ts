/** The registry of field types: a type is one file and one line here. The compiler reports a type the service knows and this misses. */

import { t } from '../languages/translate.ts';
import { asset } from './asset.tsx';
import { boolean } from './boolean.tsx';
import { date } from './date.tsx';
import type { AnyField, FieldType, FieldTypeDefinition, Operator } from './definition.ts';
import { isRepeated } from './fields.ts';
import { FORMATS, type TextFormat } from './formats/index.ts';
import { group } from './group.tsx';
import { number } from './number.tsx';
import { select } from './select.tsx';
import { text } from './text.tsx';
import { timestamp } from './timestamp.tsx';
import { url } from './url.tsx';

export type { AnyField, FieldErrors, FieldType, Operator } from './definition.ts';
export { isActive, isRepeated, nestedFieldsOf } from './fields.ts';
export type { TextFormat } from './formats/index.ts';

export const FIELD_TYPES = {
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
export const fieldTypeOf = ({
  type,
  format,
}: {
  type: FieldType;
  format?: TextFormat | undefined;
}): FieldTypeDefinition => (format ? FORMATS[format] : FIELD_TYPES[type]);

/** The types that a new field can have. A format is offered like a type. */
export const FIELD_CHOICES: { value: string; type: FieldType; format?: TextFormat; definition: FieldTypeDefinition }[] =
  [
    ...Object.entries(FIELD_TYPES).map(([type, definition]) => ({ value: type, type: type as FieldType, definition })),
    ...Object.entries<FieldTypeDefinition>(FORMATS).map(([format, definition]) => {
      const type = definition.formatOf ?? 'text';
      return { value: `${type} ${format}`, type, format: format as TextFormat, definition };
    }),
  ];

export const isSortable = (field: { type: FieldType; format?: TextFormat | undefined; repeated: boolean }): boolean =>
  !field.repeated && fieldTypeOf(field).isSortable;

const OPERATOR_LABELS: Record<Operator, string> = {
  eq: t('is'),
  ne: t('is not'),
  lt: t('is less than'),
  lte: t('is at most'),
  gt: t('is greater than'),
  gte: t('is at least'),
  in: t('is one of'),
  contains: t('contains'),
  startsWith: t('starts with'),
  endsWith: t('ends with'),
  exists: t('has a value'),
};

/** The operators offered for a field. */
export function operatorsOf(field: AnyField): { value: Operator; label: string }[] {
  const { operators, operatorLabels } = fieldTypeOf(field).filter;
  return operators.map((value) => ({ value, label: operatorLabels?.[value] ?? OPERATOR_LABELS[value] }));
}

/** A value as one line of text; empty without a value. */
export function formatValue(field: AnyField, value: unknown): string {
  if (value === undefined || value === null) return '';
  const { format } = fieldTypeOf(field);
  // A single JSON value can be a list.
  const values = isRepeated(field) && Array.isArray(value) ? value : [value];
  // A row that was just added has none yet.
  return values
    .flatMap((each) => each ?? [])
    .map((each) => format(each, field, formatValue))
    .join(', ');
}

/** The value of a filter, which the URL holds as text, as a reader sees it. */
export function formatFilterValue(field: AnyField, value: string): string {
  const { filter, format } = fieldTypeOf(field);
  return format(filter.parse?.(value) ?? value, field, formatValue);
}
