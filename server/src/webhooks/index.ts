import { registerJob } from '../jobs/index.ts';
import type { Room } from '../shared/deps.ts';
import { periodically } from '../shared/periodic.ts';
import { holdPersonalData } from '../tracking/index.ts';
import { addressPolicy } from './addresses.ts';
import { Deliverer } from './deliver.ts';
import { FanOut } from './fan-out.ts';
import { personalData } from './forget-people.ts';
import { Partitions } from './partitions.ts';
import { REPLAY, replayHandler } from './replay.ts';
import { deliveryRoutes, webhookRoutes } from './routes.ts';
import { Secrets } from './secret.ts';
import { Sender } from './send.ts';

export { WEBHOOK_COMMANDS, type WebhookOptions } from './commands.ts';
export { describeWebhooks } from './kinds.ts';

const HOUR_MS = 3_600_000;

export const webhooksRoom: Room = (app, deps) => {
  const { db, clock, config, log, secret } = deps;
  const mayConnect = addressPolicy(config.webhookAllowCidrs);
  const secrets = new Secrets(secret);
  const partitions = new Partitions(db);
  webhookRoutes(app, deps, { secrets, mayConnect, partitions });
  deliveryRoutes(app, deps);
  registerJob(deps, REPLAY, replayHandler(deps));
  holdPersonalData(deps, personalData(deps));
  const deliverer = new Deliverer(deps, new Sender({ mayConnect }), secrets);
  const fanOut = new FanOut(deps, deliverer, partitions);
  const dropping = periodically(HOUR_MS, 'to drop old webhook deliveries', log, () => partitions.dropOld(clock()));
  return [fanOut, deliverer, dropping];
};
