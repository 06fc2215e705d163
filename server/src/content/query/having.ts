import { escapePointer, type Fault } from '../../shared/errors.ts';
import { LIMITS } from '../limits.ts';
import type { ListingParameters } from '../listing/key-sql.ts';

const COMPARISONS = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;
type Comparison = keyof typeof COMPARISONS;
const isComparison = (name: string): name is Comparison => Object.hasOwn(COMPARISONS, name);
const OTHERS = ['in', 'nin', 'between', 'exists'] as const;
const OPERATORS: readonly string[] = [...Object.keys(COMPARISONS), ...OTHERS];

/** A condition on the measures of a group. */
export type Having =
  | { kind: 'and' | 'or'; items: readonly Having[] }
  | { kind: 'not'; item: Having }
  | { kind: 'compare'; name: string; symbol: string; type: 'numeric' | 'text'; value: string }
  | { kind: 'present'; name: string };

/** Parses conditions on measures, in the form of `where`. @param kinds what each measure is compared as */
export function parseHaving(
  sent: unknown,
  kinds: ReadonlyMap<string, 'number' | 'text'>,
  pointer: string,
  faults: Fault[],
  depth = 1,
): Having {
  const all: Having = { kind: 'and', items: [] };
  const fault = (at: string, code: string, detail: string): Having => {
    faults.push({ pointer: at, code, detail });
    return all;
  };
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return fault(pointer, 'where_invalid', 'Write conditions on measures as {"<name>": {"<operator>": value}}.');
  }
  if (depth > LIMITS.whereDepth) {
    return fault(pointer, 'too_deep', `Conditions can be nested at most ${LIMITS.whereDepth} deep.`);
  }
  const within = (value: unknown, at: string) => parseHaving(value, kinds, at, faults, depth + 1);
  const items = Object.entries(sent).map(([name, value]: [string, unknown]): Having => {
    const at = `${pointer}/${escapePointer(name)}`;
    if ((name === 'and' || name === 'or') && Array.isArray(value)) {
      return { kind: name, items: value.map((each, i) => within(each, `${at}/${i}`)) };
    }
    const kind = kinds.get(name);
    if (name === 'not' && kind === undefined) return { kind: 'not', item: within(value, at) };
    if (kind === undefined) return fault(at, 'field_unknown', `There is no measure "${name.slice(0, 60)}".`);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return fault(at, 'where_invalid', 'Write {"<operator>": value}.');
    }
    const own = Object.entries(value).map(([operator, operand]) => {
      const of = operatorOf(name, kind, operator, operand);
      return typeof of === 'string'
        ? fault(
            `${at}/${escapePointer(operator)}`,
            OPERATORS.includes(operator) ? 'value_invalid' : 'operator_unknown',
            of,
          )
        : of;
    });
    return { kind: 'and', items: own };
  });
  return { kind: 'and', items };
}

/** @returns what is wrong, as a sentence */
function operatorOf(name: string, kind: 'number' | 'text', operator: string, operand: unknown): Having | string {
  const type = kind === 'number' ? 'numeric' : 'text';
  const isValue = (value: unknown) => (kind === 'text' ? typeof value === 'string' : NUMBER.test(String(value)));
  const compare = (by: Comparison, value: unknown): Having => {
    const symbol = COMPARISONS[by];
    return { kind: 'compare', name, symbol, type, value: String(value) };
  };
  if (isComparison(operator)) {
    if (!isValue(operand)) return kind === 'text' ? 'Compare with a text.' : 'Compare with a number.';
    // A negation is the complement, which includes groups without a value.
    return operator === 'ne' ? { kind: 'not', item: compare('eq', operand) } : compare(operator, operand);
  }
  if (operator === 'exists') {
    if (String(operand) !== 'true' && String(operand) !== 'false') return 'The operator exists takes true or false.';
    const present: Having = { kind: 'present', name };
    return String(operand) === 'true' ? present : { kind: 'not', item: present };
  }
  const list: unknown[] = Array.isArray(operand) ? operand : String(operand).split(',');
  if (operator !== 'in' && operator !== 'nin' && operator !== 'between')
    return `The operators are ${OPERATORS.join(', ')}.`;
  if (!list.every(isValue) || list.length > LIMITS.filterValues || (operator === 'between' && list.length !== 2)) {
    return operator === 'between' ? 'Write two values, such as [1, 5].' : 'Write a list of values.';
  }
  if (operator === 'between') return { kind: 'and', items: [compare('gte', list[0]), compare('lte', list[1])] };
  const any: Having = { kind: 'or', items: list.map((value) => compare('eq', value)) };
  return operator === 'in' ? any : { kind: 'not', item: any };
}

const NUMBER = /^-?\d+(\.\d+)?$/;

/** A condition as SQL, which is never null. */
export function havingSql(parameters: ListingParameters, having: Having, columnOf: (name: string) => string): string {
  switch (having.kind) {
    case 'and':
    case 'or': {
      if (having.items.length === 0) return having.kind === 'and' ? 'true' : 'false';
      const items = having.items.map((item) => havingSql(parameters, item, columnOf));
      return `(${items.join(` ${having.kind} `)})`;
    }
    case 'not':
      return `not (${havingSql(parameters, having.item, columnOf)})`;
    case 'present':
      return `${columnOf(having.name)} is not null`;
    case 'compare':
      return `coalesce(${columnOf(having.name)} ${having.symbol} ${parameters.add(having.type, having.value)}, false)`;
  }
}
