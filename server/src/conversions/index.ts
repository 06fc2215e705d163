import type { Deps, Module } from '../shared/deps.ts';
import { inScope } from '../shared/http/server.ts';
import type { PersonalDataHandler, TrackingHooks } from '../tracking/index.ts';
import { listingRoutes } from './listing/routes.ts';
import { LateMatcher } from './matching/late-matcher.ts';
import { personalDataHandler } from './personal-data.ts';
import { recordEventValues } from './report/record-event-values.ts';
import { reportRoutes } from './report/routes.ts';

export { ConversionSummary } from './contract.ts';
export { readConversion } from './listing/list-conversions.ts';
export { loadConversions } from './load-conversions.ts';
export { readAmount } from './report/amount.ts';
export { readCurrency } from './report/currency.ts';

export function conversionsModule(
  deps: Deps,
): Module & { trackingHooks: TrackingHooks; personalData: PersonalDataHandler } {
  const lateMatcher = new LateMatcher(deps);
  return {
    routes(app) {
      // Form bodies are accepted on these routes only.
      inScope(app, (scope) => reportRoutes(scope, deps));
      listingRoutes(app, deps);
    },
    workers: [lateMatcher],
    trackingHooks: {
      valuesRecorded: (tx, events) => recordEventValues(tx, events, deps.clock()),
      sessionsStarted: (sessions) => lateMatcher.sessionsStarted(sessions),
    },
    personalData: personalDataHandler(deps.db),
  };
}
