import { rawAsText } from '../../shared/json.ts';
import type { NestedField } from '../collections/field.ts';
import { OPERATORS, type Operator, type ValueContext, ValueFault } from './field-type.ts';
import { fold } from './fold.ts';
import { typeOf } from './index.ts';
import { compareKeys } from './sort-key.ts';
import { MORE_OPERATORS, type Where } from './where.ts';

const MAX_LEAVES = 20;
const MAX_DEPTH = 4;

type AddFault = (pointer: string, code: string, detail: string) => void;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Checks a condition against the fields that it may name. */
export function checkWhere(where: unknown, siblings: readonly NestedField[], pointer: string, fault: AddFault): void {
  let leaves = 0;
  const visit = (each: unknown, at: string, depth: number): void => {
    if (!isObject(each) || Object.keys(each).length === 0) {
      fault(at, 'where_invalid', 'Write a condition as {"<fieldId>": {"<operator>": value}}, or with and, or, not.');
      return;
    }
    if (depth > MAX_DEPTH) {
      fault(at, 'too_deep', `Conditions can be nested at most ${MAX_DEPTH} deep.`);
      return;
    }
    for (const [name, value] of Object.entries(each)) {
      const within = `${at}/${name}`;
      if (name === 'not') visit(value, within, depth + 1);
      else if (name === 'and' || name === 'or') {
        if (!Array.isArray(value)) fault(within, 'where_invalid', `Write ${name} as a list of conditions.`);
        else for (const [i, item] of value.entries()) visit(item, `${within}/${i}`, depth + 1);
      } else checkLeaf(name, value, within);
    }
  };
  const checkLeaf = (id: string, operators: unknown, at: string): void => {
    const field = siblings.find((each) => each.id === id);
    if (++leaves > MAX_LEAVES) fault(at, 'too_many', `A condition has at most ${MAX_LEAVES} parts.`);
    else if (!field) fault(at, 'field_unknown', `There is no field with the ID "${id}" beside this one.`);
    else if (!isObject(operators)) fault(at, 'where_invalid', 'Write a condition as {"<operator>": value}.');
    else checkOperators(field, operators, at);
  };
  const checkOperators = (field: NestedField, operators: Record<string, unknown>, at: string): void => {
    for (const [name, operand] of Object.entries(operators)) {
      const known: readonly string[] = [...OPERATORS, ...MORE_OPERATORS];
      if (!known.includes(name)) {
        fault(`${at}/${name}`, 'operator_unknown', `The operators are ${known.join(', ')}.`);
        continue;
      }
      const needed = name === 'nin' ? 'in' : (name as Operator);
      if (!typeOf(field).operators.includes(needed)) {
        fault(`${at}/${name}`, 'operator_not_allowed', `"${field.label}" cannot be compared by ${name}.`);
        continue;
      }
      for (const each of name === 'exists' ? [] : [operand].flat()) {
        const parsed = typeOf(field).parseOperand(String(each), field);
        if (parsed instanceof ValueFault) fault(`${at}/${name}`, parsed.code, parsed.detail);
      }
    }
  };
  visit(where, pointer, 1);
}

/** Whether a field is visible. @param sentValueOf the value of a sibling, as it is stored or was sent */
export function isVisible(
  where: Where,
  siblings: ReadonlyMap<string, NestedField>,
  sentValueOf: (field: NestedField) => unknown,
): boolean {
  return Object.entries(where).every(([name, value]) => {
    if (name === 'not') return !isVisible(value as Where, siblings, sentValueOf);
    if (name === 'and') return (value as Where[]).every((each) => isVisible(each, siblings, sentValueOf));
    if (name === 'or') return (value as Where[]).some((each) => isVisible(each, siblings, sentValueOf));
    const field = siblings.get(name);
    // A condition on a field that was deleted since hides nothing.
    if (field === undefined || field.status === 'deleted') return true;
    const values = [sentValueOf(field) ?? []].flat().flatMap((each) => checkedValue(field, each) ?? []);
    return Object.entries(value as object).every(([operator, operand]) => matches(field, values, operator, operand));
  });
}

function matches(field: NestedField, values: readonly unknown[], operator: string, operand: unknown): boolean {
  if (operator === 'exists') return values.length > 0 === (operand === true || operand === 'true');
  const { parseOperand, sortKey, sortRange, textOf } = typeOf(field);
  if (operator === 'contains') {
    const part = fold(String(operand));
    return values.some((value) => fold(textOf ? textOf(value) : String(value)).includes(part));
  }
  const operands = [operand].flat().map((each) => parseOperand(String(each), field));
  const keys = operands.flatMap((each) => (each instanceof ValueFault ? [] : sortKey(each)));
  const isAny = values.some((value) => keys.includes(sortKey(value)));
  if (operator === 'eq' || operator === 'in') return isAny;
  if (operator === 'ne' || operator === 'nin') return !isAny;
  const [first] = operands;
  if (first === undefined || first instanceof ValueFault) return false;
  const [start, end] = sortRange(first);
  return values.some((value) => {
    const key = sortKey(value);
    if (operator === 'lt') return compareKeys(key, start) < 0;
    if (operator === 'lte') return compareKeys(key, end) < 0;
    return compareKeys(key, operator === 'gt' ? end : start) >= 0;
  });
}

/** A value as it would be stored; undefined if it is none. */
function checkedValue(field: NestedField, value: unknown): unknown {
  if (value === null || value === '') return undefined;
  const context: ValueContext = {
    field,
    wasStored: () => true,
    stored: () => [],
    fault: () => undefined,
    useAsset: () => {},
    useEntry: () => {},
    checkMembers: (group) => group,
  };
  return typeOf(field).check(field.type === 'number' ? rawAsText(value) : value, context);
}
