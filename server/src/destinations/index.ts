import type { JobHandlers } from '../jobs/index.ts';
import type { Deps, Module } from '../shared/deps.ts';
import { connectPolicy } from '../shared/outbound/connect-policy.ts';
import type { OutboxConsumer } from '../shared/outbox.ts';
import type { Pressure } from '../shared/pressure.ts';
import type { PersonalDataHandler } from '../tracking/index.ts';
import { PlatformClient } from './delivery/client.ts';
import { outboxConsumer } from './delivery/enqueue.ts';
import { DestinationWorker } from './delivery/worker.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { REPLAY_JOB, replayHandler } from './history/replay.ts';
import { CredentialStore } from './manage/credentials.ts';
import { CLEAR_JOB, clearHandler } from './manage/update-destination.ts';
import { personalDataHandler } from './personal-data.ts';
import { destinationRoutes } from './routes.ts';

export { Destination } from './contract.ts';
export { FAILING_TOPIC } from './delivery/health.ts';
export { DESTINATION_LIMITS } from './limits.ts';
export { loadDestinations } from './manage/serialize.ts';

/** Sends conversions to ad platforms. */
export function destinationsModule(
  deps: Deps,
  pressure: Pressure,
): Module & { jobs: JobHandlers; personalData: PersonalDataHandler; outboxConsumer: OutboxConsumer } {
  const { config, clock, db, secret } = deps;
  const store = new CredentialStore(secret);
  const mayConnect = connectPolicy(config.webhookAllowCidrs);
  const client = new PlatformClient(config, clock, store, mayConnect);
  return {
    routes(app) {
      destinationRoutes(app, deps, store, mayConnect);
      deliveryRoutes(app, deps, client);
    },
    workers: [new DestinationWorker(deps, client, pressure)],
    jobs: { [REPLAY_JOB]: replayHandler(deps), [CLEAR_JOB]: clearHandler(deps) },
    personalData: personalDataHandler(db),
    outboxConsumer: outboxConsumer(clock),
  };
}
