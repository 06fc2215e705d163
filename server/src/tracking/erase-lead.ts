import { createHmac } from 'node:crypto';
import type { JobHandler, JobRun } from '../jobs/index.ts';
import type { Deps } from '../shared/deps.ts';
import { eraseAnswers } from '../shared/http/idempotency.ts';
import { firstUuidAt, parseId, uuidTime } from '../shared/ids.ts';
import {
  deleteClickIds,
  deleteLead,
  eraseEvents,
  eraseSessions,
  eraseVisits,
  findEventPageEnd,
  findLeadSessions,
  findVisitPageEnd,
  forgetLeadSessions,
  type LeadSessionRow,
} from './forget-queries.ts';
import { personalDataOf } from './personal-data.ts';
import { clickDigestsOf, digestsOf } from './session-digests.ts';

export const ERASE_LEAD = 'erase_lead';

/** What the job is asked for: not the e-mail, which a job's answer would go on telling. Null: there was no such lead. */
export interface EraseParams {
  leadId: string | null;
}

const SESSIONS = 1_000;
const PAGE = 10_000;
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** A session's time may be ahead of its visits' arrival by an hour (see `occurredAt`), and clocks of processes differ. */
const MARGIN_MS = 2 * 3_600_000;

/**
 * Does the jobs of type `erase_lead`. All that is personal goes, in short transactions; a start that is broken off is
 * done again, for what a session is found by (its lead) is the last that is removed from it.
 */
export function eraseLeadHandler(deps: Deps): JobHandler {
  return {
    async run(job) {
      const { leadId } = job.params as EraseParams;
      const lead = leadId === null ? undefined : parseId('led', leadId);
      if (lead !== undefined) await eraseLead(deps, job, lead);
      return { erased: lead !== undefined };
    },
  };
}

async function eraseLead(deps: Deps, job: JobRun, lead: string): Promise<void> {
  const { db } = deps;
  const { accountId } = job;
  // First: who comes back meanwhile is a new lead.
  await deleteLead(db, accountId, lead);
  for (let sessions: LeadSessionRow[], first = true; ; first = false) {
    sessions = await findLeadSessions(db, accountId, lead, SESSIONS);
    if (sessions.length === 0 && !first) break;
    await eraseFrom(deps, job, lead, sessions);
  }
  // An event that was under way at the first time may have brought it back.
  await deleteLead(db, accountId, lead);
  await forgetLeadSessions(db, accountId, lead);
  for (const data of personalDataOf(deps)) {
    await data.eraseLead?.(accountId, lead, job.signal);
    await data.eraseCopies?.(accountId);
  }
}

async function eraseFrom(deps: Deps, job: JobRun, lead: string, sessions: LeadSessionRow[]): Promise<void> {
  const { db, secret } = deps;
  const { accountId, signal } = job;
  const numbers = sessions.map(({ number }) => number);
  // Another name for each visitor, so that counts of visitors stay; nobody can find out which, once the job is forgotten.
  const salt = createHmac('sha256', secret).update(`erased-visitors\n${job.id}`).digest('hex');

  const visitors = new Set(sessions.map((session) => session.visitor_id));
  await eraseAnswers(
    db,
    accountId,
    [...visitors].map((visitor) => `"visitorId":"${visitor}"`),
  );
  const earliest = Math.min(uuidTime(lead), ...sessions.map((session) => session.started_at.getTime()));
  const begin = firstUuidAt(earliest - MARGIN_MS);
  await eachPage(signal, begin, findEventPageEnd, (after, upTo) =>
    eraseEvents(db, accountId, after, upTo, lead, numbers),
  );
  await eachPage(signal, begin, findVisitPageEnd, (after, upTo) =>
    eraseVisits(db, accountId, after, upTo, numbers, salt),
  );
  const named = sessions.map((session) => ({
    number: session.number,
    digests: digestsOf(session.hash, session.number, session.click_ids),
  }));
  for (const data of personalDataOf(deps)) await data.eraseSessions?.(accountId, named, signal);
  const clicks = sessions.flatMap((session) =>
    clickDigestsOf(session.click_ids).map((digest) => ({ session, digest })),
  );
  await db.transaction(async (tx) => {
    await deleteClickIds(
      tx,
      accountId,
      clicks.map(({ digest }) => digest),
      clicks.map(({ session }) => session.started_at),
      clicks.map(({ session }) => session.number),
    );
    await eraseSessions(tx, accountId, numbers, salt);
  });

  async function eachPage(
    signal: AbortSignal,
    begin: string,
    findEnd: typeof findEventPageEnd,
    work: (after: string, upTo: string) => Promise<unknown>,
  ): Promise<void> {
    for (let after = begin; ; ) {
      signal.throwIfAborted();
      const [page] = await findEnd(db, accountId, after, PAGE - 1);
      await work(after, page?.id ?? LAST);
      if (!page) return;
      after = page.id;
    }
  }
}
