import { ANALYTICS_LIMITS, analyticsModule } from './analytics/index.ts';
import { CONTENT_LIMITS, contentModule } from './content/index.ts';
import { CONVERSION_LIMITS, conversionsModule } from './conversions/index.ts';
import { DESTINATION_LIMITS, destinationsModule } from './destinations/index.ts';
import { erasureModule } from './erasure/index.ts';
import { EXPORT_LIMITS, exportsModule } from './exports/index.ts';
import { FILE_LIMITS, type FileStore, filesModule } from './files/index.ts';
import { importsModule } from './imports/index.ts';
import { jobsModule } from './jobs/index.ts';
import { type RejectionLog, rejectionsModule } from './rejections/index.ts';
import { applyAuditRetention } from './shared/audit.ts';
import type { Deps, Module } from './shared/deps.ts';
import { deleteExpiredIdempotencyKeys } from './shared/http/idempotency.ts';
import type { Peers } from './shared/peers.ts';
import type { Listener } from './shared/postgres/listener.ts';
import type { Pressure } from './shared/pressure.ts';
import type { UserActivity } from './shared/user-activity.ts';
import { workerLoop } from './shared/worker-loop.ts';
import { TRACKING_LIMITS, trackingModule } from './tracking/index.ts';
import { auditModule } from './users/index.ts';
import { WEBHOOK_LIMITS, webhooksModule } from './webhooks/index.ts';

export const CELL_LIMITS = {
  content: CONTENT_LIMITS,
  tracking: TRACKING_LIMITS,
  conversions: CONVERSION_LIMITS,
  files: FILE_LIMITS,
  webhooks: WEBHOOK_LIMITS,
  analytics: ANALYTICS_LIMITS,
  exports: EXPORT_LIMITS,
  destinations: DESTINATION_LIMITS,
};

const HOUR_MS = 3_600_000;

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
): Promise<Module[]> {
  const { storage } = fileStore;
  const conversions = conversionsModule(deps, (...failed) => rejectionLog.recordItem(...failed));
  const analytics = analyticsModule(deps, pressure, activity, peers);
  const destinations = destinationsModule(deps, pressure);
  const webhooks = webhooksModule(deps, pressure, [destinations.outboxConsumer]);
  const files = filesModule(deps, fileStore);
  const exports = exportsModule(deps, storage);
  const imports = importsModule(deps, storage);
  const rejections = rejectionsModule(deps);
  const tracking = await trackingModule(deps, pressure, {
    hooks: [conversions.trackingHooks],
    personalData: [conversions, exports, analytics, webhooks, destinations, rejections].map(
      ({ personalData }) => personalData,
    ),
  });
  const jobHandlers = {
    ...files.jobs,
    ...conversions.jobs,
    ...tracking.jobs,
    ...exports.jobs,
    ...imports.jobs,
    ...webhooks.jobs,
    ...destinations.jobs,
  };
  const jobs = jobsModule(deps, listener, jobHandlers);
  return [
    auditModule(deps),
    contentModule(deps, pressure),
    files,
    tracking,
    conversions,
    jobs,
    exports,
    imports,
    analytics,
    webhooks,
    destinations,
    rejections,
    erasureModule(deps, jobHandlers),
    ...(deps.db === deps.control ? [] : [retention(deps)]),
  ];
}

/** Deletes what every database has for a limited time; in the control database the users module does. */
function retention({ db, config, clock, log }: Deps): Module {
  const worker = workerLoop({
    name: 'delete expired idempotency keys and audit entries',
    log,
    everyMs: HOUR_MS,
    async run() {
      await deleteExpiredIdempotencyKeys(db);
      await applyAuditRetention(db, config, clock());
    },
  });
  return { routes() {}, workers: [worker] };
}
