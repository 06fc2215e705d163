import type { FieldFilter } from '@headwater/sdk';

export type Operator = keyof FieldFilter;

export interface Condition {
  field: string;
  operator: Operator;
  value: string;
}

/** The sorting, search and filters of a table of entries, held in its URL. */
export interface TableState {
  sort?: string;
  q?: string;
  filters?: Condition[];
}

const OPERATORS: readonly unknown[] = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'contains', 'exists'];

/** Ignores whatever a hand-written URL gets wrong. */
export function readTableState({ sort, q, filters }: Record<string, unknown>): TableState {
  const conditions = Array.isArray(filters) ? filters.filter(isCondition) : [];
  return {
    ...(typeof sort === 'string' && { sort }),
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(conditions.length > 0 && { filters: conditions }),
  };
}

function isCondition(value: unknown): value is Condition {
  const { field, operator, value: text } = (value ?? {}) as Record<string, unknown>;
  return typeof field === 'string' && OPERATORS.includes(operator) && typeof text === 'string';
}

/** The conditions as the service accepts them; all of them must hold. */
export function toFilter(conditions: readonly Condition[]): Record<string, Record<string, string[]>> {
  const filter: Record<string, Record<string, string[]>> = {};
  for (const { field, operator, value } of conditions) {
    const own = filter[field] ?? {};
    filter[field] = { ...own, [operator]: [...(own[operator] ?? []), value] };
  }
  return filter;
}
