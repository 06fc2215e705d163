import { isDate } from '../../shared/time.ts';
import { parseCsvDate } from './csv-date.ts';
import { defineFieldType, PLAIN_JSON, quoted, ValueFault } from './field-type.ts';
import { monthBits } from './filter-buckets.ts';
import { RANGE_TYPE } from './range-type.ts';
import { exactRange } from './sort-key.ts';

export const date = defineFieldType<string>({
  description: 'a date, `YYYY-MM-DD`',
  sdkType: { read: 'string', write: 'string' },
  ...RANGE_TYPE,
  check(value, context) {
    if (typeof value !== 'string') return context.fault('type', `${quoted(context)} must be a string.`);
    if (isDate(value)) return value;
    return context.fault('date_invalid', `${quoted(context)} must be an existing date, written YYYY-MM-DD.`);
  },
  parseOperand(operand, field) {
    if (isDate(operand)) return operand;
    return new ValueFault('value_invalid', `${quoted({ field })} must be an existing date, written YYYY-MM-DD.`);
  },
  sortKey: (value) => value,
  sortRange: exactRange,
  filterBits: monthBits,
  csv: {
    parse: (cell, _field, { dateOrder }) => parseCsvDate(cell.trim(), dateOrder),
    ambiguity: 'dateOrder',
    format: (value) => value,
    ...PLAIN_JSON,
  },
});
