import type { FieldFilter } from '@headwater/sdk';

export type Operator = keyof FieldFilter;

export interface Condition {
  field: string;
  operator: Operator;
  value: string;
}

/** What the table of a collection shows, as its address has it. */
export interface TableState {
  sort?: string;
  q?: string;
  filters?: Condition[];
}

const OPERATORS: readonly string[] = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'contains', 'exists'];

/** Reads an address that anybody may have written. */
export function readTableState(search: Record<string, unknown>): TableState {
  const { sort, q, filters } = search;
  const conditions = Array.isArray(filters) ? filters.filter(isCondition) : [];
  return {
    ...(typeof sort === 'string' && { sort }),
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(conditions.length > 0 && { filters: conditions }),
  };
}

function isCondition(value: unknown): value is Condition {
  const { field, operator, value: text } = (value ?? {}) as Record<string, unknown>;
  return typeof field === 'string' && OPERATORS.includes(operator as string) && typeof text === 'string';
}

/** The conditions as the service takes them; all of them must hold. */
export function filterOf(conditions: readonly Condition[]): Record<string, FieldFilter> {
  const filter: Record<string, Record<string, string[]>> = {};
  for (const { field, operator, value } of conditions) {
    const before = filter[field] ?? {};
    filter[field] = { ...before, [operator]: [...(before[operator] ?? []), value] };
  }
  return filter as Record<string, FieldFilter>;
}
