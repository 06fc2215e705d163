/** Generates `openapi.json` from the routes, and before it the error codes that are part of it. With `--check`, it fails if the file is not up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import './error-codes.ts';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/shared/config.ts';
import { createLog } from '../src/shared/log.ts';
import { createMetrics } from '../src/shared/metrics.ts';
import { pageTokens } from '../src/shared/page-token.ts';
import { asControl, openDatabase } from '../src/shared/postgres/database.ts';
import { MasterKeys } from '../src/shared/secrets/master-keys.ts';
import { Vault } from '../src/shared/secrets/vault.ts';
import { sessionIds } from '../src/shared/session-ids.ts';
import { systemClock } from '../src/shared/time.ts';

const FILE = join(import.meta.dirname, '../../openapi.json');

const secret = Buffer.alloc(32);
// No route is called, so there is no database.
const db = openDatabase({ host: '/nowhere' }, 1, () => {});
const { app } = await buildApp({
  config: readConfig({}),
  db,
  control: asControl(db),
  log: createLog('silent'),
  metrics: createMetrics(),
  clock: systemClock,
  pageTokens: pageTokens(secret),
  sessionIds: sessionIds(secret),
  secret,
  vault: new Vault(new MasterKeys({ secretKey: secret.toString('base64'), secretKeyFile: '' })),
  publicUrl: () => '',
});
await app.ready();
const text = `${JSON.stringify(await app.openapi(), null, 1)}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text);
} else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('openapi.json is out of date. Run npm run openapi.');
  process.exit(1);
}
process.exit(0);
