/** Exports every dataset to buckets of customers. Its tables: warehouses, warehouse_datasets, warehouse_files. */
import { CredentialStore } from '../destinations/index.ts';
import type { Storage } from '../files/index.ts';
import { enqueueJob, type JobHandlers } from '../jobs/index.ts';
import type { Deps, Module } from '../shared/deps.ts';
import { publicId } from '../shared/ids.ts';
import { connectPolicy } from '../shared/outbound/connect-policy.ts';
import { MOST_OVERDUE, overdueRows } from '../shared/queue.ts';
import { workerLoop } from '../shared/worker-loop.ts';
import type { PersonalDataHandler } from '../tracking/index.ts';
import { findOverdueWarehouses, makeDue, takeDueWarehouses } from './queries.ts';
import { warehouseRoutes } from './routes.ts';
import { EVERY_MS, EXPORT_JOB, type ExportParams, exportHandler } from './run-export.ts';

export { WAREHOUSE_LIMITS } from './limits.ts';

const POLL_MS = 20_000;
const AT_ONCE = 100;

export function warehouseModule(
  deps: Deps,
  files: Storage,
): Module & { jobs: JobHandlers; personalData: PersonalDataHandler } {
  const { config, clock, db, log, vault } = deps;
  const store = new CredentialStore(vault, 'warehouse credentials');
  const mayConnect = connectPolicy(config.webhookAllowCidrs);
  return {
    routes: (app) => warehouseRoutes(app, deps, files, store, mayConnect),
    workers: [
      workerLoop({
        name: 'start exports to warehouses',
        log,
        everyMs: POLL_MS,
        runAtStart: true,
        run: () => startDueExports(deps),
      }),
    ],
    jobs: { [EXPORT_JOB]: exportHandler(deps, files, store, mayConnect) },
    // Days with what was erased are written again.
    personalData: {
      eraseCopies: async (account_id) => {
        await makeDue(db, { account_id, now: new Date(clock()) });
      },
    },
    queues: [
      {
        name: 'warehouses',
        label: 'Exports to warehouses',
        tables: ['warehouses'],
        findOverdue: async (before) => overdueRows(await findOverdueWarehouses(db, { before, limit: MOST_OVERDUE })),
      },
    ],
  };
}

/** Starts the job of each warehouse that is due. Jobs take turns by account, and survive the end of a process. */
function startDueExports(deps: Deps): Promise<boolean> {
  const now = deps.clock();
  return deps.db.transaction(async (tx) => {
    const due = { now: new Date(now), next: new Date(now + EVERY_MS), limit: AT_ONCE };
    const taken = await takeDueWarehouses(tx, due);
    for (const { account_id, id } of taken) {
      const params: ExportParams = { warehouseId: publicId('whs', id) };
      await enqueueJob(deps, tx, account_id, EXPORT_JOB, params);
    }
    return taken.length === AT_ONCE;
  });
}
