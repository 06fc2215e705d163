import type { Deps } from '../../shared/deps.ts';
import { publicId } from '../../shared/ids.ts';
import type { DryRunResult } from './contract.ts';
import { findByEventIds } from './queries.ts';
import type { ReadItem } from './read-report.ts';
import { groupByConversion, type Report } from './record-reports.ts';
import { failedResult, resolveReports, unmatchedResult } from './report-conversions.ts';

/** The results that a report of these items would have, and its effects, in a read-only transaction. */
export function dryRunReports(
  { db, sessionIds, secret }: Pick<Deps, 'db' | 'sessionIds' | 'secret'>,
  accountId: string,
  items: readonly ReadItem[],
  now: number,
): Promise<DryRunResult[]> {
  return db.transaction(async (tx) => {
    await tx.query('set transaction read only');
    const reports = await resolveReports(tx, { accountId, secret }, items, now);
    const { groups, groupOf } = groupByConversion(reports, now);
    const eventIds = groups.flatMap(({ reports: [first] }) => first.eventId ?? []);
    const query = { account_id: accountId, event_ids: eventIds };
    const rows = eventIds.length === 0 ? [] : await findByEventIds(tx, query);
    const existing = new Map(rows.map((row) => [row.event_id, row]));

    const itemOf = new Map<Report, number>();
    let next = 0;
    return items.map(({ report: read, faults }, i): DryRunResult => {
      if (faults) return { ...failedResult(faults), effect: 'none', sessionId: null };
      const report = reports[next++];
      if (!report) throw new Error('a valid item has no report');
      itemOf.set(report, i);
      const group = groupOf.get(report);
      if (!group) return { ...unmatchedResult(read, now), effect: 'wait', sessionId: null };
      const reason = read.reason === undefined ? {} : { reason: read.reason };
      const row = existing.get(report.eventId ?? '');
      const earlier = group.reports[group.reports.indexOf(report) - 1];
      // A conversion keeps the session that was found first.
      const session = row?.session_number ?? group.reports[0].sessionNumber;
      const restatesItem = earlier && itemOf.get(earlier);
      return {
        ...(row && { _id: publicId('cnv', row.id) }),
        reported: true,
        status: 'reported',
        ...reason,
        effect: row || restatesItem !== undefined ? 'restate' : 'create',
        sessionId: session && sessionIds.idOf(session),
        ...(restatesItem !== undefined && { restatesItem }),
      };
    });
  });
}
