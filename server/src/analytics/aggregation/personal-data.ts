import type { Deps } from '../../shared/deps.ts';
import { HOUR } from '../../shared/units.ts';
import type { PersonalDataHandler } from '../../tracking/index.ts';
import { markSessions, recordDeletion } from './queries.ts';

/**
 * Sessions are announced before they are erased. Until their segment is rebuilt after this time, reports read them from their
 * own rows, whatever their state.
 */
const ERASED_WITHIN_MS = HOUR;

/** Aggregates hold a digest of each session's visitor, and its platforms. */
export function personalDataHandler({ db, clock }: Pick<Deps, 'db' | 'clock'>): PersonalDataHandler {
  return {
    async eraseSessions(accountId, sessions) {
      const numbers = sessions.map(({ number }) => number);
      await markSessions(db, { account_id: accountId, numbers, due_at: new Date(clock() + ERASED_WITHIN_MS) });
    },
    async eraseCopies(accountId) {
      await recordDeletion(db, { account_id: accountId, before: null });
    },
    async anonymizeBefore(accountId, before) {
      await recordDeletion(db, { account_id: accountId, before });
    },
  };
}
