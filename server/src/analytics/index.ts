import type { Deps, Module } from '../shared/deps.ts';
import type { Peers } from '../shared/peers.ts';
import type { Pressure } from '../shared/pressure.ts';
import type { UserActivity } from '../shared/user-activity.ts';
import type { PersonalDataHandler } from '../tracking/index.ts';
import { aggregationWorker } from './aggregation/aggregate-new-rows.ts';
import { personalDataHandler } from './aggregation/personal-data.ts';
import { annotationRoutes } from './annotations/routes.ts';
import { ReportRunner } from './engine/index.ts';
import { listRoutes } from './lists/routes.ts';
import { reportContexts, requestedContexts } from './reports/context.ts';
import { readOverviewAhead } from './reports/overview.ts';
import { ReadAhead } from './reports/read-ahead.ts';
import { ReportOwners } from './reports/report-owners.ts';
import { reportRoutes } from './reports/routes.ts';
import { sharedReportRoutes } from './sharing/report-routes.ts';
import { sharingRoutes } from './sharing/routes.ts';
import { viewRoutes } from './views/routes.ts';

export { aggregateAccount } from './aggregation/aggregate-account.ts';
export { readLag } from './aggregation/lag.ts';
export { recordReceivedRows } from './aggregation/record-new-rows.ts';
export { newRowsCondition, portableColumns } from './aggregation/source-queries.ts';
export { ANALYTICS_LIMITS } from './limits.ts';

export function analyticsModule(
  deps: Deps,
  pressure: Pressure,
  activity: UserActivity,
  peers: Peers,
): Module & { personalData: PersonalDataHandler } {
  const runner = new ReportRunner(deps.db, {}, deps.replica);
  const owners = new ReportOwners(deps, runner, peers);
  const contextFor = reportContexts(deps, owners);
  // The embedded database has one process only.
  const settled = async () => deps.config.databaseUrl && peers.settled();
  const readAhead = new ReadAhead(deps, (accountId) => readOverviewAhead(contextFor, accountId), activity, settled);
  const contextOf = requestedContexts(contextFor, readAhead);
  return {
    routes(app) {
      owners.routes(app);
      reportRoutes(app, deps, contextOf);
      sharingRoutes(app, deps);
      sharedReportRoutes(app, deps, contextOf);
      listRoutes(app, deps);
      viewRoutes(app, deps);
      annotationRoutes(app, deps);
    },
    workers: [aggregationWorker(deps, pressure), runner, readAhead],
    personalData: personalDataHandler(deps),
  };
}
