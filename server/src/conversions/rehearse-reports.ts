import { publicId } from '../shared/ids.ts';
import type { Database } from '../shared/postgres/database.ts';
import type { RehearsalResult } from './contract.ts';
import { findByEventIds } from './queries.ts';
import type { ReadItem } from './read-report.ts';
import { groupByConversion, type Report } from './record-reports.ts';
import { failed, resolveReports } from './report-conversions.ts';

/** What a report of these items would be answered, and what it would do, in a transaction that can write nothing. */
export function rehearseReports(
  db: Database,
  accountId: string,
  items: readonly ReadItem[],
  now: number,
): Promise<RehearsalResult[]> {
  return db.transaction(async (tx) => {
    await tx.query('set transaction read only');
    const reports = await resolveReports(tx, accountId, items, now);
    const { groups, groupOf } = groupByConversion(reports, now);
    const eventIds = groups.flatMap(({ reports: [first] }) => first.eventId ?? []);
    const rows = eventIds.length === 0 ? [] : await findByEventIds(tx, accountId, eventIds);
    const known = new Map(rows.map((row) => [row.event_id, row]));

    const places = new Map<Report, number>();
    let next = 0;
    return items.map(({ report: read, faults }, place): RehearsalResult => {
      if (faults) return { ...failed(faults), effect: 'none', sessionId: null };
      const report = reports[next++];
      if (!report) throw new Error('an item without faults became no report');
      places.set(report, place);
      const reason = read.reason === undefined ? {} : { reason: read.reason };
      const group = groupOf.get(report);
      if (!group) return { reported: false, status: 'unmatched', ...reason, effect: 'wait', sessionId: null };
      const row = known.get(report.eventId ?? '');
      const earlier = group.reports[group.reports.indexOf(report) - 1];
      const restatesItem = earlier && places.get(earlier);
      return {
        ...(row && { _id: publicId('cnv', row.id) }),
        reported: true,
        status: 'reported',
        ...reason,
        effect: row || restatesItem !== undefined ? 'restate' : 'create',
        // A conversion keeps the session that was found first.
        sessionId: row?.session_number ?? group.reports[0].sessionNumber,
        ...(restatesItem !== undefined && { restatesItem }),
      };
    });
  });
}
