import type { Field } from '../collections/field.ts';
import { OPERATORS } from '../field-types/field-type.ts';
import { typeOf } from '../field-types/index.ts';

/** What a query can compare a value by. */
export const QUERY_OPERATORS = [
  ...OPERATORS,
  ...(['nin', 'ieq', 'startsWith', 'endsWith', 'between', 'all', 'near', 'some', 'every', 'none'] as const),
] as const;
export type QueryOperator = (typeof QUERY_OPERATORS)[number];

export const isQueryOperator = (text: string): text is QueryOperator =>
  QUERY_OPERATORS.some((operator) => operator === text);

/** Those that hold if a positive one does not. */
export const NEGATIONS = { ne: 'eq', nin: 'in' } as const;

/** The operators of a field: those of its type, and those that follow from them. */
export function operatorsOf(field: Field): readonly QueryOperator[] {
  const type = typeOf(field);
  const own = type.operators;
  const all: QueryOperator[] = [...own];
  if (own.includes('in')) all.push('nin');
  if (own.includes('lt')) all.push('between');
  if (type.isSearchable) all.push('ieq', 'startsWith', 'endsWith');
  if (field.format === 'point') all.push('near');
  if (field.repeated && own.includes('eq')) all.push('all');
  if (field.repeated || type.structure === 'reference') all.push('some', 'every', 'none');
  return [...new Set(all)];
}
