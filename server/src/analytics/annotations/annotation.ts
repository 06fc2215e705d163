import { refuse } from '../../shared/errors.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isDate, isoTime, parseTimestamp, startOfDay } from '../../shared/time.ts';
import type { Period } from '../dimensions.ts';
import type { SharedAnnotation } from './contract.ts';
import { type AnnotationRow, listAnnotations } from './queries.ts';

/** The columns of a day or a time. @throws ApiError 400 */
export function parseAt(text: string): { day: string | null; at: Date | null } {
  const isDay = isDate(text) && startOfDay(text, 'UTC') !== undefined;
  const time = isDay ? undefined : parseTimestamp(text);
  if (!isDay && time === undefined) {
    const detail = '`at` must be a day, such as 2026-11-20, or an RFC 3339 time, such as 2026-11-20T08:15:00Z.';
    refuse([{ pointer: '/at', code: 'timestamp_invalid', detail }]);
  }
  return time === undefined ? { day: text, at: null } : { day: null, at: new Date(time) };
}

export function serializeNote({ day, at, text }: AnnotationRow, timeZone: string): SharedAnnotation {
  const time = isoTime(at ?? 0);
  return day === null
    ? { at: time, text, startsAt: time }
    : { at: day, text, startsAt: isoTime(startOfDay(day, timeZone) ?? 0) };
}

/** The annotations of a period, or all, by time. A day belongs to every period that has a part of it. */
export async function findAnnotations(
  db: Tx,
  account_id: string,
  period: Period | undefined,
  timeZone: string,
): Promise<AnnotationRow[]> {
  const dayOf = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate().toString();
  const rows = await listAnnotations(db, {
    account_id,
    first_day: period ? dayOf(period.from) : null,
    last_day: period ? dayOf(period.to - 1) : null,
    from: period?.from ?? null,
    to: period?.to ?? null,
  });
  const starts = new Map(rows.map((row) => [row, serializeNote(row, timeZone).startsAt]));
  return rows.toSorted((a, b) => (starts.get(a) ?? '').localeCompare(starts.get(b) ?? ''));
}
