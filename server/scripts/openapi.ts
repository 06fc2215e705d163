/** Writes `openapi.json` out of the routes, or with `--check` says whether it is as they are. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/shared/config.ts';
import { createLog } from '../src/shared/log.ts';
import { createMetrics } from '../src/shared/metrics.ts';
import { pageTokens } from '../src/shared/page-token.ts';
import { openDatabase } from '../src/shared/postgres/database.ts';
import { systemClock } from '../src/shared/time.ts';

const FILE = join(import.meta.dirname, '../../openapi.json');

const secret = Buffer.alloc(32);
const { app } = await buildApp({
  config: readConfig({}),
  // The routes are described, none is called: there is no database behind this.
  db: openDatabase({ host: '/nowhere' }, 1, () => {}),
  log: createLog('silent'),
  metrics: createMetrics(),
  clock: systemClock,
  pageTokens: pageTokens(secret),
  secret,
  publicUrl: () => '',
});
await app.ready();
const text = `${JSON.stringify(app.swagger(), null, 2)}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text);
} else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('openapi.json is not as the routes are: run npm run openapi');
  process.exit(1);
}
process.exit(0);
