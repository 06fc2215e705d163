/**
 * Visits, events, sessions, leads and click IDs. Its tables: click_ids, events, late_sessions, lead_sessions, leads,
 * session_bitmaps, session_signals, session_start_checks, sessions, tracking_settings, visits.
 */
import type { JobHandlers } from '../jobs/index.ts';
import type { Deps, Module } from '../shared/deps.ts';
import { inScope } from '../shared/http/server.ts';
import type { Pressure } from '../shared/pressure.ts';
import { HOUR, MINUTE } from '../shared/units.ts';
import { workerLoop } from '../shared/worker-loop.ts';
import { applyRetention } from './erasure/apply-retention.ts';
import { ERASE_LEAD, eraseLeadHandler } from './erasure/erase-lead.ts';
import { ERASE_VISITOR, eraseVisitorHandler } from './erasure/erase-visitor.ts';
import type { PersonalDataHandler } from './erasure/personal-data.ts';
import type { TrackingHooks } from './hooks.ts';
import { Ingest } from './ingest/ingest.ts';
import { openPlaces } from './ingest/place.ts';
import { ingestRoutes } from './ingest/routes.ts';
import { leadRoutes } from './leads/routes.ts';
import { scriptRoutes } from './script-routes.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { updateSessionBitmaps } from './sessions/update-bitmaps.ts';
import { settingsRoutes } from './settings/routes.ts';
import { SettingsCache } from './settings/settings.ts';

export { isAbsent, isUnfilled } from './absent.ts';
export { isErasing } from './erasure/is-erasing.ts';
export type { ErasedSession, PersonalDataHandler } from './erasure/personal-data.ts';
export { SESSION_IDENTIFIED, type StartedSession, type TrackingHooks, type ValuedEvent } from './hooks.ts';
export {
  decimalText,
  IDENTIFIER_NAMES,
  type Identifier,
  type IdentifierFault,
  type IdentifierName,
  identify,
  readIdentifier,
  uuidDigest,
} from './identifiers.ts';
export { findLargestAccounts } from './ingest/largest-accounts.ts';
export { loadEvents, RecordedEvent } from './ingest/load-events.ts';
export { checkItem } from './ingest/record-batch.ts';
export { Lead, LeadRef, LeadSummary } from './leads/contract.ts';
export { loadLeads, readLead } from './leads/list-leads.ts';
export { TRACKING_LIMITS } from './limits.ts';
export { checkStarts } from './sessions/check-starts.ts';
export { clearBotFlags } from './sessions/clear-bot-flags.ts';
export { Session, SessionSummary } from './sessions/contract.ts';
export { findSessions, type SessionLookup } from './sessions/find-sessions.ts';
export { loadListedSessions, loadSessions, readSession, sessionKey } from './sessions/list-sessions.ts';
export { searchSessions } from './sessions/search-sessions.ts';
export { setRecordsClients } from './signals/queries.ts';
export { SessionClients } from './signals/session-clients.ts';

const RETENTION_MS = HOUR;
const BITMAPS_MS = MINUTE;

/** What other modules contribute to tracking. */
interface TrackingContributions {
  hooks: readonly TrackingHooks[];
  personalData: readonly PersonalDataHandler[];
}

export async function trackingModule(
  deps: Deps,
  pressure: Pressure,
  { hooks, personalData }: TrackingContributions,
): Promise<Module & { jobs: JobHandlers }> {
  const settings = new SettingsCache(deps.db, deps.clock);
  const ingest = new Ingest(deps, await openPlaces(deps.config.geoipPath), pressure, hooks);
  const retention = workerLoop({
    name: 'delete data past its retention',
    log: deps.log,
    everyMs: RETENTION_MS,
    run: (signal) => applyRetention(deps, personalData, signal),
  });
  const bitmaps = workerLoop({
    name: 'update filter bitmaps of sessions',
    log: deps.log,
    everyMs: BITMAPS_MS,
    runAtStart: true,
    run: (signal) => updateSessionBitmaps(deps, signal),
  });
  return {
    routes(app) {
      // CORS and text/plain apply to these routes only.
      inScope(app, (scope) => ingestRoutes(scope, ingest, settings));
      leadRoutes(app, deps);
      sessionRoutes(app, deps);
      settingsRoutes(app, deps, (accountId) => {
        settings.invalidate(accountId);
        retention.wake();
      });
      scriptRoutes(app, deps);
    },
    workers: [retention, bitmaps],
    jobs: {
      [ERASE_LEAD]: eraseLeadHandler(deps, personalData),
      [ERASE_VISITOR]: eraseVisitorHandler(deps, personalData),
    },
  };
}
