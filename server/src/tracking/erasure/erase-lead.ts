import { createHmac } from 'node:crypto';
import type { JobHandler, JobRun } from '../../jobs/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { eraseResponses } from '../../shared/http/idempotency.ts';
import { firstUuidAt, LAST_ID, parseId, uuidTime } from '../../shared/ids.ts';
import { forEachIdRange } from '../../shared/postgres/walk-by-id.ts';
import { HOUR } from '../../shared/units.ts';
import { sessionDigests } from '../identifiers.ts';
import { deleteSignals } from '../signals/queries.ts';
import { deleteClickIdsOf } from './apply-retention.ts';
import type { PersonalDataHandler } from './personal-data.ts';
import {
  deleteLead,
  deleteLeadSessions,
  eraseEvents,
  eraseSessions,
  eraseVisits,
  findEventPageEnd,
  findLeadSessions,
  findVisitPageEnd,
  type LeadSessionRow,
  lockClickIds,
} from './queries.ts';

export const ERASE_LEAD = 'erase_lead';

/** The job's parameters, which its response shows: the lead's id, never the email. Null: there was no such lead. */
export interface EraseParams {
  leadId: string | null;
}

const MAX_SESSIONS = 1_000;
const PAGE = 10_000;

/** A session may start up to an hour after the arrival of its visits (see `occurredAt`), and processes' clocks differ. */
const MARGIN_MS = 2 * HOUR;

/**
 * Handles jobs of type `erase_lead`: removes all personal data of the lead, in short transactions. The link from a session
 * to its lead, by which the session is found, is removed last, so that an interrupted run can start over.
 */
export function eraseLeadHandler(deps: Deps, personalData: readonly PersonalDataHandler[]): JobHandler {
  return {
    async run(job) {
      const { leadId } = job.params as EraseParams;
      const lead = leadId === null ? undefined : parseId('led', leadId);
      if (lead !== undefined) await eraseLead(deps, personalData, job, lead);
      for (const handler of personalData) await handler.eraseRefused?.(job.accountId);
      return { erased: lead !== undefined };
    },
  };
}

async function eraseLead(
  deps: Deps,
  personalData: readonly PersonalDataHandler[],
  job: JobRun,
  lead: string,
): Promise<void> {
  const { db } = deps;
  const { accountId } = job;
  const key = { account_id: accountId, lead };
  // First, so that a person who comes back meanwhile becomes a new lead.
  await deleteLead(db, key);
  for (let sessions: LeadSessionRow[], isFirst = true; ; isFirst = false) {
    sessions = await findLeadSessions(db, { ...key, limit: MAX_SESSIONS });
    if (sessions.length === 0 && !isFirst) break;
    await eraseSessionData(deps, personalData, job, lead, sessions);
  }
  // An event that was being recorded during the first deletion may have written the lead again.
  await deleteLead(db, key);
  await deleteLeadSessions(db, key);
  for (const handler of personalData) {
    await handler.eraseLead?.(accountId, lead, job.signal);
    await handler.eraseCopies?.(accountId);
  }
}

/** Erases sessions with their visits and events, and where there is a lead, its events without a session. */
export async function eraseSessionData(
  deps: Deps,
  personalData: readonly PersonalDataHandler[],
  job: JobRun,
  lead: string | null,
  found: readonly LeadSessionRow[],
): Promise<void> {
  const { db, secret } = deps;
  const { accountId, signal } = job;
  const sessions = found.map(({ number }) => number);
  for (const handler of personalData) await handler.beforeErasing?.(accountId, lead, sessions);
  // Visitors get new names, so that visitor counts remain. Without the job's id they cannot be linked to the old ones.
  const salt = createHmac('sha256', secret).update(`erased-visitors\n${job.id}`).digest('hex');

  const visitors = new Set(found.map((session) => session.visitor_id));
  await eraseResponses(
    db,
    accountId,
    [...visitors].map((visitor) => `"visitorId":"${visitor}"`),
  );
  const starts = found.map((session) => session.started_at.getTime());
  const earliest = Math.min(...(lead === null ? [] : [uuidTime(lead)]), ...starts);
  const range = { start: firstUuidAt(earliest - MARGIN_MS), end: LAST_ID, signal };
  const account = { account_id: accountId };
  await forEachIdRange(
    range,
    (after) => findEventPageEnd(db, { ...account, after, rows: PAGE - 1 }),
    ({ after, upTo }) => eraseEvents(db, { ...account, after, up_to: upTo, lead, sessions, visitors: [...visitors] }),
  );
  await forEachIdRange(
    range,
    (after) => findVisitPageEnd(db, { ...account, after, rows: PAGE - 1 }),
    ({ after, upTo }) => eraseVisits(db, { ...account, after, up_to: upTo, sessions, salt }),
  );
  const erased = found.map(({ number, hash, click_ids: clickIds }) => ({
    number,
    digests: sessionDigests({ hash, number, clickIds }),
  }));
  for (const handler of personalData) await handler.eraseSessions?.(accountId, erased, signal);
  await db.transaction(async (tx) => {
    await deleteClickIdsOf(tx, accountId, await lockClickIds(tx, { ...account, sessions }));
    await deleteSignals(tx, { ...account, sessions });
    await eraseSessions(tx, { ...account, sessions, salt });
  });
}
