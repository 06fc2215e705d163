import type { Fault } from '../../shared/errors.ts';
import { isDate, isTimeZone, parseTimestamp, startOfDay } from '../../shared/time.ts';
import { MINUTE } from '../../shared/units.ts';
import {
  type Condition,
  DIMENSIONS,
  type Dimension,
  type Filters,
  type Include,
  OPERATORS,
  type Period,
} from '../dimensions.ts';
import { type Comparison, comparisonOf, parsePeriod, type Range } from './periods.ts';

interface ReportQuery extends Range {
  asKnownOn?: string;
  include?: string;
  compare?: Comparison;
}

/** What overview and breakdown have in common. @throws ApiError 400 */
export function parseReport(
  query: ReportQuery & Record<string, unknown>,
  compare: Comparison,
  now: number,
  faults: Fault[] = [],
  required?: Filters,
) {
  const knownOn = parseKnownOn(query.asKnownOn, query.timeZone ?? 'UTC', now, faults);
  const period = parsePeriod(query, '?', faults);
  const comparison = comparisonOf(query, period, compare, knownOn);
  const periods: Period[] = comparison ? [period, comparison] : [period];
  return {
    period,
    comparison,
    periods: query.asKnownOn === undefined ? periods : periods.map((each) => untilKnown(each, knownOn)),
    ...(query.asKnownOn !== undefined && { knownOn }),
    filters: allOf(parseFilters(query), required),
    include: parseInclude(query.include),
  };
}

/** The part of a period that had passed at a time, in whole minutes. */
const untilKnown = ({ from, to }: Period, knownOn: number): Period => ({
  from,
  to: Math.max(from, Math.min(to, Math.ceil(knownOn / MINUTE) * MINUTE)),
});

/** The time as of which a report responds; now at the latest. @param timeZone in which a day starts */
export function parseKnownOn(asKnownOn: string | undefined, timeZone: string, now: number, faults: Fault[]): number {
  if (asKnownOn === undefined) return now;
  const zone = isTimeZone(timeZone) ? timeZone : 'UTC';
  const time = isDate(asKnownOn) ? startOfDay(asKnownOn, zone) : parseTimestamp(asKnownOn);
  if (time !== undefined) return Math.max(0, Math.min(time, now));
  const detail = '`asKnownOn` must be an RFC 3339 time, such as 2026-11-20T08:15:00Z, or a day, such as 2026-11-20.';
  faults.push({ pointer: '?asKnownOn', code: 'timestamp_invalid', detail });
  return now;
}

/** The conditions of both. */
export function allOf(filters: Filters, required: Filters = {}): Filters {
  const names = new Set([...Object.keys(filters), ...Object.keys(required)] as Dimension[]);
  return Object.fromEntries([...names].map((name) => [name, [...(filters[name] ?? []), ...(required[name] ?? [])]]));
}

/** Reads `filter[…]` of a query that its schema has validated. An empty value means none. */
export function parseFilters(query: Record<string, unknown>): Filters {
  const filters: Filters = {};
  for (const name of DIMENSIONS) {
    const conditions = OPERATORS.flatMap((operator): Condition[] => {
      const sent = query[operator === 'is' ? `filter[${name}]` : `filter[${name}][${operator}]`];
      if (sent === undefined) return [];
      return [{ operator, values: [sent].flat().map((value) => (value === '' ? null : String(value))) }];
    });
    if (conditions.length > 0) filters[name] = conditions;
  }
  return filters;
}

export function parseInclude(include = ''): Include {
  const names = include.split(',');
  return { bots: names.includes('bots'), internal: names.includes('internal') };
}

/** Reads a comma-separated list of dimensions; repeated ones count once. */
export function parseDimensions(text: string, faults: Fault[]): Dimension[] {
  const names = [...new Set(text.split(','))];
  const isDimension = (name: string): name is Dimension => (DIMENSIONS as readonly string[]).includes(name);
  if (!names.every(isDimension)) {
    const detail = `\`by\` must be a comma-separated list of dimensions: ${DIMENSIONS.join(', ')}.`;
    faults.push({ pointer: '?by', code: 'not_allowed', detail });
  }
  return names.filter(isDimension);
}
