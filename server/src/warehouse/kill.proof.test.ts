// Slow: the service is started three times and killed in the middle of exports.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { startS3Server } from '../../test/s3-server.ts';
import { until } from '../../test/until.ts';
import { insertRows, runnerOf } from '../exports/test-support.ts';
import { startProcess } from '../files/test-support.ts';
import { newUuid } from '../shared/ids.ts';
import { isoTime } from '../shared/time.ts';
import { ALLOWED, exportNow, filesOf, manifestOf, ok, query, warehouseOn } from './test-support.ts';

const DAY = 86_400_000;

test('a kill in the middle loses and doubles nothing, and names nothing that is not there', async () => {
  const s3 = await startS3Server();
  const own = await testService(ALLOWED, { apart: false });
  const account = await own.newAccount();
  const at = (ago: number) => isoTime(own.clock.now - ago * DAY);
  const rows = Array.from({ length: 3_000 }, (_, i) => ({
    ...{ account_id: account.uuid, id: newUuid(own.clock.now), event_id: `o-${i}`, value: `${i}.01`, currency: 'EUR' },
    ...{ received_at: at(i % 30), origin: 'report', updated_at: at(0), sent_created_on: at(i % 30) },
  }));
  await insertRows(own, 'conversions', rows);
  const { id } = (await ok(own, 'POST /v1/warehouses', account, warehouseOn(s3, { mode: 'off' }))) as { id: string };
  const total = rows.reduce((sum, { value }) => sum + BigInt(value.replace('.', '')), 0n);
  const job = await ok(own, `POST /v1/warehouses/${id}/export`, account, null);
  // Killed while files are uploaded, then while the manifest is written, then not at all.
  for (const isLast of [(key: string) => key.includes('day='), (key: string) => key.endsWith('manifest.ndjson')]) {
    const { child } = await startProcess(own, { jobs: true, env: ALLOWED });
    let left = 5;
    s3.fault = (method, { pathname }) => {
      const key = decodeURIComponent(pathname);
      if (method !== 'PUT' || !isLast(key) || (key.includes('day=') && left-- > 0)) return undefined;
      child.kill('SIGKILL');
      return 'hang up';
    };
    await once(child, 'exit');
    assert.deepEqual(manifestOf(s3, 'conversions'), [], 'no manifest before all files');
    // The lease of the process ends.
    await own.db.query("update jobs set due_at = now() where status = 'running'");
  }
  s3.fault = () => undefined;
  const { child } = await startProcess(own, { jobs: true, env: ALLOWED });
  const read = async () => ok(own, `GET /v1/jobs/get-by-id?id=${job.id}`, account);
  await until(async () => (await read()).status === 'completed');
  child.kill('SIGKILL');
  const named = manifestOf(s3, 'conversions');
  assert.equal(named.length, 30);
  assert.ok(named.every(({ path, bytes }) => s3.objects.get(path)?.body.length === bytes));
  const sums = 'select count(*) as rows, count(distinct id) as ids, sum(value) as value from conversions_current';
  const [found] = await query(s3, sums);
  assert.deepEqual([found?.rows, found?.ids, Number(found?.value)], ['3000', '3000', Number(total) / 100]);
  // What the killed processes uploaded and nothing names is deleted later.
  const { uuid } = account;
  await own.db.query("update warehouse_files set written_at = written_at - interval '2 hours' where account_id = $1", [
    uuid,
  ]);
  runnerOf(own).start();
  assert.equal((await exportNow(own, account, id)).status, 'completed');
  assert.equal(filesOf(s3, 'conversions').length, 30);
});
