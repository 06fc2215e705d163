import { ANALYTICS_LIMITS, analyticsModule } from './analytics/index.ts';
import { CONTENT_LIMITS, contentModule } from './content/index.ts';
import { CONVERSION_LIMITS, conversionsModule } from './conversions/index.ts';
import { COST_LIMITS, costsModule } from './costs/index.ts';
import { DESTINATION_LIMITS, destinationsModule, logEndingVersions, SEALED_CREDENTIALS } from './destinations/index.ts';
import { erasureModule } from './erasure/index.ts';
import { EXPERIMENT_LIMITS, experimentsModule, findServedVariants } from './experiments/index.ts';
import { EXPORT_LIMITS, exportsModule } from './exports/index.ts';
import { FILE_LIMITS, type FileStore, filesModule } from './files/index.ts';
import { importsModule } from './imports/index.ts';
import { jobsModule } from './jobs/index.ts';
import { mcpModule } from './mcp/index.ts';
import { plansModule } from './plans/index.ts';
import { type QueueStatus, queuesModule } from './queues/index.ts';
import { type RejectionLog, rejectionsModule } from './rejections/index.ts';
import { schemaModule } from './schema/index.ts';
import { applyAuditRetention } from './shared/audit.ts';
import type { Deps, Module } from './shared/deps.ts';
import { deleteExpiredIdempotencyKeys } from './shared/http/idempotency.ts';
import type { Peers } from './shared/peers.ts';
import { analyzeGrownTables } from './shared/postgres/grown-tables.ts';
import type { Listener } from './shared/postgres/listener.ts';
import type { Pressure } from './shared/pressure.ts';
import { resealSecrets } from './shared/secrets/reseal.ts';
import { HOUR } from './shared/units.ts';
import type { UserActivity } from './shared/user-activity.ts';
import { workerLoop } from './shared/worker-loop.ts';
import { SQL_LIMITS, sqlModule } from './sql/index.ts';
import { TRACKING_LIMITS, trackingModule } from './tracking/index.ts';
import { auditModule, rolesModule } from './users/index.ts';
import { WAREHOUSE_LIMITS, warehouseModule } from './warehouse/index.ts';
import { SEALED_SECRETS, WEBHOOK_LIMITS, webhooksModule } from './webhooks/index.ts';

export const CELL_LIMITS = {
  content: CONTENT_LIMITS,
  tracking: TRACKING_LIMITS,
  conversions: CONVERSION_LIMITS,
  files: FILE_LIMITS,
  webhooks: WEBHOOK_LIMITS,
  analytics: ANALYTICS_LIMITS,
  exports: EXPORT_LIMITS,
  experiments: EXPERIMENT_LIMITS,
  destinations: DESTINATION_LIMITS,
  costs: COST_LIMITS,
  sql: SQL_LIMITS,
  warehouse: WAREHOUSE_LIMITS,
};

/** Encrypts the secrets of accounts in a database of a version before data keys, once. */
export const resealCell = (deps: Pick<Deps, 'db' | 'vault' | 'secret' | 'log'>) =>
  resealSecrets(deps.db, deps, [SEALED_CREDENTIALS, ...SEALED_SECRETS]);

/**
 * The modules whose data is in cells, for one cell: everything but accounts and users.
 * @param deps with the database of the cell
 * @param listener of the same database
 */
export async function cellModules(
  deps: Deps,
  listener: Listener,
  fileStore: FileStore,
  pressure: Pressure,
  activity: UserActivity,
  rejectionLog: RejectionLog,
  peers: Peers,
  queueStatus: QueueStatus,
): Promise<Module[]> {
  const { storage } = fileStore;
  if (deps.db === deps.control) logEndingVersions(deps);
  const conversions = conversionsModule(deps, (...failed) => rejectionLog.recordItem(...failed));
  const content = contentModule(deps, pressure, findServedVariants(deps));
  const analytics = analyticsModule(deps, pressure, activity, peers, content.entriesOfPaths);
  const destinations = destinationsModule(deps, pressure);
  const costs = costsModule(deps);
  const webhooks = webhooksModule(deps, pressure, [destinations.outboxConsumer]);
  const files = filesModule(deps, fileStore, content.readableUses);
  const exports = exportsModule(deps, storage);
  const imports = importsModule(deps, storage);
  const warehouse = warehouseModule(deps, storage);
  const rejections = rejectionsModule(deps);
  const experiments = experimentsModule(deps, content.variations, pressure);
  const plans = plansModule(deps);
  const tracking = await trackingModule(deps, pressure, {
    hooks: [conversions.trackingHooks],
    personalData: [
      ...[conversions, exports, analytics, experiments, webhooks, destinations, rejections, plans, warehouse],
    ].map(({ personalData }) => personalData),
  });
  const jobHandlers = {
    ...content.jobs,
    ...files.jobs,
    ...conversions.jobs,
    ...tracking.jobs,
    ...exports.jobs,
    ...imports.jobs,
    ...webhooks.jobs,
    ...destinations.jobs,
    ...costs.jobs,
    ...warehouse.jobs,
  };
  const importTypes = Object.keys({ ...imports.jobs, ...conversions.jobs });
  const jobs = jobsModule(deps, listener, jobHandlers, importTypes);
  const modules: Module[] = [
    auditModule(deps),
    rolesModule(deps, content.resolvePermissions),
    content,
    files,
    tracking,
    conversions,
    jobs,
    exports,
    imports,
    analytics,
    experiments,
    webhooks,
    destinations,
    costs,
    warehouse,
    rejections,
    schemaModule(deps, content.wakeIndexer),
    plans,
    mcpModule(deps),
    sqlModule(deps),
    erasureModule(deps, jobHandlers),
    { routes() {}, workers: [analyzeGrownTables(deps)] },
    ...(deps.db === deps.control ? [] : [retention(deps)]),
  ];
  const queues = modules.flatMap((module) => module.queues ?? []);
  return [...modules, queuesModule(deps, queueStatus, queues)];
}

/** Deletes what every database has for a limited time; in the control database the users module does. */
function retention({ db, config, clock, log }: Deps): Module {
  const worker = workerLoop({
    name: 'delete expired idempotency keys and audit entries',
    log,
    everyMs: HOUR,
    async run() {
      await deleteExpiredIdempotencyKeys(db);
      await applyAuditRetention(db, config, clock());
    },
  });
  return { routes() {}, workers: [worker] };
}
