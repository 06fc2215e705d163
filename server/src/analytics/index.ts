import type { Room } from '../shared/deps.ts';
import { periodically } from '../shared/periodic.ts';
import { holdPersonalData } from '../tracking/index.ts';
import { personalData } from './forget-people.ts';
import { keepCounting } from './keep-counting.ts';
import { peopleRoutes } from './people-routes.ts';
import { reportRoutes } from './routes.ts';
import { ReportsThread } from './run-reports.ts';

export { countAccount } from './count-account.ts';

const EVERY_MS = 1_500;

export const analyticsRoom: Room = (app, deps) => {
  const reports = new ReportsThread(deps.db);
  holdPersonalData(deps, personalData(deps));
  reportRoutes(app, deps, reports);
  peopleRoutes(app, deps, reports);
  return [periodically(EVERY_MS, 'to count what has arrived', deps.log, keepCounting(deps)), reports];
};
