import type { Room } from '../shared/deps.ts';
import type { App } from '../shared/http/server.ts';
import { openCountries } from './country.ts';
import { trackingRoutes } from './routes.ts';
import { scriptRoutes } from './script.ts';
import { SettingsCache } from './settings.ts';
import { settingsRoutes } from './settings-routes.ts';

export { CLICK_ID_NAMES } from './click-ids.ts';
export { findSessions, type SessionLookUp } from './find-sessions.ts';
export {
  IDENTIFIER_NAMES,
  type Identifier,
  type IdentifierFault,
  type IdentifierName,
  identify,
  readIdentifier,
} from './identifier.ts';
export { type BegunSession, type Reactions, reactTo, type ValuedEvent } from './reactions.ts';

export const trackingRoom: Room = (app, deps) => {
  const settings = new SettingsCache(deps.db, deps.clock);
  // In a scope of its own: CORS and text/plain are for these routes alone.
  app.register(async (scope) =>
    trackingRoutes(scope as unknown as App, deps, await openCountries(deps.config.geoipPath), settings),
  );
  settingsRoutes(app, deps, settings);
  scriptRoutes(app, deps);
  return [];
};
