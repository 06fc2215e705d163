/**
 * Sends conversions to ad platforms and purges caches. Its tables: destination_deliveries, destination_queue,
 * destination_requests, destination_turns, destinations.
 */
import type { JobHandlers } from '../jobs/index.ts';
import type { Deps, Module } from '../shared/deps.ts';
import { connectPolicy } from '../shared/outbound/connect-policy.ts';
import type { OutboxConsumer } from '../shared/outbox.ts';
import type { Pressure } from '../shared/pressure.ts';
import { MOST_OVERDUE, overdueRows } from '../shared/queue.ts';
import { DAY } from '../shared/units.ts';
import type { PersonalDataHandler } from '../tracking/index.ts';
import { PlatformClient } from './delivery/client.ts';
import { outboxConsumer } from './delivery/enqueue.ts';
import { findOverdue } from './delivery/queries.ts';
import { DestinationWorker } from './delivery/worker.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { REPLAY_JOB, replayHandler } from './history/replay.ts';
import { CredentialStore } from './manage/credentials.ts';
import { CLEAR_JOB, clearHandler } from './manage/update-destination.ts';
import { personalDataHandler } from './personal-data.ts';
import { destinationRoutes } from './routes.ts';

export { Destination } from './contract.ts';
export { FAILING_TOPIC } from './delivery/health.ts';
export { logEndingVersions } from './delivery/log-ending-versions.ts';
export { DESTINATION_LIMITS } from './limits.ts';
export {
  type CredentialFields,
  CredentialStore,
  connectionOf,
  maskSecrets,
  SEALED_CREDENTIALS,
} from './manage/credentials.ts';
export { findDestination } from './manage/queries.ts';
export { changeCredentials, checkCredentials } from './manage/read-settings.ts';
export { loadDestinations } from './manage/serialize.ts';
export { form, serviceAccountToken } from './platforms/oauth.ts';
export type { Credentials, HttpRequest, PlatformForm, Verdict } from './platforms/platform.ts';
export { arrayAt, jsonOf, objectAt, readStatus } from './platforms/read-status.ts';
export { PLATFORMS, type PlatformId, platformOf } from './platforms/registry.ts';
export { API_VERSIONS } from './platforms/versions.ts';

/** Sends conversions to ad platforms. */
export function destinationsModule(
  deps: Deps,
  pressure: Pressure,
): Module & { jobs: JobHandlers; personalData: PersonalDataHandler; outboxConsumer: OutboxConsumer } {
  const { config, clock, db, vault } = deps;
  const store = new CredentialStore(vault);
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
    queues: [
      {
        name: 'destinations',
        label: 'Conversions for ad platforms',
        tables: ['destination_queue'],
        findOverdue: async (before) =>
          overdueRows(
            await findOverdue(db, { before, asked_before: new Date(before.getTime() - DAY), limit: MOST_OVERDUE }),
          ),
      },
    ],
  };
}
