import { accountsRoom, guard, KeyVerifier } from './accounts/index.ts';
import { analyticsRoom } from './analytics/index.ts';
import { contentRoom } from './content/index.ts';
import { conversionsRoom } from './conversions/index.ts';
import { dashboardRoom } from './dashboard/index.ts';
import { exportsRoom } from './exports/index.ts';
import { filesRoom } from './files/index.ts';
import { jobsRoom } from './jobs/index.ts';
import type { Deps, Worker } from './shared/deps.ts';
import { forgetOldKeys } from './shared/http/idempotency.ts';
import { describeApi } from './shared/http/openapi.ts';
import { type App, createServer } from './shared/http/server.ts';
import { serviceRoutes } from './shared/http/service-routes.ts';
import { periodically } from './shared/periodic.ts';
import { trackingRoom } from './tracking/index.ts';
import { transferRoom } from './transfer/index.ts';
import { makeFirstRunLink, UserSessions, usersRoom } from './users/index.ts';
import { describeWebhooks, webhooksRoom } from './webhooks/index.ts';

export interface Service {
  app: App;
  workers: Worker[];
  /** A link that makes the first user, where there is none yet. */
  firstRunLink(): Promise<string | undefined>;
}

const ROOMS = [
  accountsRoom,
  contentRoom,
  filesRoom,
  trackingRoom,
  conversionsRoom,
  jobsRoom,
  exportsRoom,
  transferRoom,
  analyticsRoom,
  webhooksRoom,
  dashboardRoom,
];

const HOUR_MS = 3_600_000;

/** The whole service as an app that can be injected into or made to listen, and the work beside it. */
export async function buildApp(deps: Deps): Promise<Service> {
  const { config, db, log, metrics, clock } = deps;
  const app = createServer(config, log, metrics);
  const keys = new KeyVerifier(db, log, clock);
  await keys.start();
  app.addHook('onClose', () => keys.close());
  const sessions = new UserSessions(deps);
  guard(app, deps, keys, sessions);

  await describeApi(app, describeWebhooks());
  const workers: Worker[] = [periodically(HOUR_MS, 'to forget old idempotency keys', log, () => forgetOldKeys(db))];
  await app.register(async (rooms) => {
    serviceRoutes(rooms as unknown as App, deps);
    workers.push(...usersRoom(rooms as unknown as App, deps, sessions));
    for (const open of ROOMS) workers.push(...open(rooms as unknown as App, deps));
  });
  return { app, workers, firstRunLink: () => makeFirstRunLink(db, deps.publicUrl(), clock()) };
}
