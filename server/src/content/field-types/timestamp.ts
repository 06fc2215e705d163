import { isoTime, parseTimestamp } from '../../shared/time.ts';
import { parseCsvTimestamp } from './csv-date.ts';
import { defineFieldType, PLAIN_JSON, quoted, ValueFault } from './field-type.ts';
import { monthBits } from './filter-buckets.ts';
import { RANGE_TYPE } from './range-type.ts';
import { exactRange } from './sort-key.ts';

/** Stored as `YYYY-MM-DDTHH:mm:ss.sssZ`, which sorts by itself. */
export const timestamp = defineFieldType<string>({
  description: 'an RFC 3339 timestamp, in UTC if it has no offset, returned in UTC with milliseconds',
  sdkType: { read: 'string', write: 'string' },
  ...RANGE_TYPE,
  check(value, context) {
    if (typeof value !== 'string') return context.fault('type', `${quoted(context)} must be a string.`);
    const detail = `${quoted(context)} must be an RFC 3339 timestamp, such as 2026-11-20T08:00:00Z.`;
    return parse(value) ?? context.fault('timestamp_invalid', detail);
  },
  parseOperand(operand, field) {
    const detail = `${quoted({ field })} must be an RFC 3339 timestamp, such as 2026-11-20T08:00:00Z.`;
    return parse(operand) ?? new ValueFault('value_invalid', detail);
  },
  sortKey: (value) => value,
  sortRange: exactRange,
  filterBits: monthBits,
  csv: {
    parse: (cell, _field, formats) => parseCsvTimestamp(cell.trim(), formats),
    ambiguity: 'dateOrder',
    format: (value) => value,
    ...PLAIN_JSON,
  },
});

/** Without an offset, the time is in UTC. */
function parse(text: string): string | undefined {
  const ms = parseTimestamp(text) ?? parseTimestamp(`${text}Z`);
  return ms === undefined ? undefined : isoTime(ms);
}
