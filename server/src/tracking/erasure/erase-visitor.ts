import type { JobHandler } from '../../jobs/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { eraseSessionData } from './erase-lead.ts';
import type { PersonalDataHandler } from './personal-data.ts';
import { findSession, findVisitorSessions, type LeadSessionRow } from './queries.ts';

export const ERASE_VISITOR = 'erase_visitor';

/** The job's parameters, which its response shows: a session of the visitor, never the visitor's id. Null: there was none. */
export interface EraseVisitorParams {
  sessionId: number | null;
}

const MAX_SESSIONS = 1_000;

/**
 * Handles jobs of type `erase_visitor`: removes all personal data of a visitor who is no lead, in short transactions. The
 * session by which the others are found is erased last, so that an interrupted run can start over.
 */
export function eraseVisitorHandler(deps: Deps, personalData: readonly PersonalDataHandler[]): JobHandler {
  return {
    async run(job) {
      const { sessionId } = job.params as EraseVisitorParams;
      const { accountId } = job;
      const erase = (sessions: LeadSessionRow[]) => eraseSessionData(deps, personalData, job, null, sessions);
      if (sessionId !== null) {
        const key = { account_id: accountId, number: deps.sessionIds.numberOf(sessionId) };
        for (;;) {
          const sessions = await findVisitorSessions(deps.db, { ...key, limit: MAX_SESSIONS });
          if (sessions.length === 0) break;
          await erase(sessions);
        }
        await erase(await findSession(deps.db, key));
        for (const handler of personalData) await handler.eraseCopies?.(accountId);
      }
      for (const handler of personalData) await handler.eraseRefused?.(accountId);
      return { erased: sessionId !== null };
    },
  };
}
