import type { Field, NestedField } from '@headwater/sdk';
import type { Operator } from './table-state.ts';

export type FieldType = Field['type'];
export type AnyField = Field | NestedField;

export const TYPE_LABELS: Record<FieldType, string> = {
  text: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
  timestamp: 'Date and time',
  url: 'Link',
  asset: 'Image or video',
  select: 'Choice',
  group: 'Group of fields',
};

export const isActive = ({ status }: { status: string }) => status === 'active';
export const isRepeated = (field: AnyField): boolean => 'repeated' in field && field.repeated;
export const nestedOf = (field: AnyField): NestedField[] =>
  ('fields' in field && (field.fields as NestedField[])) || [];
export const isSortable = (field: Field) => !field.repeated && field.type !== 'group' && field.type !== 'asset';

const OPERATOR_LABELS: Record<Operator, string> = {
  eq: 'is',
  ne: 'is not',
  lt: 'is below',
  lte: 'is at most',
  gt: 'is above',
  gte: 'is at least',
  in: 'is one of',
  contains: 'contains',
  exists: 'is filled in',
};

const DATE_LABELS: Partial<Record<Operator, string>> = {
  lt: 'is before',
  gt: 'is after',
  gte: 'is on or after',
  lte: 'is on or before',
};

/** The operators that a person is offered for a field, the likeliest first. */
export function operatorsOf({ type }: AnyField): { value: Operator; label: string }[] {
  const isTime = type === 'date' || type === 'timestamp';
  const named = (operators: Operator[]) =>
    operators.map((value) => ({ value, label: (isTime && DATE_LABELS[value]) || OPERATOR_LABELS[value] }));
  switch (type) {
    case 'text':
      return named(['contains', 'eq', 'ne', 'exists']);
    case 'number':
    case 'date':
    case 'timestamp':
      return named(['gte', 'lte', 'gt', 'lt', 'eq', 'ne', 'exists']);
    case 'group':
      return named(['exists']);
    case 'asset':
      return named(['exists']);
    default:
      return named(['eq', 'ne', 'exists']);
  }
}
