import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { S3_CREDENTIALS, startS3Server } from '../../test/s3-server.ts';
import { newUuid } from '../shared/ids.ts';
import { endOf, insertRows, runnerOf, startExport } from './test-support.ts';

test('an export whose file the storage does not accept starts again and completes', async () => {
  Object.assign(process.env, S3_CREDENTIALS);
  const s3 = await startS3Server();
  const service = await testService({ STORAGE_URL: s3.url });
  const account = await service.newAccount();
  const now = new Date();
  const event = { account_id: account.uuid, id: newUuid(), event: 'x', properties: {}, is_bot: false };
  await insertRows(service, 'events', [{ ...event, occurred_at: now, received_at: now }]);
  let refused = 0;
  // As often as the client of the storage tries by itself.
  s3.fault = (method) => (method === 'PUT' && refused++ < 3 ? 'hang up' : undefined);
  runnerOf(service).start();
  const { id } = await startExport(service, account, { dataset: 'events', format: 'csv' });
  const job = await endOf(service, account, id);
  assert.deepEqual([job.status, job.result?.rows], ['completed', 1], JSON.stringify(job.error));
  assert.ok(refused > 3);
  assert.deepEqual([...s3.objects.keys()], [`some/prefix/exports/events-${id}-2.csv`]);
});
