import assert from 'node:assert/strict';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { S3_CREDENTIALS, startS3Server } from '../../test/s3-server.ts';
import { testVault } from '../../test/test-keys.ts';
import { buildApp } from '../app.ts';
import { openStorage } from '../files/index.ts';
import { deleteExpiredJobs } from '../jobs/expire-jobs.ts';
import { newUuid } from '../shared/ids.ts';
import { createLog } from '../shared/log.ts';
import { createMetrics } from '../shared/metrics.ts';
import { pageTokens } from '../shared/page-token.ts';
import { sessionIds } from '../shared/session-ids.ts';
import { signedUrl } from '../shared/signed-link.ts';
import { deleteOrphans } from './export-files.ts';
import { exportHandler } from './run-export.ts';
import { filesOfJob, insertRows, readJob, runExport, runnerOf } from './test-support.ts';

const service = await testService();
runnerOf(service).start();
const account = await service.newAccount();
await insertRows(
  service,
  'leads',
  Array.from({ length: 100 }, (_, n) => {
    const at = new Date(service.clock.now).toISOString();
    return { account_id: account.uuid, id: newUuid(), email: `${n}@example.com`, first_seen_at: at, last_seen_at: at };
  }),
);
const newExport = async (format: string) => {
  const { job, file } = await runExport(service, account, { dataset: 'leads', format, fields: ['email'] });
  return { job, file, path: job.result.url.replace('http://headwater.test', '') };
};
const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  service.app.inject({ method, url, headers });

test('a signed URL needs no token and serves the file as a download that no browser renders', async () => {
  for (const [format, type] of [
    ['csv', 'text/csv; charset=utf-8; header=present'],
    ['ndjson', 'application/x-ndjson'],
    ['parquet', 'application/vnd.apache.parquet'],
  ] as const) {
    const { job, file, path } = await newExport(format);
    const answer = await get(path);
    assert.deepEqual(answer.rawPayload, file);
    assert.equal(answer.headers['content-type'], type);
    assert.equal(answer.headers['content-disposition'], `attachment; filename="leads-${job.id}-1.${format}"`);
    assert.equal(answer.headers['content-length'], String(file.length));
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(answer.headers['accept-ranges'], 'bytes');
    const head = await get(path, {}, 'HEAD');
    assert.deepEqual([head.statusCode, head.rawPayload.length], [200, 0]);
    assert.equal(head.headers['content-length'], String(file.length));
  }
});

test('a URL changed in any part is 404, like one to a missing file', async () => {
  const [one, other] = [await newExport('csv'), await newExport('csv')];
  const url = new URL(one.path, 'http://headwater.test');
  const changed = (change: (url: URL) => void) => {
    const copy = new URL(url);
    change(copy);
    return copy.pathname + copy.search;
  };
  const signature = url.searchParams.get('signature') ?? '';
  const bad = [
    changed((each) => each.searchParams.delete('signature')),
    changed((each) => each.searchParams.delete('expires')),
    changed((each) =>
      each.searchParams.set(
        'signature',
        signature.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')),
      ),
    ),
    changed((each) => each.searchParams.set('signature', '')),
    changed((each) => each.searchParams.append('signature', signature)),
    changed((each) => each.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1))),
    changed((each) => {
      each.pathname = new URL(other.path, 'http://headwater.test').pathname;
    }),
    changed((each) => {
      each.pathname = each.pathname.replace('.csv', '.parquet');
    }),
    '/downloads/exports/..%2F..%2Fetc%2Fpasswd?expires=99999999999&signature=x',
    '/downloads/exports/',
  ];
  assert.equal((await get(changed(() => {}))).statusCode, 200);
  for (const path of bad) assert.equal((await get(path)).statusCode, 404, path);
});

test('a URL works for 7 days, and the file is deleted with its job', async () => {
  const { job, path } = await newExport('csv');
  const file = join(service.dataDir, 'files/exports', `leads-${job.id}-1.csv`);
  const expiresAt = Date.parse(String(job.expiresAt));
  assert.equal(expiresAt, Date.parse(String(job.finishedAt)) + 7 * 86_400_000);
  service.clock.now = expiresAt - 1_000;
  assert.equal((await get(path)).statusCode, 200);
  assert.equal((await readJob(service, account, job.id)).result.url, job.result.url);
  service.clock.now = expiresAt;
  assert.equal((await get(path)).statusCode, 404);
  assert.ok(existsSync(file));
  const runner = runnerOf(service);
  await runner.stop();
  const deps = { db: service.db, clock: () => service.clock.now, config: service.config } as never;
  await deleteExpiredJobs(deps, { export: exportHandler(deps, openStorage(service.config)) });
  assert.ok(!existsSync(file));
});

test('a GET may request a range, to resume a download', async () => {
  service.clock.now = Date.now();
  const folder = join(service.dataDir, 'files/exports');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'leads-x-1.csv'), '0123456789');
  const deps = { secret: Buffer.alloc(32, 7), publicUrl: () => '' } as never;
  const url = signedUrl(deps, '/downloads/exports/leads-x-1.csv', new Date(service.clock.now + 60_000));
  const middle = await get(url, { range: 'bytes=2-4' });
  assert.deepEqual([middle.statusCode, middle.body], [206, '234']);
  assert.equal(middle.headers['content-range'], 'bytes 2-4/10');
  assert.equal(middle.headers['content-length'], '3');
  const rest = await get(url, { range: 'bytes=8-', 'if-range': String(middle.headers.etag) });
  assert.deepEqual([rest.statusCode, rest.body], [206, '89']);
  assert.equal((await get(url, { range: 'bytes=8-', 'if-range': '"other"' })).statusCode, 200);
  const behind = await get(url, { range: 'bytes=10-' });
  assert.deepEqual([behind.statusCode, behind.headers['content-range'], behind.body], [416, 'bytes */10', '']);
  assert.equal((await get(url, { range: 'bytes=2-4' }, 'HEAD')).headers['content-length'], '10');
});

test('exports that a killed process left are deleted after 8 days, and none earlier', async () => {
  const storage = openStorage({ storageUrl: join(service.dataDir, 'left'), dataDir: service.dataDir });
  await deleteOrphans(storage, Date.now());
  const folder = join(service.dataDir, 'left/exports');
  mkdirSync(folder, { recursive: true });
  const now = Date.now();
  for (const [name, days] of [
    ['old.csv', 8.1],
    ['young.csv', 7.9],
  ] as const) {
    writeFileSync(join(folder, name), 'x');
    const at = new Date(now - days * 86_400_000);
    utimesSync(join(folder, name), at, at);
  }
  await deleteOrphans(storage, now);
  assert.ok(!existsSync(join(folder, 'old.csv')));
  assert.ok(existsSync(join(folder, 'young.csv')));
});

test('exports in a bucket are served by every process, with ranges, until their job expires', async () => {
  Object.assign(process.env, S3_CREDENTIALS);
  const s3 = await startS3Server();
  const bucket = await testService({ STORAGE_URL: s3.url });
  const runner = runnerOf(bucket);
  runner.start();
  const owner = await bucket.newAccount();
  // Larger than a part of a multipart upload.
  await bucket.db.query(
    `insert into events (account_id, id, event, properties, is_bot, occurred_at, received_at)
     select $1, gen_random_uuid(), 'e', jsonb_build_object('pad', repeat(md5(n::text), 250)), false, now(), now()
     from generate_series(1, 1000) n`,
    [owner.uuid],
  );
  const { job, file } = await runExport(bucket, owner, { dataset: 'events', format: 'csv' });
  assert.ok(file.length > 7_000_000);
  assert.deepEqual(
    [...s3.objects.keys()].map((key) => key.slice(key.indexOf('exports/'))),
    [`exports/events-${job.id}-1.csv`],
  );
  assert.deepEqual([s3.uploads.size, filesOfJob(bucket, job.id)], [0, []], 'no part and no local file is left');

  // Another process shares the database and the bucket, not the disk.
  const config = { ...bucket.config, dataDir: join(service.dataDir, 'elsewhere') };
  const secret = Buffer.alloc(32, 7);
  const { app } = await buildApp({
    ...{
      db: bucket.db,
      control: bucket.control,
      clock: () => bucket.clock.now,
      config,
      secret,
      pageTokens: pageTokens(secret),
      sessionIds: sessionIds(secret),
      vault: testVault(),
    },
    ...{ log: createLog('silent'), metrics: createMetrics(), publicUrl: () => '' },
  });
  after(() => app.close());
  const url = job.result.url.replace('http://headwater.test', '');
  const whole = await app.inject(url);
  assert.ok(whole.rawPayload.equals(file));
  const range = `bytes=${6_000_000}-${6_000_009}`;
  const part = await app.inject({ url, headers: { range } });
  assert.deepEqual([part.statusCode, part.body], [206, file.toString('utf8', 6_000_000, 6_000_010)]);

  const empty = await runExport(bucket, owner, { dataset: 'leads', format: 'ndjson' });
  assert.equal(empty.file.length, 0);

  await runner.stop();
  bucket.clock.now += 8 * 86_400_000;
  const deps = { db: bucket.db, clock: () => bucket.clock.now, config } as never;
  await deleteExpiredJobs(deps, { export: exportHandler(deps, openStorage(config)) });
  assert.equal(s3.objects.size, 0);
});
