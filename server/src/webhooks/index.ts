/**
 * Messages to the endpoints of accounts, with their attempts. Its tables: webhook_arrivals, webhook_attempts, webhook_deliveries,
 * webhook_endpoints, webhook_messages, webhook_queue.
 */
import type { JobHandlers } from '../jobs/index.ts';
import type { Deps, Module } from '../shared/deps.ts';
import { FIRST_ID, firstUuidAt } from '../shared/ids.ts';
import { connectPolicy } from '../shared/outbound/connect-policy.ts';
import { Sender } from '../shared/outbound/sender.ts';
import type { OutboxConsumer } from '../shared/outbox.ts';
import type { Pressure } from '../shared/pressure.ts';
import { MOST_OVERDUE, overdueRows } from '../shared/queue.ts';
import { HOUR } from '../shared/units.ts';
import { workerLoop } from '../shared/worker-loop.ts';
import type { PersonalDataHandler } from '../tracking/index.ts';
import { testEndpointRoutes } from './arrival-routes.ts';
import { Deliverer } from './delivery/deliverer.ts';
import { FanOut } from './delivery/fan-out.ts';
import { findOverdueChanges, findOverdueDeliveries } from './delivery/queries.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { WebhookSecrets } from './endpoints/secrets.ts';
import { deleteArrivals, deleteArrivalsBefore, KEPT_HOURS, TestEndpoint } from './history/arrivals.ts';
import { REPLAY_JOB, replayHandler } from './history/replay.ts';
import { Partitions } from './partitions.ts';
import { personalDataHandler } from './personal-data.ts';
import { webhookRoutes } from './routes.ts';

export { WEBHOOK_COMMANDS, type WebhookOptions } from './commands.ts';
export { countQueuedWebhooks, isDelivering } from './delivery/queries.ts';
export { SEALED_SECRETS } from './endpoints/secrets.ts';
export { WEBHOOK_LIMITS } from './limits.ts';
export { applyWebhookSchema, readWebhookSchema, SchemaWebhook } from './schema.ts';
export { webhookPathItems } from './topics/openapi.ts';

/** More than anybody has. */
const EVERY_ENDPOINT = { after_account: FIRST_ID, after_endpoint: FIRST_ID, heads: 1_000_000 };

export function webhooksModule(
  deps: Deps,
  pressure: Pressure,
  consumers: readonly OutboxConsumer[] = [],
): Module & { jobs: JobHandlers; personalData: PersonalDataHandler } {
  const { db, clock, config, log, vault } = deps;
  const mayConnect = connectPolicy(config.webhookAllowCidrs);
  const secrets = new WebhookSecrets(vault);
  const partitions = new Partitions(db);
  const testEndpoint = new TestEndpoint(deps, secrets);
  const deliverer = new Deliverer(deps, new Sender({ mayConnect }), secrets, {}, testEndpoint);
  const retention = workerLoop({
    name: 'delete old webhook deliveries',
    log,
    everyMs: HOUR,
    run: async () => {
      await deleteArrivalsBefore(db, { end: firstUuidAt(clock() - KEPT_HOURS * HOUR) });
      return partitions.applyRetention(clock());
    },
  });
  return {
    routes(app) {
      webhookRoutes(app, deps, { secrets, mayConnect, partitions, testEndpoint });
      deliveryRoutes(app, deps);
      testEndpointRoutes(app, deps, testEndpoint);
    },
    workers: [new FanOut(deps, pressure, deliverer, partitions, consumers), deliverer, retention],
    jobs: { [REPLAY_JOB]: replayHandler(deps) },
    personalData: {
      ...personalDataHandler(deps),
      eraseCopies: async (accountId) => {
        await deleteArrivals(db, { account_id: accountId });
      },
    },
    queues: [
      {
        name: 'webhooks',
        label: 'Webhook deliveries',
        tables: ['webhook_queue'],
        findOverdue: async (before) =>
          overdueRows(await findOverdueDeliveries(db, { ...EVERY_ENDPOINT, before, limit: MOST_OVERDUE })),
      },
      {
        name: 'changes',
        label: 'Changes for webhooks and ad platforms',
        tables: ['outbox'],
        findOverdue: async (before) => overdueRows(await findOverdueChanges(db, { before, limit: MOST_OVERDUE })),
      },
    ],
  };
}
