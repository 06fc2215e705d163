import type { Fault } from '../../shared/errors.ts';
import type { Filter, Webhook } from '../contract.ts';

/** The faults of what a webhook selects that its schema does not find. */
export function checkSelection({ payload, fields, filters }: Pick<Webhook, 'payload' | 'fields' | 'filters'>): Fault[] {
  const faults = (filters ?? []).flatMap((filter, i) => checkValue(filter, `/filters/${i}/value`));
  if (payload === 'thin' && fields !== null) {
    const detail = 'A thin payload has no further fields. Set `fields` to null, or `payload` to "full".';
    faults.push({ pointer: '/fields', code: 'fields_conflict', detail });
  }
  return faults;
}

function checkValue({ operator, value }: Filter, pointer: string): Fault[] {
  const [isValid, expected] = EXPECTED[operator];
  const detail = `The value of a filter with \`${operator}\` must be ${expected}.`;
  return isValid(value) ? [] : [{ pointer, code: 'filter_value_invalid', detail }];
}

type Check = (value: Filter['value']) => boolean;

const isOne: Check = (value) => !Array.isArray(value);
const isOrdered: Check = (value) => typeof value === 'string' || typeof value === 'number';
const ONE: [Check, string] = [isOne, 'a text, a number, true, false or null'];
const ORDERED: [Check, string] = [isOrdered, 'a text or a number'];

const EXPECTED: Record<Filter['operator'], [Check, string]> = {
  eq: ONE,
  ne: ONE,
  in: [Array.isArray, 'a list'],
  lt: ORDERED,
  lte: ORDERED,
  gt: ORDERED,
  gte: ORDERED,
  contains: ORDERED,
  exists: [(value) => typeof value === 'boolean', 'true or false'],
};
