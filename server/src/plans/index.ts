/** Changes that somebody proposes, mostly an agent, and somebody decides about. Its tables: plans. */
import type { Deps, Module } from '../shared/deps.ts';
import { firstUuidAt, LAST_ID } from '../shared/ids.ts';
import { DAY, HOUR } from '../shared/units.ts';
import { workerLoop } from '../shared/worker-loop.ts';
import type { PersonalDataHandler } from '../tracking/index.ts';
import { deletePlansBefore, erasePlans } from './queries.ts';
import { planRoutes } from './routes.ts';

const RETENTION_MS = 90 * DAY;

export function plansModule(deps: Deps): Module & { personalData: PersonalDataHandler } {
  const { db, clock, log } = deps;
  const retention = workerLoop({
    name: 'delete old plans',
    log,
    everyMs: HOUR,
    run: () => deletePlansBefore(db, { end: firstUuidAt(clock() - RETENTION_MS) }),
  });
  const erase = async (accountId: string, end = LAST_ID) => {
    await erasePlans(db, { account_id: accountId, end });
  };
  return {
    routes: (app) => planRoutes(app, deps),
    workers: [retention],
    personalData: {
      eraseCopies: (accountId) => erase(accountId),
      anonymizeBefore: (accountId, before) => erase(accountId, firstUuidAt(before.getTime())),
    },
  };
}
