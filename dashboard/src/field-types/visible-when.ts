import type { AnyField } from './definition.ts';
import { isActive } from './fields.ts';

type Values = Record<string, unknown>;

/** The fields of a form whose conditions (`visibleWhen`) their values meet, and those with an error, which must be seen. */
export function visibleFields<Type extends AnyField>(
  fields: readonly Type[],
  values: Values,
  hasError: (field: Type) => boolean,
): Type[] {
  const active = fields.filter(isActive);
  const ids = new Set(active.map(({ id }) => id));
  return active.filter((field) => !field.visibleWhen || isMet(field.visibleWhen, values, ids) || hasError(field));
}

/** As the service decides it. A condition on a field that was deleted hides nothing. */
function isMet(where: Values, values: Values, ids: ReadonlySet<string>): boolean {
  return Object.entries(where).every(([name, value]) => {
    if (name === 'not') return !isMet(value as Values, values, ids);
    if (name === 'and') return (value as Values[]).every((each) => isMet(each, values, ids));
    if (name === 'or') return (value as Values[]).some((each) => isMet(each, values, ids));
    if (!ids.has(name)) return true;
    const present = [values[name] ?? []].flat().filter((each) => each !== '');
    return Object.entries(value as Values).every(([operator, operand]) => matches(present, operator, operand));
  });
}

function matches(values: readonly unknown[], operator: string, operand: unknown): boolean {
  const operands = [operand].flat();
  const isAny = values.some((value) => operands.some((each) => compare(value, each) === 0));
  switch (operator) {
    case 'exists':
      return values.length > 0 === (operand === true || operand === 'true');
    case 'contains':
      return values.some((value) => fold(value).includes(fold(operand)));
    case 'eq':
    case 'in':
      return isAny;
    case 'ne':
    case 'nin':
      return !isAny;
    case 'lt':
      return values.some((value) => compare(value, operand) < 0);
    case 'lte':
      return values.some((value) => compare(value, operand) <= 0);
    case 'gt':
      return values.some((value) => compare(value, operand) > 0);
    case 'gte':
      return values.some((value) => compare(value, operand) >= 0);
    default:
      return true;
  }
}

const fold = (value: unknown) => String(value).toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');

const compare = (a: unknown, b: unknown): number =>
  typeof a === 'number' ? a - Number(b) : fold(a) === fold(b) ? 0 : fold(a) < fold(b) ? -1 : 1;
