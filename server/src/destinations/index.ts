import type { JobHandlers } from '../jobs/index.ts';
import type { Deps, Module } from '../shared/deps.ts';
import { connectPolicy } from '../shared/outbound/connect-policy.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { REPLAY_JOB, replayHandler } from './history/replay.ts';
import { CredentialStore } from './manage/credentials.ts';
import { destinationRoutes } from './routes.ts';

/** Sends conversions to ad platforms. */
export function destinationsModule(deps: Deps): Module & { jobs: JobHandlers } {
  const store = new CredentialStore(deps.secret);
  const mayConnect = connectPolicy(deps.config.webhookAllowCidrs);
  return {
    routes(app) {
      destinationRoutes(app, deps, store, mayConnect);
      deliveryRoutes(app, deps);
    },
    workers: [],
    jobs: { [REPLAY_JOB]: replayHandler(deps) },
  };
}
