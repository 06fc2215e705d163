import { accountsModule, guard, KeyVerifier } from './accounts/index.ts';
import { ANALYTICS_LIMITS, analyticsModule } from './analytics/index.ts';
import { scheduledBackups } from './backup/index.ts';
import { CONTENT_LIMITS, contentModule } from './content/index.ts';
import { CONVERSION_LIMITS, conversionsModule } from './conversions/index.ts';
import { dashboardModule } from './dashboard/index.ts';
import { destinationsModule } from './destinations/index.ts';
import { exportsModule } from './exports/index.ts';
import { FILE_LIMITS, filesModule } from './files/index.ts';
import { guideModule } from './guide/index.ts';
import { importsModule } from './imports/index.ts';
import { jobsModule } from './jobs/index.ts';
import type { Deps, Worker } from './shared/deps.ts';
import { deleteExpiredIdempotencyKeys } from './shared/http/idempotency.ts';
import { describeApi } from './shared/http/openapi.ts';
import { type App, createServer, inScope } from './shared/http/server.ts';
import { serviceRoutes } from './shared/http/service-routes.ts';
import { Listener } from './shared/postgres/listener.ts';
import { Pressure } from './shared/pressure.ts';
import { workerLoop } from './shared/worker-loop.ts';
import { TRACKING_LIMITS, trackingModule } from './tracking/index.ts';
import { createFirstRunLink, UserSessions, usersModule } from './users/index.ts';
import { WEBHOOK_LIMITS, webhookPathItems, webhooksModule } from './webhooks/index.ts';

export interface Service {
  app: App;
  workers: Worker[];
  /** A link that creates the first user, if there is none yet. */
  firstRunLink(): Promise<string | undefined>;
}

const HOUR_MS = 3_600_000;

/** Builds the whole service: an app that can listen or be injected into, and its background workers. */
export async function buildApp(deps: Deps): Promise<Service> {
  const { config, db, log, metrics, clock } = deps;
  const app = createServer(config, log, metrics);
  deps.tracing?.instrument(app);
  const listener = new Listener(db, log);
  const keys = new KeyVerifier(db, listener, log, clock);
  const sessions = new UserSessions(deps);
  guard(app, deps, keys, sessions);

  const pressure = new Pressure();
  const conversions = conversionsModule(deps);
  const analytics = analyticsModule(deps, pressure);
  const destinations = destinationsModule(deps);
  const webhooks = webhooksModule(deps, pressure, [destinations.outboxConsumer]);
  const files = filesModule(deps);
  const exports = exportsModule(deps, files.storage);
  const imports = importsModule(deps, files.storage);
  const tracking = await trackingModule(deps, pressure, {
    hooks: [conversions.trackingHooks],
    personalData: [conversions, exports, analytics, webhooks, destinations].map(({ personalData }) => personalData),
  });
  const jobs = jobsModule(deps, listener, {
    ...files.jobs,
    ...conversions.jobs,
    ...tracking.jobs,
    ...exports.jobs,
    ...imports.jobs,
    ...webhooks.jobs,
    ...destinations.jobs,
  });
  const modules = [
    usersModule(deps, sessions),
    accountsModule(deps),
    contentModule(deps),
    files,
    tracking,
    conversions,
    jobs,
    exports,
    imports,
    analytics,
    webhooks,
    destinations,
    dashboardModule(deps),
    guideModule(deps),
  ];

  describeApi(app, webhookPathItems());
  await inScope(app, (scope) => {
    serviceRoutes(scope, deps, {
      content: CONTENT_LIMITS,
      tracking: TRACKING_LIMITS,
      conversions: CONVERSION_LIMITS,
      files: FILE_LIMITS,
      webhooks: WEBHOOK_LIMITS,
      analytics: ANALYTICS_LIMITS,
    });
    for (const module of modules) module.routes(scope);
  });
  await listener.start();
  keys.start();
  app.addHook('onClose', async () => {
    await keys.stop();
    await listener.close();
  });

  const idempotencyKeys = workerLoop({
    name: 'delete expired idempotency keys',
    log,
    everyMs: HOUR_MS,
    run: () => deleteExpiredIdempotencyKeys(db),
  });
  return {
    app,
    workers: [idempotencyKeys, ...scheduledBackups(deps), ...modules.flatMap(({ workers }) => workers)],
    firstRunLink: () => createFirstRunLink(db, deps.publicUrl(), clock()),
  };
}
