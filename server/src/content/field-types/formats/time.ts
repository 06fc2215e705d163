import { defineFieldType, PLAIN_JSON, quoted, ValueFault } from '../field-type.ts';
import { RANGE_TYPE } from '../range-type.ts';
import { exactRange } from '../sort-key.ts';

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?$/;
const RULE = 'must be a time of day, written HH:MM or HH:MM:SS';

/** `09:30` and `09:30:00` are equal. */
const key = (value: string) => value + '00:00:00.000'.slice(value.length);

export const time = defineFieldType<string>({
  description: 'a time of day, `HH:MM` or `HH:MM:SS`',
  sdkType: { read: 'string', write: 'string' },
  ...RANGE_TYPE,
  check(value, context) {
    if (typeof value !== 'string') return context.fault('type', `${quoted(context)} must be a string.`);
    return TIME.test(value) ? value : context.fault('time_invalid', `${quoted(context)} ${RULE}.`);
  },
  parseOperand: (operand, field) =>
    TIME.test(operand) ? operand : new ValueFault('value_invalid', `${quoted({ field })} ${RULE}.`),
  sortKey: key,
  sortRange: (value) => exactRange(key(value)),
  filterBits: null,
  csv: { parse: (cell) => cell.trim(), format: (value) => value, ...PLAIN_JSON },
});
