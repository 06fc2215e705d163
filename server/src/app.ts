import { ACCOUNT_LIMITS, accountsModule, guard, KeyVerifier } from './accounts/index.ts';
import { backupModule } from './backup/index.ts';
import { CELL_LIMITS, cellModules, resealCell } from './cell.ts';
import { type BuildModules, Cells, cellRoutes, dispatchByCell, movesWorker } from './cells/index.ts';
import { dashboardModule } from './dashboard/index.ts';
import { openFileStore, uploadTokenVerifier } from './files/index.ts';
import { guideModule } from './guide/index.ts';
import { mailModule } from './mail/index.ts';
import { QueueStatus, QueueWatch } from './queues/index.ts';
import { RejectionLog } from './rejections/index.ts';
import type { Deps, Module, Worker } from './shared/deps.ts';
import { describeApi } from './shared/http/openapi.ts';
import { type App, createServer, inScope } from './shared/http/server.ts';
import { serviceRoutes } from './shared/http/service-routes.ts';
import { MAIN } from './shared/main-cell.ts';
import { Outages } from './shared/outages.ts';
import { Peers } from './shared/peers.ts';
import { Listener } from './shared/postgres/listener.ts';
import { Replica } from './shared/postgres/replica.ts';
import { Pressure } from './shared/pressure.ts';
import { UserActivity } from './shared/user-activity.ts';
import {
  createFirstRunLink,
  mayStillChange,
  saveServiceUrl,
  USER_LIMITS,
  UserSessions,
  usersModule,
} from './users/index.ts';
import { webhookPathItems } from './webhooks/index.ts';

export interface Service {
  app: App;
  workers: Worker[];
  cells: Cells;
  /** A link that creates the first user, if there is none yet. */
  firstRunLink(): Promise<string | undefined>;
  /** Records where the service is reached, once it listens. */
  announce(): Promise<void>;
}

/** Builds the whole service: an app that can listen or be injected into, and its background workers. */
export async function buildApp(given: Deps): Promise<Service> {
  const { replicaUrl } = given.config;
  const replica = replicaUrl && new Replica(given.db, { connectionString: replicaUrl }, given);
  const deps: Deps = replica ? { ...given, replica } : given;
  const { config, control, log, metrics, clock } = deps;
  const outages = new Outages(
    log,
    async (cell) => (cell === MAIN ? deps.db : cells.ready(cell)?.db)?.isAlive() ?? false,
  );
  const app = createServer(config, outages.logOf(MAIN), metrics);
  deps.tracing?.instrument(app);
  const listener = new Listener(control, log);
  const peers = new Peers(listener, () => deps.internalUrl?.());
  const keys = new KeyVerifier(control, listener, log, clock);
  const activity = new UserActivity();
  const sessions = new UserSessions(deps, activity);
  const files = openFileStore(config);
  const pressure = new Pressure();
  const rejections = new RejectionLog(deps, (cell) => (cell === MAIN ? deps.db : cells.ready(cell)?.db));
  const queueStatus = new QueueStatus(metrics, clock);
  const build: BuildModules = (cellDeps, cellListener) =>
    cellModules(cellDeps, cellListener, files, pressure, activity, rejections, peers, queueStatus);
  const buildCell: BuildModules = async (cellDeps, cellListener) => {
    await resealCell(cellDeps);
    return build(cellDeps, cellListener);
  };
  const cells = new Cells(deps, listener, buildCell, outages);
  app.addHook('onError', (request, _reply, error, done) => {
    rejections.recordError(request, error);
    done();
  });
  dispatchByCell(app, cells, metrics);
  const verifyUpload = uploadTokenVerifier(
    clock,
    async (accountId) => {
      const cell = await cells.cellOf(accountId);
      return { cell, db: cell === MAIN ? deps.db : (await cells.open(cell)).db };
    },
    ({ accountId, ...author }) => mayStillChange(control, accountId, author),
  );
  const limits = guard(app, deps, keys, sessions, peers, verifyUpload);

  const ofInstallation: Module[] = [mailModule(deps), backupModule(deps)];
  const modules: Module[] = [
    usersModule(deps, sessions),
    accountsModule(deps),
    ...(await build({ ...deps, log: outages.logOf(MAIN) }, listener)),
    dashboardModule(deps),
    guideModule(deps),
    ...ofInstallation,
    { routes: (scope: App) => cellRoutes(scope, deps, cells), workers: [] },
  ];

  describeApi(app, webhookPathItems());
  await inScope(app, (scope) => {
    serviceRoutes(scope, deps, { ...CELL_LIMITS, accounts: ACCOUNT_LIMITS, users: USER_LIMITS }, () =>
      queueStatus.overdue(),
    );
    for (const module of modules) module.routes(scope);
  });
  await listener.start();
  keys.start();
  app.addHook('preClose', () => peers.stop());
  app.addHook('onClose', async () => {
    outages.close();
    await keys.stop();
    await cells.close();
    await listener.close();
  });

  return {
    app,
    cells,
    workers: [
      files.processes,
      cells,
      movesWorker(deps, cells),
      new QueueWatch(
        deps,
        queueStatus,
        ofInstallation.flatMap(({ queues = [] }) => queues),
      ),
      rejections.worker,
      peers,
      ...(replica ? [replica] : []),
      ...limits,
      ...modules.flatMap(({ workers }) => workers),
    ],
    firstRunLink: () => createFirstRunLink(control, deps.publicUrl(), clock()),
    async announce() {
      await saveServiceUrl(control, { url: deps.publicUrl(), now: new Date(clock()) });
    },
  };
}
