// Slow: services in processes and databases of their own.
/** Backups by the real process, once; `backup.proof.test.ts` has more. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { testDatabaseUrl } from './harness.ts';
import { commandJson, newDataDir, startService } from './service-process.ts';
import { until } from './until.ts';

test('a service backs up to BACKUP_URL automatically, and metrics show when', async () => {
  const location = join(newDataDir(), 'backups');
  const service = await startService({ DATABASE_URL: await testDatabaseUrl(), BACKUP_URL: location });
  const newest = async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(/^headwater_backup_last_success_timestamp_seconds (\S+)$/m.exec(text)?.[1]);
  };
  await until(async () => (await newest()) > 0);
  const { backups } = await commandJson(['backup', 'list', location], {});
  assert.equal(backups.length, 1);
  const { isValid } = await commandJson(['backup', 'verify', location], {});
  assert.equal(isValid, true);
  service.kill('SIGTERM');
  assert.equal((await service.ended).code, 0);
});
