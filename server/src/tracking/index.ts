import { registerJob } from '../jobs/index.ts';
import type { Room } from '../shared/deps.ts';
import type { App } from '../shared/http/server.ts';
import { periodically } from '../shared/periodic.ts';
import { openCountries } from './country.ts';
import { ERASE_LEAD, eraseLeadHandler } from './erase-lead.ts';
import { forgetOld } from './forget-old.ts';
import { leadRoutes } from './lead-routes.ts';
import { listRoutes } from './list-routes.ts';
import { trackingRoutes } from './routes.ts';
import { scriptRoutes } from './script.ts';
import { SettingsCache } from './settings.ts';
import { settingsRoutes } from './settings-routes.ts';

export { CLICK_ID_NAMES } from './click-ids.ts';
export {
  describeEvents,
  describeLeads,
  describeSessions,
  eventView,
  type Named,
  type SessionView,
  sessionKey,
} from './describe.ts';
export { findSessions, type SessionLookUp } from './find-sessions.ts';
export {
  IDENTIFIER_NAMES,
  type Identifier,
  type IdentifierFault,
  type IdentifierName,
  identify,
  readIdentifier,
} from './identifier.ts';
export { LeadAnswer, SessionAnswer } from './list-contract.ts';
export { readLead } from './list-leads.ts';
export { readSession } from './list-sessions.ts';
export { type ErasedSession, holdPersonalData, type PersonalData } from './personal-data.ts';
export { type BegunSession, type Reactions, reactTo, type ValuedEvent } from './reactions.ts';
export { searchSessions } from './search-sessions.ts';

const RETENTION_MS = 3_600_000;

export const trackingRoom: Room = (app, deps) => {
  const settings = new SettingsCache(deps.db, deps.clock);
  // In a scope of its own: CORS and text/plain are for these routes alone.
  app.register(async (scope) =>
    trackingRoutes(scope as unknown as App, deps, await openCountries(deps.config.geoipPath), settings),
  );
  registerJob(deps, ERASE_LEAD, eraseLeadHandler(deps));
  leadRoutes(app, deps);
  listRoutes(app, deps);
  const retention = periodically(RETENTION_MS, 'to delete what accounts keep no longer', deps.log, (signal) =>
    forgetOld(deps, signal),
  );
  settingsRoutes(app, deps, (accountId) => {
    settings.forget(accountId);
    retention.now();
  });
  scriptRoutes(app, deps);
  return [retention];
};
