import { newUuid } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import {
  type ConversionRow,
  insertConversions,
  insertIfAbsent,
  type ReportRow,
  storeReports,
  type TOPICS,
  upsertConversions,
} from './queries.ts';

/** A report to be recorded. Null is what it did not contain. */
export interface Report {
  accountId: string;
  eventId: string | null;
  event: string | null;
  /** In the syntax of `numeric`. */
  value: string | null;
  currency: string | null;
  /** ISO 8601. */
  createdOn: string | null;
  /** JSON. */
  extra: string | null;
  /** Name and value, as JSON. */
  identifier: string | null;
  /** Of the identifier. */
  digest: string | null;
  sessionNumber: number | null;
  /** The session is unknown: the report is stored until a session has the digest, and changes no conversion. */
  isUnmatched: boolean;
  /** ISO 8601. */
  receivedAt: string;
  origin: 'report' | 'event';
  /** False for an event with a publishable key. */
  isTrusted: boolean;
  /** Of the whole report, if it has no event id: identical unmatched reports are one. */
  fingerprint: string | null;
  /** Its number in the order of arrival; null for the next one. */
  arrival: number | null;
  /** The import that contains it. */
  importId: string | null;
  /** ISO 8601. When it became known, if not when it was received; of the row of an import null: when the conversion happened. */
  knownAt: string | null;
}

export interface Recorded {
  /** Of the conversion, or of the unmatched report. */
  id: string;
  outcome: 'created' | 'restated' | 'unmatched';
  /** The version to which the report brought its conversion. */
  version: number;
}

/** The reports of one conversion, in their order. */
export interface Group {
  id: string;
  reports: [Report, ...Report[]];
  outcome: 'created' | 'restated' | 'unchanged';
  /** Of the conversion, after all of its reports. */
  version: number;
}

/**
 * Records reports of any accounts, in their order, with two statements for any number of them. The reports of one event id
 * create one conversion or restate it (interface: Conversions, rules 4 and 5), and each is stored as a revision.
 *
 * The first statement locks the conversions until the transaction ends; the second draws the arrival numbers. Arrival
 * numbers are therefore the order in which reports took effect, across processes.
 */
export async function recordReports(tx: Tx, reports: readonly Report[], now: number): Promise<Recorded[]> {
  if (reports.length === 0) return [];
  const { groups, groupOf } = groupByConversion(reports, now);
  if (groups.length > 0) {
    const conversions = groups.map(({ id, reports }) => conversionRow(id, mergeReports(reports), reports.length));
    const written = await upsertConversions(tx, { conversions, now: new Date(now) });
    const byKey = new Map(written.map((row) => [keyOf(row.account_id, row.event_id ?? row.id), row]));
    for (const group of groups) {
      const { accountId, eventId } = group.reports[0];
      const row = byKey.get(keyOf(accountId, eventId ?? group.id));
      if (!row) throw new Error('a conversion was not written');
      group.outcome = row.id === group.id ? 'created' : 'restated';
      group.id = row.id;
      group.version = row.version;
    }
  }
  const recorded = reports.map((report) => recordedOf(report, groupOf.get(report), now));
  const stored = reports.map((report, i) => reportRow(report, recorded[i] as Recorded));
  await storeReports(tx, { reports: stored, now: new Date(now) });
  return recorded;
}

/** Records reports, with one statement, that never change an existing conversion and precede every other report of theirs. */
export async function recordIfAbsent(tx: Tx, reports: readonly Report[], now: number): Promise<void> {
  const { groups } = groupByConversion(reports, now);
  if (groups.length === 0) return;
  const conversions = groups.map(({ id, reports }) => conversionRow(id, mergeReports(reports), 1));
  const insert = conversions.some(({ event_id }) => event_id !== null) ? insertIfAbsent : insertConversions;
  await insert(tx, { conversions, now: new Date(now) });
}

/** Groups reports by the conversion that they belong to; unmatched reports belong to none. */
export function groupByConversion(reports: readonly Report[], now: number) {
  const groups: Group[] = [];
  const groupOf = new Map<Report, Group>();
  const byEventId = new Map<string, Group>();
  for (const report of reports) {
    if (report.isUnmatched) continue;
    const key = report.eventId === null ? undefined : keyOf(report.accountId, report.eventId);
    let group = key === undefined ? undefined : byEventId.get(key);
    if (group) group.reports.push(report);
    else {
      group = { id: newUuid(now), reports: [report], outcome: 'created', version: 1 };
      groups.push(group);
      if (key !== undefined) byEventId.set(key, group);
    }
    groupOf.set(report, group);
  }
  return { groups, groupOf };
}

/** Merges the reports of one conversion: the latest value of each member that any contains, and the session of the first. */
function mergeReports([first, ...later]: Group['reports']): Report {
  if (later.length === 0) return first;
  const merged = { ...first };
  for (const report of later) {
    merged.event = report.event ?? merged.event;
    merged.value = report.value ?? merged.value;
    merged.currency = report.currency ?? merged.currency;
    merged.createdOn = report.createdOn ?? merged.createdOn;
    merged.extra = report.extra ?? merged.extra;
  }
  return merged;
}

function recordedOf(report: Report, group: Group | undefined, now: number): Recorded {
  if (!group) return { id: newUuid(now), outcome: 'unmatched', version: 1 };
  const place = group.reports.indexOf(report);
  const version = group.version - (group.reports.length - 1 - place);
  return { id: group.id, outcome: place === 0 && group.outcome === 'created' ? 'created' : 'restated', version };
}

function conversionRow(id: string, report: Report, version: number): ConversionRow {
  return {
    account_id: report.accountId,
    id,
    event_id: report.eventId,
    sent_event: report.event,
    value: report.value,
    currency: report.currency,
    sent_created_on: report.createdOn,
    received_at: report.receivedAt,
    origin: report.origin,
    is_trusted: report.isTrusted,
    identifier: report.identifier,
    session_number: report.sessionNumber,
    extra: report.extra,
    identifier_digest: report.digest,
    version,
  };
}

function reportRow(report: Report, recorded: Recorded): ReportRow {
  return {
    account_id: report.accountId,
    id: recorded.id,
    event_id: report.eventId,
    event: report.event,
    value: report.value,
    currency: report.currency,
    created_on: report.createdOn,
    received_at: report.receivedAt,
    origin: report.origin,
    identifier: report.identifier,
    extra: report.extra,
    digest: report.isUnmatched ? report.digest : null,
    fingerprint: report.isUnmatched ? report.fingerprint : null,
    known_arrival: report.arrival,
    version: recorded.version,
    topic: topicOf(report, recorded),
    import_id: report.importId,
    known_at: report.knownAt,
  };
}

/** A report that has its arrival number already was unmatched until now. */
function topicOf({ arrival }: Report, { outcome }: Recorded): (typeof TOPICS)[number] {
  if (arrival !== null) return 'conversion.matched';
  return outcome === 'created' ? 'conversion.reported' : 'conversion.restated';
}

function keyOf(accountId: string, eventId: string): string {
  return `${accountId} ${eventId}`;
}
