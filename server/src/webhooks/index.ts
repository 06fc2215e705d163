import type { JobHandlers } from '../jobs/index.ts';
import type { Deps, Module } from '../shared/deps.ts';
import { connectPolicy } from '../shared/outbound/connect-policy.ts';
import { Sender } from '../shared/outbound/sender.ts';
import type { OutboxConsumer } from '../shared/outbox.ts';
import type { Pressure } from '../shared/pressure.ts';
import { workerLoop } from '../shared/worker-loop.ts';
import type { PersonalDataHandler } from '../tracking/index.ts';
import { Deliverer } from './delivery/deliverer.ts';
import { FanOut } from './delivery/fan-out.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { WebhookSecrets } from './endpoints/secrets.ts';
import { REPLAY_JOB, replayHandler } from './history/replay.ts';
import { Partitions } from './partitions.ts';
import { personalDataHandler } from './personal-data.ts';
import { webhookRoutes } from './routes.ts';

export { WEBHOOK_COMMANDS, type WebhookOptions } from './commands.ts';
export { countQueuedWebhooks, isDelivering } from './delivery/queries.ts';
export { WEBHOOK_LIMITS } from './limits.ts';
export { webhookPathItems } from './topics/openapi.ts';

const HOUR_MS = 3_600_000;

export function webhooksModule(
  deps: Deps,
  pressure: Pressure,
  consumers: readonly OutboxConsumer[] = [],
): Module & { jobs: JobHandlers; personalData: PersonalDataHandler } {
  const { db, clock, config, log, secret } = deps;
  const mayConnect = connectPolicy(config.webhookAllowCidrs);
  const secrets = new WebhookSecrets(secret);
  const partitions = new Partitions(db);
  const deliverer = new Deliverer(deps, new Sender({ mayConnect }), secrets);
  const retention = workerLoop({
    name: 'delete old webhook deliveries',
    log,
    everyMs: HOUR_MS,
    run: () => partitions.applyRetention(clock()),
  });
  return {
    routes(app) {
      webhookRoutes(app, deps, { secrets, mayConnect, partitions });
      deliveryRoutes(app, deps);
    },
    workers: [new FanOut(deps, pressure, deliverer, partitions, consumers), deliverer, retention],
    jobs: { [REPLAY_JOB]: replayHandler(deps) },
    personalData: personalDataHandler(deps),
  };
}
