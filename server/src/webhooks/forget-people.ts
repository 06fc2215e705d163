import type { Deps } from '../shared/deps.ts';
import { firstUuidAt } from '../shared/ids.ts';
import type { PersonalData } from '../tracking/index.ts';
import { eraseAnswers, erasePayloads, erasePersonalPayloads, findMessagePageEnd, waitForWriters } from './queries.ts';

const PAGE = 5_000;
const FIRST = '00000000-0000-0000-0000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * What stored payloads tell of people. Of one that is erased is left which thing it was about; should it not have been
 * delivered yet, that is what is delivered.
 */
export function personalData({ db }: Pick<Deps, 'db'>): PersonalData {
  /** Up to where an account's payloads were erased for their age, so that each hour goes on from there. */
  const forgotten = new Map<string, string>();

  /** Walks through an account's payloads, some at a time. */
  const eachPage = async (
    accountId: string,
    begin: string,
    end: string,
    signal: AbortSignal,
    work: (after: string, upTo: string) => Promise<unknown>,
  ) => {
    // A payload that is being made of what has just been erased elsewhere is to be found here.
    await waitForWriters(db);
    for (let after = begin; ; ) {
      signal.throwIfAborted();
      const [page] = await findMessagePageEnd(db, accountId, after, end, PAGE - 1);
      await work(after, page?.id ?? end);
      if (!page) break;
      after = page.id;
    }
    // An answer may repeat what it answers; one that is being written down meanwhile is to be found as well.
    await waitForWriters(db);
    await eraseAnswers(db, accountId, begin, end);
  };

  return {
    eraseSessions(accountId, sessions, signal) {
      const numbers = sessions.map(({ number }) => number);
      if (numbers.length === 0) return Promise.resolve();
      return eachPage(accountId, FIRST, LAST, signal, (after, upTo) =>
        erasePayloads(db, accountId, after, upTo, numbers, null),
      );
    },
    eraseLead: (accountId, lead, signal) =>
      eachPage(accountId, FIRST, LAST, signal, (after, upTo) => erasePayloads(db, accountId, after, upTo, [], lead)),
    async forgetBefore(accountId, before, signal) {
      const end = firstUuidAt(before.getTime());
      const begin = forgotten.get(accountId) ?? FIRST;
      if (begin >= end) return;
      await eachPage(accountId, begin, end, signal, (after, upTo) => erasePersonalPayloads(db, accountId, after, upTo));
      forgotten.set(accountId, end);
    },
  };
}
