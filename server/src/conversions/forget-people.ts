import { firstUuidAt } from '../shared/ids.ts';
import type { Database } from '../shared/postgres/database.ts';
import type { PersonalData } from '../tracking/index.ts';
import { eraseConversions, eraseWaiting, findPageEnd, forgetIdentifiers, forgetWaitingOf } from './queries.ts';

const PAGE = 5_000;
const FIRST = '00000000-0000-0000-0000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** What conversions know of people: what identifies them and `extra`. Values, and so all sums, stay as they are. */
export function personalData(db: Database): PersonalData {
  return {
    async eraseSessions(accountId, sessions, signal) {
      if (sessions.length === 0) return;
      const numbers = sessions.map(({ number }) => number);
      await eraseWaiting(
        db,
        accountId,
        sessions.flatMap(({ digests }) => digests),
      );
      await eachPage(db, accountId, LAST, signal, (after, upTo) =>
        eraseConversions(db, accountId, after, upTo, numbers),
      );
    },

    async forgetBefore(accountId, before, signal) {
      const end = firstUuidAt(before.getTime());
      while ((await forgetWaitingOf(db, accountId, end, PAGE)).length === PAGE) signal.throwIfAborted();
      await eachPage(db, accountId, end, signal, (after, upTo) =>
        forgetIdentifiers(db, accountId, after, upTo, before),
      );
    },
  };
}

/** Walks through an account's conversions that come before an id, some at a time. */
async function eachPage(
  db: Database,
  accountId: string,
  end: string,
  signal: AbortSignal,
  work: (after: string, upTo: string) => Promise<unknown>,
): Promise<void> {
  for (let after = FIRST; ; ) {
    signal.throwIfAborted();
    const [page] = await findPageEnd(db, accountId, after, end, PAGE - 1);
    await work(after, page?.id ?? end);
    if (!page) return;
    after = page.id;
  }
}
