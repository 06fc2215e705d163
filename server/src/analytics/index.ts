/**
 * Reports: columns of sessions that are aggregated from what was recorded, money by click day, costs and exchange
 * rates. Its tables: ad_aliases, ad_cost_history, ad_costs, ad_names, alert_incidents, alert_notices, alert_rules, analytics_bot_checks,
 * analytics_changed_sessions, analytics_conversions, analytics_deletions, analytics_increment_backfills,
 * analytics_increment_rebuilds, analytics_increments, analytics_leads, analytics_lists, analytics_names, analytics_progress, analytics_readers, analytics_rebuild_turn,
 * analytics_segments, analytics_sessionless_events, annotations, channel_rules, exchange_rates, saved_views, shared_links.
 */
import type { Deps, Module } from '../shared/deps.ts';
import type { Peers } from '../shared/peers.ts';
import type { Pressure } from '../shared/pressure.ts';
import { MOST_OVERDUE, overdueRows } from '../shared/queue.ts';
import type { UserActivity } from '../shared/user-activity.ts';
import type { PersonalDataHandler } from '../tracking/index.ts';
import { aggregationWorker } from './aggregation/aggregate-new-rows.ts';
import { readLag } from './aggregation/lag.ts';
import { personalDataHandler } from './aggregation/personal-data.ts';
import { findOverdueRebuilds } from './aggregation/queries.ts';
import { rebuildWorker } from './aggregation/rebuilds.ts';
import { findOverdueAlerts } from './alerts/queries.ts';
import { alertRoutes } from './alerts/routes.ts';
import { alertsWorker } from './alerts/worker.ts';
import { annotationRoutes } from './annotations/routes.ts';
import { ReportRunner } from './engine/index.ts';
import { listRoutes } from './lists/routes.ts';
import { reportContexts, requestedContexts } from './reports/context.ts';
import { readOverviewAhead } from './reports/overview.ts';
import { ReadAhead } from './reports/read-ahead.ts';
import { ReportOwners } from './reports/report-owners.ts';
import { reportRoutes } from './reports/routes.ts';
import type { EntriesOfPaths } from './return-on-ad-spend/keys.ts';
import { sharedReportRoutes } from './sharing/report-routes.ts';
import { sharingRoutes } from './sharing/routes.ts';
import { viewRoutes } from './views/routes.ts';

export { AdNames, LEVELS, type Level } from './ad-costs/ad-names.ts';
export {
  type CostsOrigin,
  countReadDays,
  countReplacedCosts,
  nameOf,
  type ReadCost,
  removeSomeReadCosts,
  storeAdNames,
  storeReadCosts,
} from './ad-costs/read-costs.ts';
export { aggregateAccount } from './aggregation/aggregate-account.ts';
export { readLag } from './aggregation/lag.ts';
export { readAggregated } from './aggregation/read-aggregated.ts';
export { recordReceivedRows } from './aggregation/record-new-rows.ts';
export { newRowsCondition, portableColumns } from './aggregation/source-queries.ts';
export { type DatedRates, readDatedRates } from './exchange-rates/dated-rates.ts';
export { ANALYTICS_LIMITS } from './limits.ts';
export { parseKnownOn } from './reports/parse-query.ts';
export { readValueFactors, type ValueFactor } from './return-on-ad-spend/value-factors.ts';

export function analyticsModule(
  deps: Deps,
  pressure: Pressure,
  activity: UserActivity,
  peers: Peers,
  entriesOfPaths: EntriesOfPaths,
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
      reportRoutes(app, deps, contextOf, entriesOfPaths);
      sharingRoutes(app, deps);
      sharedReportRoutes(app, deps, contextOf);
      listRoutes(app, deps);
      viewRoutes(app, deps);
      annotationRoutes(app, deps);
      alertRoutes(app, deps);
    },
    workers: [
      aggregationWorker(deps, pressure),
      rebuildWorker(deps),
      runner,
      readAhead,
      alertsWorker({ deps, contextFor, entriesOfPaths }),
    ],
    personalData: personalDataHandler(deps),
    queues: [
      {
        name: 'alerts',
        label: 'Alerts',
        tables: ['alert_rules', 'alert_notices'],
        findOverdue: async (before) => overdueRows(await findOverdueAlerts(deps.db, { before, limit: MOST_OVERDUE })),
      },
      {
        name: 'increments',
        label: 'Conversions with many reports',
        tables: ['analytics_increment_rebuilds'],
        findOverdue: async (before) => overdueRows(await findOverdueRebuilds(deps.db, { before, limit: MOST_OVERDUE })),
      },
      {
        name: 'reports',
        label: 'Visits and events that are not in reports yet',
        tables: ['analytics_changed_sessions'],
        async findOverdue(before) {
          const since = new Date(deps.clock() - (await readLag(deps.db)) * 1000);
          return since < before ? [{ accountId: null, subject: '', since }] : [];
        },
      },
    ],
  };
}
