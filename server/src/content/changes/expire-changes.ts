import type { Deps } from '../../shared/deps.ts';
import { DAY, HOUR } from '../../shared/units.ts';
import { type WorkerLoop, workerLoop } from '../../shared/worker-loop.ts';
import { deleteExpired } from '../many/queries.ts';
import { expireFormer } from '../past/former.ts';
import { CHANGES_DAYS } from './contract.ts';
import { expireChanges } from './feed.ts';

const POLL_MS = HOUR;
const MOST_EXPIRED = 10;

/** Deletes old changes from the feeds, what was published before them, and changes of many entries that can no longer be undone. */
export function changesWorker({ db, clock, log }: Deps): WorkerLoop {
  return workerLoop({
    name: 'delete old changes',
    log,
    everyMs: POLL_MS,
    runAtStart: true,
    async run(signal) {
      const before = clock() - CHANGES_DAYS * DAY;
      await expireChanges(db, before, signal);
      await expireFormer(db, before, signal);
      return (await deleteExpired(db, { now: new Date(clock()), limit: MOST_EXPIRED })).length === MOST_EXPIRED;
    },
  });
}
