/** Reads what ads cost from ad platforms. Its tables: cost_sources. */
import type { JobHandlers } from '../jobs/index.ts';
import type { Deps, Module } from '../shared/deps.ts';
import { connectPolicy } from '../shared/outbound/connect-policy.ts';
import { MOST_OVERDUE, overdueRows } from '../shared/queue.ts';
import { CLEAR_JOB, clearHandler } from './manage/clear-job.ts';
import { findOverdueSources } from './manage/queries.ts';
import { SourceCredentials } from './manage/source-credentials.ts';
import { CostClient } from './read/client.ts';
import { SourceHealth } from './read/health.ts';
import { READ_JOB, readHandler } from './read/read-job.ts';
import { readWorker } from './read/schedule.ts';
import { costRoutes } from './routes.ts';

export { CostSource } from './contract.ts';
export { COST_LIMITS } from './limits.ts';
export { loadCostSources } from './manage/serialize.ts';
export { FAILING_TOPIC } from './read/health.ts';

export function costsModule(deps: Deps): Module & { jobs: JobHandlers } {
  const { config, clock, db, vault } = deps;
  const credentials = new SourceCredentials(db, vault);
  const mayConnect = connectPolicy(config.webhookAllowCidrs);
  const client = new CostClient(config, clock, mayConnect);
  const worker = readWorker(deps);
  return {
    routes: (app) => costRoutes(app, deps, credentials, mayConnect),
    workers: [
      {
        start: () => worker.start(),
        async stop() {
          client.close();
          await worker.stop();
        },
      },
    ],
    jobs: {
      [READ_JOB]: readHandler(deps, client, credentials, new SourceHealth(deps)),
      [CLEAR_JOB]: clearHandler(deps),
    },
    queues: [
      {
        name: 'cost_sources',
        label: 'Costs of ad platforms',
        tables: ['cost_sources'],
        findOverdue: async (before) => overdueRows(await findOverdueSources(db, { before, limit: MOST_OVERDUE })),
      },
    ],
  };
}
