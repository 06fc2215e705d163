/** Refused requests of the last days, for whoever looks for their cause. Its tables: rejected_requests. */
import type { Deps, Module } from '../shared/deps.ts';
import { firstUuidAt, LAST_ID } from '../shared/ids.ts';
import { DAY, HOUR } from '../shared/units.ts';
import { workerLoop } from '../shared/worker-loop.ts';
import type { PersonalDataHandler } from '../tracking/index.ts';
import { deleteRejectionsBefore, eraseRequests } from './queries.ts';
import { rejectionRoutes } from './routes.ts';

export { RejectionLog } from './rejection-log.ts';

const RETENTION_MS = 7 * DAY;

/** Refused requests of keys, for seven days. */
export function rejectionsModule(deps: Deps): Module & { personalData: PersonalDataHandler } {
  const { db, clock, log } = deps;
  const retention = workerLoop({
    name: 'delete old rejected requests',
    log,
    everyMs: HOUR,
    run: () => deleteRejectionsBefore(db, { end: firstUuidAt(clock() - RETENTION_MS) }),
  });
  const erase = async (accountId: string, end = LAST_ID) => {
    await eraseRequests(db, { account_id: accountId, end });
  };
  return {
    routes: (app) => rejectionRoutes(app, deps),
    workers: [retention],
    // Any row can contain data of any person, in any form: all of the account lose theirs.
    personalData: {
      eraseRefused: (accountId) => erase(accountId),
      anonymizeBefore: (accountId, before) => erase(accountId, firstUuidAt(before.getTime())),
    },
  };
}
