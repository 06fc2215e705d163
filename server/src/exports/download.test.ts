import assert from 'node:assert/strict';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { registerJob } from '../jobs/index.ts';
import { removeExpiredJobs } from '../jobs/remove-expired.ts';
import { readConfig } from '../shared/config.ts';
import { newUuid } from '../shared/ids.ts';
import { signedUrl } from '../shared/signed-link.ts';
import { readRange } from './byte-range.ts';
import { exportFolder, removeForgotten } from './export-folder.ts';
import { exportHandler } from './run-export.ts';
import { insertRows, readJob, runExport, runnerOf } from './test-support.ts';

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

test('a link needs no token and hands out the file as a download that runs nowhere', async () => {
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

test('a link that was changed in any part is 404, like one to nothing', async () => {
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

test('a link is good for 7 days, and the file is gone with its job', async () => {
  const { job, path } = await newExport('csv');
  const file = join(service.dataDir, 'exports', `leads-${job.id}-1.csv`);
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
  registerJob(deps, 'export', exportHandler(deps));
  await removeExpiredJobs(deps);
  assert.ok(!existsSync(file));
});

test('a part of a file is answered to GET, for a download that goes on', async () => {
  service.clock.now = Date.now();
  const folder = join(service.dataDir, 'exports');
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

test('a Range header is read as RFC 9110 has it', () => {
  for (const [header, expected] of [
    [undefined, undefined],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=5-', { start: 5, end: 9 }],
    ['bytes=5-500', { start: 5, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-30', { start: 0, end: 9 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=4-2', undefined],
    ['bytes=0-1,3-4', undefined],
    ['bytes=-', undefined],
    ['lines=1-2', undefined],
  ] as const) {
    assert.deepEqual(readRange(header, 10), expected, String(header));
  }
  assert.equal(readRange('bytes=0-', 0), 'unsatisfiable');
});

test('exports lie in the storage where one is named, else in the data folder', () => {
  const folder = (env: Record<string, string>) => exportFolder(readConfig({ DATA_DIR: '/data', ...env }));
  assert.equal(folder({}), '/data/exports');
  assert.equal(folder({ STORAGE_URL: '/shared/store' }), '/shared/store/exports');
  assert.equal(folder({ STORAGE_URL: 'file:///shared/my%20store' }), '/shared/my store/exports');
});

test('what a killed process left is removed after 8 days, and nothing younger', async () => {
  const folder = join(service.dataDir, 'left');
  mkdirSync(folder);
  const now = Date.now();
  for (const [name, days] of [
    ['old.csv.part', 8.1],
    ['young.csv', 7.9],
  ] as const) {
    writeFileSync(join(folder, name), 'x');
    const at = new Date(now - days * 86_400_000);
    utimesSync(join(folder, name), at, at);
  }
  await removeForgotten(folder, now);
  assert.ok(!existsSync(join(folder, 'old.csv.part')));
  assert.ok(existsSync(join(folder, 'young.csv')));
  await removeForgotten(join(folder, 'nowhere'), now);
});
