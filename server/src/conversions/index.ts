import type { JobHandlers } from '../jobs/index.ts';
import type { Deps, Module } from '../shared/deps.ts';
import { inScope } from '../shared/http/server.ts';
import type { PersonalDataHandler, TrackingHooks } from '../tracking/index.ts';
import { importRoutes } from './imports/routes.ts';
import { UNDO_JOB, undoHandler } from './imports/undo-job.ts';
import { listingRoutes } from './listing/routes.ts';
import { LateMatcher } from './matching/late-matcher.ts';
import { personalDataHandler } from './personal-data.ts';
import { recordEventValues } from './report/record-event-values.ts';
import { type OnItemFailed, reportRoutes } from './report/routes.ts';

export { ConversionSummary } from './contract.ts';
export { CONVERSION_LIMITS } from './limits.ts';
export { readConversion } from './listing/list-conversions.ts';
export { loadConversions } from './load-conversions.ts';
export { readAmount } from './report/amount.ts';

export function conversionsModule(
  deps: Deps,
  onItemFailed: OnItemFailed,
): Module & { trackingHooks: TrackingHooks; personalData: PersonalDataHandler; jobs: JobHandlers } {
  const lateMatcher = new LateMatcher(deps);
  return {
    routes(app) {
      // Form bodies are accepted on these routes only.
      inScope(app, (scope) => reportRoutes(scope, deps, onItemFailed));
      importRoutes(app, deps);
      listingRoutes(app, deps);
    },
    workers: [lateMatcher],
    jobs: { [UNDO_JOB]: undoHandler(deps) },
    trackingHooks: {
      valuesRecorded: (tx, last, events) => recordEventValues(tx, last, events, deps.clock()),
      sessionsStarted: (sessions) => lateMatcher.sessionsStarted(sessions),
    },
    personalData: personalDataHandler(deps.db),
  };
}
