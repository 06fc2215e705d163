import type { Deps } from '../../shared/deps.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { countInImport } from '../imports/manage-imports.ts';
import { matchUnmatched, type UnmatchedReport } from '../matching/match-unmatched.ts';
import type { ConversionResult } from '../report/contract.ts';
import { type ReadItem, readReport } from '../report/read-report.ts';
import { type Report, recordReports } from '../report/record-reports.ts';
import { reportConversions } from '../report/report-conversions.ts';
import type { ApplyBody, Outcome } from './contract.ts';
import {
  findAppliable,
  type LineRow,
  lockReconciliation,
  lockRestated,
  markApplied,
  type RestatedConversion,
  updateReconciliation,
} from './queries.ts';

export interface Application {
  account_id: string;
  /** Of the reconciliation. */
  id: string;
  importId: string;
  outcomes: NonNullable<ApplyBody['outcomes']>;
}

export interface Applied {
  restated: number;
  reported: number;
  unmatched: number;
  /** Conversions that changed since they were compared. */
  changed: number;
}

const BATCH = 1_000;

/**
 * Applies lines, batch by batch: each is one transaction, which marks its lines, so that none is applied twice. Conversions are restated
 * by reports of an import, like every other change of theirs.
 */
export async function applyLines(
  deps: Deps,
  application: Application,
  signal: AbortSignal,
  report: (done: number) => void,
): Promise<Applied> {
  const { db, clock } = deps;
  const { account_id, id, outcomes } = application;
  const applied: Applied = { restated: 0, reported: 0, unmatched: 0, changed: 0 };
  for (let [after, done] = [0, 0]; ; ) {
    signal.throwIfAborted();
    const unmatched: UnmatchedReport[] = [];
    const now = clock();
    const lines = await db.transaction(async (tx) => {
      const found = await findAppliable(tx, { account_id, id, outcomes, after, limit: BATCH });
      if (found.length === 0) return found;
      const isNew = ({ outcome }: LineRow) => outcome === 'missingHere';
      const restated = await restate(
        tx,
        application,
        found.filter((line) => !isNew(line)),
        now,
      );
      const reported = await reportNew(tx, deps, application, found.filter(isNew), now);
      const failed = reported.lines.filter((_, i) => reported.results[i]?.status === 'failed');
      const changed = [...restated.changed, ...failed].map(({ number }) => number);
      const isChanged = new Set(changed);
      const marked = found.map(({ number }) => number).filter((number) => !isChanged.has(number));
      await markApplied(tx, { account_id, id, now: new Date(now), applied: marked, changed });
      await countInImport(tx, account_id, application.importId, [...restated.results, ...reported.results]);
      await countApplied(
        tx,
        application,
        found.filter(({ number }) => !isChanged.has(number)),
      );
      applied.restated += restated.results.length;
      applied.reported += reported.results.filter(({ status }) => status === 'reported').length;
      applied.unmatched += reported.unmatched.length;
      applied.changed += changed.length;
      unmatched.push(...reported.unmatched);
      return found;
    });
    // A session that was committed between the lookup and this commit was announced too early to match these reports.
    if (unmatched.length > 0) await matchUnmatched(db, unmatched, now);
    const last = lines.at(-1);
    if (!last) return applied;
    after = last.number;
    done += lines.length;
    report(done);
  }
}

/** Restates the conversions that are still as they were compared. */
async function restate(tx: Tx, { account_id, importId }: Application, lines: readonly LineRow[], now: number) {
  const ids = lines.flatMap(({ conversion_id }) => conversion_id ?? []);
  const conversions = ids.length === 0 ? [] : await lockRestated(tx, { account_id, ids });
  const byId = new Map(conversions.map((each) => [each.id, each]));
  const reports: Report[] = [];
  const changed: LineRow[] = [];
  for (const line of lines) {
    const conversion = byId.get(line.conversion_id ?? '');
    if (conversion && conversion.version === line.version)
      reports.push(reportOf(account_id, importId, line, conversion, now));
    else changed.push(line);
  }
  await recordReports(tx, reports, now);
  const results = reports.map((): ConversionResult => ({ reported: true, status: 'reported' }));
  return { changed, results };
}

function reportOf(
  accountId: string,
  importId: string,
  line: LineRow,
  conversion: RestatedConversion,
  now: number,
): Report {
  const { event_id: eventId, is_trusted, event, currency, created_on } = conversion;
  const receivedAt = isoTime(now);
  return {
    ...{ accountId, eventId, receivedAt, importId, origin: 'report', isTrusted: true, isUnmatched: false },
    value: line.outcome === 'missingThere' ? '0' : line.there,
    currency: currency ?? line.currency,
    event: is_trusted ? null : event,
    createdOn: is_trusted ? null : isoTime(created_on),
    ...{
      extra: null,
      identifier: null,
      digest: conversion.identifier_digest,
      sessionNumber: conversion.session_number,
    },
    ...{ fingerprint: null, arrival: null, knownAt: receivedAt },
  };
}

/** Reports conversions by the click IDs of the statement. */
async function reportNew(
  tx: Tx,
  deps: Deps,
  { account_id, importId }: Application,
  lines: readonly LineRow[],
  now: number,
) {
  const items = lines.map(({ click, identifier, there, currency, at }): ReadItem => {
    const item = {
      ...(click && { [click.name]: click.value }),
      // Without an order the identifier is the click ID.
      ...(identifier !== click?.value && { eventId: identifier }),
      ...{ value: there, currency, ...(at && { createdOn: isoTime(at) }), knownAt: isoTime(now) },
    };
    return readReport(deps.sessionIds, item, now, true);
  });
  const reporter = { accountId: account_id, secret: deps.secret };
  const { results, unmatched } = await reportConversions(tx, reporter, items, now, importId);
  return { lines, results, unmatched };
}

/** Adds to the counts of the reconciliation, whose lock keeps it from being deleted meanwhile. */
async function countApplied(tx: Tx, { account_id, id }: Application, lines: readonly LineRow[]): Promise<void> {
  const [row] = await lockReconciliation(tx, { account_id, id });
  if (!row?.result) throw new Error('the reconciliation was deleted while it was applied');
  const counts = Map.groupBy(lines, ({ outcome }) => outcome);
  const outcomes = { ...row.result.outcomes };
  for (const name of Object.keys(outcomes) as Exclude<Outcome, 'faulty'>[]) {
    outcomes[name] = { ...outcomes[name], applied: outcomes[name].applied + (counts.get(name)?.length ?? 0) };
  }
  const { error, job_id, import_id, is_applied } = row;
  const result = JSON.stringify({ ...row.result, outcomes });
  await updateReconciliation(tx, {
    account_id,
    id,
    result,
    error: error && JSON.stringify(error),
    job_id,
    import_id,
    is_applied,
  });
}
