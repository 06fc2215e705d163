/** The filter operators of the list endpoint. */
export const OPERATORS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'contains', 'exists'] as const;
export type Operator = (typeof OPERATORS)[number];

/** When a field is part of forms and checked: a condition on the values of the fields beside it. */
export type Where =
  | { and: Where[] }
  | { or: Where[] }
  | { not: Where }
  | { [fieldId: string]: Partial<Record<WhereOperator, unknown>> };

export const MORE_OPERATORS = ['nin'] as const;
type WhereOperator = Operator | (typeof MORE_OPERATORS)[number];
