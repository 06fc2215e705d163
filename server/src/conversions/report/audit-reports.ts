import type { FastifyRequest } from 'fastify';
import { audit, authorOf } from '../../shared/audit.ts';
import { publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { ReportOutcome } from './report-conversions.ts';

/**
 * Logs what a user reports in the dashboard: which conversion, or for a list how many. Reports by API keys are not logged:
 * they are many, and every report is stored as a revision anyway.
 */
export async function auditReports(tx: Tx, request: FastifyRequest, { results, restated }: ReportOutcome, now: number) {
  const { caller } = request;
  if (caller.type !== 'user') return;
  const [only] = results;
  const count = (status: string) => results.filter((each) => each.status === status).length;
  const counts = { reported: count('reported') - restated, restated, unmatched: count('unmatched') };
  const change =
    results.length === 1 && only?._id !== undefined
      ? { action: `conversion.${restated ? 'restated' : 'reported'}`, subject: ['conversion', only._id] as const }
      : {
          action: 'conversions.reported',
          subject: ['account', publicId('acc', caller.accountId)] as const,
          after: { ...counts, failed: count('failed') },
        };
  await audit(tx, authorOf(request), change, now);
}
