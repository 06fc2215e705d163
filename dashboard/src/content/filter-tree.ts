import type { Operator } from '../field-types/definition.ts';

/** One condition, with its value as text. */
export interface Condition {
  path: string;
  operator: Operator;
  value: string;
  /** Compares with whoever reads, in conditions of roles. */
  isCurrentUser?: true;
}

/** Conditions of which all, any or none have to hold. */
export interface FilterGroup {
  match: 'all' | 'any' | 'none';
  items: FilterItem[];
}

export type FilterItem = Condition | FilterGroup;

/** Conditions as the API takes them. */
export type Where = Record<string, unknown>;

export const isGroup = (item: FilterItem): item is FilterGroup => 'match' in item;

export const NO_FILTERS: FilterGroup = { match: 'all', items: [] };

const conditionToWhere = ({ path, operator, value, isCurrentUser }: Condition): Where => ({
  [path]: { [operator]: isCurrentUser ? { currentUser: true } : value },
});

/** undefined without any condition. */
export function toWhere({ match, items }: FilterGroup): Where | undefined {
  const parts = items.flatMap((item) => (isGroup(item) ? (toWhere(item) ?? []) : conditionToWhere(item)));
  if (parts.length === 0) return undefined;
  if (match === 'none') return { not: { or: parts } };
  return { [match === 'all' ? 'and' : 'or']: parts };
}

const isObject = (value: unknown): value is Where =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads what `toWhere` writes, which a URL or a saved view may contain; undefined if it is anything else. */
export function fromWhere(where: unknown): FilterGroup | undefined {
  if (!isObject(where)) return undefined;
  const { and, or, not } = where;
  if (isObject(not)) {
    const inner = fromWhere(not);
    return inner?.match === 'any' ? { match: 'none', items: inner.items } : undefined;
  }
  const list = and ?? or;
  if (!Array.isArray(list)) return undefined;
  const items: FilterItem[] = [];
  for (const each of list) {
    const item = fromWhere(each) ?? conditionFrom(each);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return { match: and === undefined ? 'any' : 'all', items };
}

function conditionFrom(leaf: unknown): Condition | undefined {
  if (!isObject(leaf)) return undefined;
  const [[path, operators] = ['', undefined], ...others] = Object.entries(leaf);
  if (!isObject(operators) || others.length > 0) return undefined;
  const [[operator, value] = ['', undefined], ...more] = Object.entries(operators);
  if (more.length > 0) return undefined;
  if (isObject(value) && value.currentUser === true) {
    return { path, operator: operator as Operator, value: '', isCurrentUser: true };
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    return undefined;
  }
  return { path, operator: operator as Operator, value: String(value) };
}
