import pg from 'pg';
import { firstUuidAt } from '../../shared/ids.ts';
import { copyRows } from '../../shared/postgres/driver/copy-rows.ts';
import { HOUR } from '../../shared/units.ts';
import { containsText } from '../dimensions.ts';
import { SEGMENT_SIZE } from './segment.ts';
import type { SegmentView } from './segment-view.ts';

/** A condition on a property of an event: one of the values has to match, or none for a negated operator. */
export interface PropertyCondition {
  property: string;
  operator: 'is' | 'isNot' | 'contains' | 'containsNot' | 'atLeast' | 'atMost';
  values: string[];
}

/** An event with the values of the requested properties, as text; null: without one. */
export interface EventValues {
  /** Of its session. */
  session: number;
  /** Milliseconds since 1970. */
  at: number;
  isBot: boolean;
  isInternal: boolean;
  values: (string | null)[];
}

interface EventSelection {
  accountId: string;
  event: string;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** The values to read; null: all properties as one value, in JSON. */
  properties: readonly string[] | null;
}

/** Up to so many sessions are read one by one, about 10 µs each; else all events of the period, about 1 µs each. */
const MAX_LOOKUPS = 20_000;
const EPOCH_2000_MS = 946_684_800_000;

/**
 * Passes on every event of a name with a session. Segments contain no properties, so these are read from the events themselves:
 * those of the sessions that have such an event, or where these are many, all of the period.
 * @param sessions numbers of the sessions with such an event, as the segments know them
 */
export async function readEventValues(
  client: pg.ClientBase,
  { accountId, event, from, to, properties }: EventSelection,
  sessions: readonly number[],
  onEvent: (event: EventValues) => void,
  maxLookups = MAX_LOOKUPS,
): Promise<void> {
  if (sessions.length === 0) return;
  const text = pg.escapeLiteral;
  const time = (ms: number) => `${text(new Date(ms).toISOString())}::timestamptz`;
  const valuesRead = properties?.map(propertyOf) ?? ['properties::text'];
  const columns = ['session_number', 'occurred_at', 'is_bot', 'is_internal', ...valuesRead].join(', ');
  const matches = `account_id = ${text(accountId)} and event = ${text(event)} and session_number is not null
    and occurred_at >= ${time(from)} and occurred_at < ${time(to)}`;
  const isLate = "received_at - occurred_at > interval '1 day'";
  // Ids contain the time of arrival. An event may be dated up to an hour ahead.
  const [first, end] = [firstUuidAt(from - 2 * HOUR), firstUuidAt(to + 26 * HOUR)];
  const sql =
    sessions.length <= maxLookups
      ? `select ${columns} from unnest('{${sessions.join()}}'::bigint[]) n (number)
         join lateral (select * from events e where e.account_id = ${text(accountId)} and e.session_number = n.number
           offset 0) e on true where ${matches}`
      : `select ${columns} from events where ${matches} and id >= '${first}' and id < '${end}' and not ${isLate}
         union all select ${columns} from events where ${matches} and ${isLate}`;
  await copyRows(client, sql, 4 + valuesRead.length, ({ bytes, starts, lengths }) => {
    const at = (i: number) => starts[i] ?? 0;
    onEvent({
      session: Number(bytes.readBigInt64BE(at(0))),
      at: Number(bytes.readBigInt64BE(at(1))) / 1_000 + EPOCH_2000_MS,
      isBot: bytes[at(2)] === 1,
      isInternal: bytes[at(3)] === 1,
      values: valuesRead.map((_, i) => {
        const length = lengths[4 + i] ?? -1;
        return length < 0 ? null : bytes.toString('utf8', at(4 + i), at(4 + i) + length);
      }),
    });
  });
}

const propertyOf = (name: string) => `properties ->> ${pg.escapeLiteral(name)}`;

/** The numbers of the sessions of a segment that have an event with one of these ids, of those that pass. */
export function sessionsWithEvent(
  view: SegmentView,
  passes: Uint8Array | undefined,
  ids: ReadonlySet<number>,
  found: number[],
): void {
  const events = view.column('event');
  const firsts = view.firsts('events');
  const offsets = view.column('offset');
  for (let i = 0; i < view.sessions; i++) {
    if (passes?.[i] === 0) continue;
    for (let item = firsts[i] ?? 0, end = firsts[i + 1] ?? 0; item < end; item++) {
      if (!ids.has(events[item] ?? 0)) continue;
      found.push(view.segment.segment * SEGMENT_SIZE + (offsets[i] ?? 0));
      break;
    }
  }
}

export function passesCondition({ operator, values }: PropertyCondition, value: string | null): boolean {
  switch (operator) {
    case 'is':
      return value !== null && values.includes(value);
    case 'isNot':
      return value === null || !values.includes(value);
    case 'contains':
      return value !== null && values.some((text) => containsText(value, text));
    case 'containsNot':
      return value === null || !values.some((text) => containsText(value, text));
    case 'atLeast':
      return isNumber(value) && values.some((limit) => Number(value) >= Number(limit));
    case 'atMost':
      return isNumber(value) && values.some((limit) => Number(value) <= Number(limit));
  }
}

const isNumber = (value: string | null) => value !== null && value.trim() !== '' && Number.isFinite(Number(value));
