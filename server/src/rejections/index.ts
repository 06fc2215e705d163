import type { Deps, Module } from '../shared/deps.ts';
import { firstUuidAt } from '../shared/ids.ts';
import { workerLoop } from '../shared/worker-loop.ts';
import type { PersonalDataHandler } from '../tracking/index.ts';
import { deleteRejectionsBefore, eraseRequests } from './queries.ts';
import { rejectionRoutes } from './routes.ts';

export { RejectionLog } from './rejection-log.ts';

const RETENTION_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;

/** Refused requests of keys, for seven days. */
export function rejectionsModule(deps: Deps): Module & { personalData: PersonalDataHandler } {
  const { db, clock, log } = deps;
  const retention = workerLoop({
    name: 'delete old rejected requests',
    log,
    everyMs: HOUR_MS,
    run: () => deleteRejectionsBefore(db, { end: firstUuidAt(clock() - RETENTION_MS) }),
  });
  const erase = async (accountId: string) => {
    await eraseRequests(db, { account_id: accountId });
  };
  return {
    routes: (app) => rejectionRoutes(app, deps),
    workers: [retention],
    // Any row can contain data of any person, in any form: all of the account lose theirs.
    personalData: { eraseRefused: erase, anonymizeBefore: erase },
  };
}
