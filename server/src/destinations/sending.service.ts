/**
 * The process that tests kill: sends to destinations from a given database, by a clock that its parent sets. Reports when it
 * runs.
 */

import { testVault } from '../../test/test-keys.ts';
import { readConfig } from '../shared/config.ts';
import { createLog } from '../shared/log.ts';
import { createMetrics } from '../shared/metrics.ts';
import { pageTokens } from '../shared/page-token.ts';
import { placementLockOf } from '../shared/postgres/citus.ts';
import { asControl, openDatabase } from '../shared/postgres/database.ts';
import { Pressure } from '../shared/pressure.ts';
import { sessionIds } from '../shared/session-ids.ts';
import { webhooksModule } from '../webhooks/index.ts';
import { destinationsModule } from './index.ts';

const { database, secret: hex, now, env } = JSON.parse(process.env.SENDING ?? '');
const secret = Buffer.from(hex, 'hex');
const clock = { now };
process.on('message', (time: number) => {
  clock.now = time;
});
process.on('disconnect', () => process.exit());

const config = readConfig(env);
const db = openDatabase(database, 8, () => {});
db.placementLock = await placementLockOf(db);
const deps = {
  config,
  db,
  control: asControl(db),
  log: createLog(config.logLevel),
  metrics: createMetrics(),
  clock: () => clock.now,
  pageTokens: pageTokens(secret),
  sessionIds: sessionIds(secret),
  vault: testVault(),
  secret,
  publicUrl: () => 'http://headwater.test',
};
const pressure = new Pressure();
const destinations = destinationsModule(deps, pressure);
const webhooks = webhooksModule(deps, pressure, [destinations.outboxConsumer]);
for (const worker of [...destinations.workers, ...webhooks.workers]) worker.start();
process.send?.('running');
