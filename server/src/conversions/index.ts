import type { Room } from '../shared/deps.ts';
import { holdPersonalData, reactTo } from '../tracking/index.ts';
import { personalData } from './forget-people.ts';
import { LateMatch } from './late-match.ts';
import { listRoutes } from './list-routes.ts';
import { recordEventValues } from './record-event-values.ts';
import { conversionRoutes } from './routes.ts';

export { type ConversionView, describeConversions } from './describe.ts';

export const conversionsRoom: Room = (app, deps) => {
  const lateMatch = new LateMatch(deps);
  reactTo(deps, {
    valuesRecorded: (tx, events) => recordEventValues(tx, events, deps.clock()),
    sessionsBegan: (sessions) => lateMatch.sessionsBegan(sessions),
  });
  holdPersonalData(deps, personalData(deps.db));
  conversionRoutes(app, deps);
  listRoutes(app, deps);
  return [lateMatch];
};
