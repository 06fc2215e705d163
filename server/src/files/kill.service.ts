/**
 * The process that tests kill: the service on a given database and storage, and with KILL_JOBS its workers. Prints its
 * port.
 */
import { testVault } from '../../test/test-keys.ts';
import { buildApp } from '../app.ts';
import { readConfig } from '../shared/config.ts';
import { createLog } from '../shared/log.ts';
import { createMetrics } from '../shared/metrics.ts';
import { pageTokens } from '../shared/page-token.ts';
import { asControl, openDatabase } from '../shared/postgres/database.ts';
import { sessionIds } from '../shared/session-ids.ts';

const config = readConfig({ ...process.env, RATE_LIMIT: 'off', LOG_LEVEL: 'silent' });
const secret = Buffer.alloc(32, 7);
const db = openDatabase(JSON.parse(process.env.KILL_DATABASE ?? ''), 8, () => {});
const { app, workers } = await buildApp({
  config,
  db,
  control: asControl(db),
  log: createLog(config.logLevel),
  metrics: createMetrics(),
  clock: Date.now,
  pageTokens: pageTokens(secret),
  sessionIds: sessionIds(secret),
  vault: testVault(),
  secret,
  publicUrl: () => 'http://headwater.test',
});
if (process.env.KILL_JOBS) for (const worker of workers) worker.start();
await app.listen({ host: '127.0.0.1', port: 0 });
console.log((app.server.address() as { port: number }).port);
