import { once } from 'node:events';
import { buildApp } from './app.ts';
import { ConfigError, readConfig } from './shared/config.ts';
import { createLog } from './shared/log.ts';
import { createMetrics } from './shared/metrics.ts';
import { pageTokens } from './shared/page-token.ts';
import { openStore } from './shared/postgres/open-store.ts';
import { systemClock } from './shared/time.ts';

/** After SIGTERM: requests under way get 10 s, the rest of 15 s is for workers and the database. */
const DRAIN_MS = 10_000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const store = await openStore(config, 'service', log);
  const metrics = createMetrics();
  metrics.withProcess();
  let publicUrl = config.publicUrl ?? '';
  const { app, workers } = await buildApp({
    config,
    db: store.db,
    log,
    metrics,
    clock: systemClock,
    pageTokens: pageTokens(store.secret),
    secret: store.secret,
    publicUrl: () => publicUrl,
  });
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await store.close();
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE') throw new ConfigError(`PORT ${config.port} is in use`);
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new ConfigError(`HOST ${config.host}, PORT ${config.port} cannot be listened on (${code})`);
    }
    throw error;
  }
  const { port } = app.server.address() as { port: number };
  publicUrl ||= `http://localhost:${port}`;
  for (const worker of workers) worker.start();
  console.log(
    `Headwater is ready at ${publicUrl} (reference: ${publicUrl}/docs). Make an account: npx headwater accounts create <name>`,
  );

  const stop = async () => {
    const drained = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
    await app.close();
    clearTimeout(drained);
    await Promise.all(workers.map((worker) => worker.stop()));
    await store.close();
  };
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  // A second signal does not wait.
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(1));
  await stop();
}

try {
  await main();
  process.exit(0);
} catch (error) {
  if (error instanceof ConfigError) console.error(`headwater: ${error.message}`);
  else console.error('headwater: the service could not start:', error);
  process.exit(1);
}
