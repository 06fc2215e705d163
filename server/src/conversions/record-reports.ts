import { newUuid } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { keepReports, makeOrRestate, makeUnlessKnown } from './queries.ts';

/** A report on its way into the database; null is what it did not name. */
export interface Report {
  accountId: string;
  eventId: string | null;
  event: string | null;
  /** As `numeric` reads it. */
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
  /** Whether its session is not known: the report waits for one that the digest names, and touches no conversion. */
  waits: boolean;
  /** ISO 8601. */
  receivedAt: string;
  origin: 'report' | 'event';
  /** Its place in the order of arrival; null: the next one. */
  arrival: number | null;
}

export interface Recorded {
  /** The conversion's, or the waiting report's. */
  id: string;
  outcome: 'made' | 'restated' | 'waiting';
  /** Which version of the conversion the report brought about. */
  version: number;
}

/** The reports of one conversion, in their order. */
export interface Group {
  id: string;
  reports: [Report, ...Report[]];
  outcome: 'made' | 'restated' | 'left';
  /** Of the conversion, after all of them. */
  version: number;
}

/**
 * Records reports of any accounts, in their order, by two statements for any number of them: those of one event id make
 * one conversion, or restate it (interface: Conversions, rules 4 and 5), and each is kept as a revision.
 *
 * The first statement locks the conversions until the transaction ends, the second takes numbers of arrival: so these are
 * the order in which the reports took effect, on any number of processes.
 * @param known `leave`: a conversion that is known stays as it is, and there is undefined for its reports; one that is made
 *   comes before every report of it. One statement.
 */
export async function recordReports(
  tx: Tx,
  reports: readonly Report[],
  now: number,
  known: 'restate' | 'leave' = 'restate',
): Promise<(Recorded | undefined)[]> {
  const { groups, groupOf } = groupByConversion(reports, now);
  if (groups.length > 0) await write(tx, groups, now, known);
  const recorded = reports.map((report): Recorded | undefined => {
    const group = groupOf.get(report);
    if (!group) return { id: newUuid(now), outcome: 'waiting', version: 1 };
    if (group.outcome === 'left') return undefined;
    const at = group.reports.indexOf(report);
    const version = group.version - (group.reports.length - 1 - at);
    return { id: group.id, outcome: at === 0 ? group.outcome : 'restated', version };
  });
  if (known === 'restate') await keep(tx, reports, recorded, now);
  return recorded;
}

/** Which reports are of one conversion; those that wait are of none. */
export function groupByConversion(reports: readonly Report[], now: number) {
  const groups: Group[] = [];
  const groupOf = new Map<Report, Group>();
  const byEventId = new Map<string, Group>();
  for (const report of reports) {
    if (report.waits) continue;
    const key = report.eventId === null ? undefined : keyOf(report.accountId, report.eventId);
    let group = key === undefined ? undefined : byEventId.get(key);
    if (group) group.reports.push(report);
    else {
      group = { id: newUuid(now), reports: [report], outcome: 'made', version: 1 };
      groups.push(group);
      if (key !== undefined) byEventId.set(key, group);
    }
    groupOf.set(report, group);
  }
  return { groups, groupOf };
}

async function write(tx: Tx, groups: Group[], now: number, known: 'restate' | 'leave'): Promise<void> {
  const folded = groups.map(({ reports }) => fold(reports));
  const rows = await (known === 'restate' ? makeOrRestate : makeUnlessKnown)(
    tx,
    folded.map(({ accountId }) => accountId),
    groups.map(({ id }) => id),
    folded.map(({ eventId }) => eventId),
    folded.map(({ event }) => event),
    folded.map(({ value }) => value),
    folded.map(({ currency }) => currency),
    folded.map(({ createdOn }) => createdOn),
    folded.map(({ receivedAt }) => receivedAt),
    folded.map(({ origin }) => origin),
    folded.map(({ identifier }) => identifier),
    folded.map(({ sessionNumber }) => sessionNumber),
    folded.map(({ extra }) => extra),
    folded.map(({ digest }) => digest),
    groups.map(({ reports }) => (known === 'leave' ? 1 : reports.length)),
    new Date(now),
  );
  const written = new Map(rows.map((row) => [keyOf(row.account_id, row.event_id ?? row.id), row]));
  for (const group of groups) {
    const { accountId, eventId } = group.reports[0];
    const row = written.get(keyOf(accountId, eventId ?? group.id));
    group.outcome = row === undefined ? 'left' : row.id === group.id ? 'made' : 'restated';
    group.id = row?.id ?? group.id;
    group.version = row?.version ?? group.version;
  }
}

/** What the reports of one conversion come to: of each member the latest that was named, the session of the first. */
function fold([first, ...later]: Group['reports']): Report {
  if (later.length === 0) return first;
  const folded = { ...first };
  for (const report of later) {
    folded.event = report.event ?? folded.event;
    folded.value = report.value ?? folded.value;
    folded.currency = report.currency ?? folded.currency;
    folded.createdOn = report.createdOn ?? folded.createdOn;
    folded.extra = report.extra ?? folded.extra;
  }
  return folded;
}

async function keep(
  tx: Tx,
  reports: readonly Report[],
  recorded: (Recorded | undefined)[],
  now: number,
): Promise<void> {
  if (reports.length === 0) return;
  await keepReports(
    tx,
    reports.map(({ accountId }) => accountId),
    recorded.map((each) => each?.id),
    reports.map(({ eventId }) => eventId),
    reports.map(({ event }) => event),
    reports.map(({ value }) => value),
    reports.map(({ currency }) => currency),
    reports.map(({ createdOn }) => createdOn),
    reports.map(({ receivedAt }) => receivedAt),
    reports.map(({ origin }) => origin),
    reports.map(({ identifier }) => identifier),
    reports.map(({ extra }) => extra),
    reports.map(({ waits, digest }) => (waits ? digest : null)),
    reports.map(({ arrival }) => arrival),
    recorded.map((each) => each?.version ?? 1),
    reports.map(({ arrival }, i) => topicOf(arrival, recorded[i])),
    new Date(now),
  );
}

/** What those who are told of a report call it. One that has its place in the order already waited for its session. */
function topicOf(arrival: number | null, recorded: Recorded | undefined): string {
  if (arrival !== null) return 'conversion.matched';
  return recorded?.outcome === 'made' ? 'conversion.reported' : 'conversion.restated';
}

function keyOf(accountId: string, eventId: string): string {
  return `${accountId} ${eventId}`;
}
