import type { Deps } from '../shared/deps.ts';
import type { PersonalData } from '../tracking/index.ts';
import { markDeletions, markSessions } from './queries.ts';

/**
 * Sessions that are being erased are told of before they are: until they are packed again, an hour later at the earliest,
 * reports read them from their own rows, as these are.
 */
const ERASED_WITHIN_MS = 3_600_000;

/** What reports know of people: a digest of the visitor of each session, and the platforms of its click ids. */
export function personalData({ db, clock }: Pick<Deps, 'db' | 'clock'>): PersonalData {
  return {
    async eraseSessions(accountId, sessions) {
      const due = new Date(clock() + ERASED_WITHIN_MS);
      await markSessions(
        db,
        accountId,
        sessions.map(({ number }) => number),
        due,
      );
    },
    async eraseCopies(accountId) {
      await markDeletions(db, accountId, null);
    },
    async forgetBefore(accountId, before) {
      await markDeletions(db, accountId, before);
    },
  };
}
