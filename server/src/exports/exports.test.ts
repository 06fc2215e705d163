// Slow: exports of tens of thousands of rows, each by a job.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Account, testService } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { newUuid, publicId } from '../shared/ids.ts';
import { DATASETS } from './datasets/index.ts';
import {
  endOf,
  filesOfJob,
  insertRows,
  parquetRowGroups,
  parseCsv,
  parseNdjson,
  parseParquet,
  readJob,
  runExport,
  runnerOf,
  startExport,
} from './test-support.ts';

const service = await testService();
runnerOf(service).start();

const faultsOf = async (account: Account, body: unknown) => {
  const answer = await service.call('POST /v1/analytics/export', { as: account, body });
  assert.equal(answer.status, 400, JSON.stringify(body));
  return answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`).sort();
};

/** Inserts events one minute apart, starting at 08:00, with ids in the same order. */
async function insertEvents(account: Account, count: number) {
  const start = Date.parse('2026-11-20T08:00:00.000Z');
  const rows = Array.from({ length: count }, (_, n) => {
    const at = new Date(start + n * 60_000).toISOString();
    return {
      account_id: account.uuid,
      id: newUuid(start + n * 60_000),
      event: `event-${n}`,
      properties: {},
      is_bot: false,
      occurred_at: at,
      received_at: at,
    };
  });
  await insertRows(service, 'events', rows);
}

test('starting an export returns a queued job with its normalized parameters', async () => {
  const account = await service.newAccount();
  const job = await startExport(service, account, {
    dataset: 'leads',
    format: 'csv',
    from: '2026-11-20T09:00:00+01:00',
  });
  assert.deepEqual([job.type, job.status, job.progress, job.result, job.error], ['export', 'queued', 0, null, null]);
  assert.match(job.id, /^job_[0-9a-z]{26}$/);
  assert.deepEqual(job.params, {
    dataset: 'leads',
    format: 'csv',
    from: '2026-11-20T08:00:00.000Z',
    to: null,
    fields: DATASETS.leads.columns.map((column) => column.name),
  });
  const done = await endOf(service, account, job.id);
  assert.equal(done.progress, 1);
  assert.deepEqual(Object.keys(done.result).sort(), ['bytes', 'format', 'rows', 'sha256', 'url']);
});

test('one response lists every fault of a request', async () => {
  const account = await service.newAccount();
  const good = { dataset: 'events', format: 'csv' };
  assert.deepEqual(await faultsOf(account, {}), ['/dataset required', '/format required']);
  assert.deepEqual(
    await faultsOf(account, {
      dataset: 'people',
      format: 'xlsx',
      from: 'yesterday',
      to: 7,
      fields: ['event', 1],
      limit: 3,
    }),
    [
      '/dataset not_allowed',
      '/fields/1 type',
      '/format not_allowed',
      '/from timestamp_invalid',
      '/limit unknown_property',
      '/to type',
    ],
  );
  assert.deepEqual(
    await faultsOf(account, { ...good, fields: ['event', 'nope', 'event', 'sessionID'], from: '2026-02-30' }),
    ['/fields/1 field_unknown', '/fields/2 field_repeated', '/fields/3 field_unknown', '/from timestamp_invalid'],
  );
  assert.deepEqual(await faultsOf(account, { ...good, fields: [] }), ['/fields too_few']);
  assert.deepEqual(await faultsOf(account, { ...good, from: '2026-11-21', to: '2026-11-20' }), ['/to range_empty']);
  assert.deepEqual(await faultsOf(account, { ...good, from: '2026-11-20T00:00:00Z', to: '2026-11-20' }), [
    '/to range_empty',
  ]);
  assert.deepEqual(await faultsOf(account, { ...good, from: '2026-11-20T08:00:00' }), ['/from timestamp_invalid']);
  for (const body of [[], null, 'events', 1]) {
    assert.equal((await service.call('POST /v1/analytics/export', { as: account, body })).status, 400);
  }
  assert.equal((await service.call('POST /v1/analytics/export', { body: good })).status, 401);
  const { rows } = await service.db.query('select count(*) from jobs where account_id = $1', [account.uuid]);
  assert.equal(rows[0].count, 0);
});

test('the same Idempotency-Key starts one export', async () => {
  const account = await service.newAccount();
  const start = (format: string) =>
    service.call('POST /v1/analytics/export', {
      as: account,
      body: { dataset: 'leads', format },
      headers: { 'idempotency-key': 'once' },
    });
  const first = await start('csv');
  assert.deepEqual((await start('csv')).body, first.body);
  assert.equal((await start('ndjson')).body.code, 'idempotency_key_reused');
});

test('from is inclusive, to is exclusive, and a date starts at midnight UTC', async () => {
  const account = await service.newAccount();
  await insertEvents(account, 5);
  const run = async (range: Record<string, string>) =>
    parseNdjson((await runExport(service, account, { dataset: 'events', format: 'ndjson', ...range })).file).map(
      (row) => row.event,
    );
  const all = [0, 1, 2, 3, 4].map((n) => `event-${n}`);
  assert.deepEqual(await run({ from: '2026-11-20T08:01:00Z', to: '2026-11-20T08:03:00.000Z' }), all.slice(1, 3));
  assert.deepEqual(await run({ from: '2026-11-20T08:01:00.001Z' }), all.slice(2));
  assert.deepEqual(await run({ to: '2026-11-20T09:04:00.001+01:00' }), all);
  assert.deepEqual(await run({ from: '2026-11-20', to: '2026-11-21' }), all);
  assert.deepEqual(await run({ to: '2026-11-20' }), []);
  assert.deepEqual(await run({ from: '2026-11-21' }), []);
});

test('each dataset is filtered by its own time', async () => {
  const account = await service.newAccount();
  const [inside, outside] = ['2026-11-20T12:00:00.000Z', '2026-11-22T12:00:00.000Z'];
  const of = (row: Record<string, unknown>) => ({ account_id: account.uuid, ...row });
  const session = { visitor_id: 'v', landing_url: 'https://a.example/', is_bot: false, click_ids: {} };
  for (const [i, [dated, other]] of [
    [inside, outside],
    [outside, inside],
  ].entries()) {
    const name = ['in', 'out'][i];
    await insertRows(service, 'sessions', [
      of({ ...session, number: i + 1, hash: name, short_hash: name, started_at: dated, last_seen_at: other }),
    ]);
    await insertRows(service, 'visits', [
      of({
        id: newUuid(),
        session_number: 1,
        url: name,
        visitor_id: 'v',
        is_bot: false,
        occurred_at: dated,
        received_at: other,
      }),
    ]);
    await insertRows(service, 'events', [
      of({ id: newUuid(), event: name, properties: {}, is_bot: false, occurred_at: dated, received_at: other }),
    ]);
    await insertRows(service, 'leads', [of({ id: newUuid(), email: name, first_seen_at: dated, last_seen_at: other })]);
    const money = { sent_event: name, sent_created_on: dated, received_at: other };
    await insertRows(service, 'conversions', [of({ ...money, id: newUuid(), origin: 'report', updated_at: other })]);
    await insertRows(service, 'unmatched_conversions', [
      of({
        id: newUuid(),
        digest: newUuid(),
        identifier: {},
        sent_event: name,
        sent_created_on: other,
        received_at: dated,
        arrival: i,
      }),
    ]);
  }
  for (const [dataset, field] of [
    ['sessions', 'sessionHash'],
    ['visits', 'url'],
    ['events', 'event'],
    ['leads', 'email'],
    ['conversions', 'event'],
    ['unmatched', 'event'],
  ] as const) {
    const { file } = await runExport(service, account, {
      dataset,
      format: 'csv',
      from: '2026-11-20',
      to: '2026-11-21',
      fields: [field],
    });
    assert.equal(file.toString(), `${field}\r\nin\r\n`, dataset);
  }
});

test('fields selects the columns and their order, in every format', async () => {
  const account = await service.newAccount();
  await insertEvents(account, 1);
  const fields = ['occurredAt', 'event', 'sessionHash'];
  const run = (format: string) => runExport(service, account, { dataset: 'events', format, fields });
  const csv = await run('csv');
  assert.deepEqual(csv.job.params, { dataset: 'events', format: 'csv', from: null, to: null, fields });
  assert.deepEqual(parseCsv(csv.file), [fields, ['2026-11-20T08:00:00.000Z', 'event-0', null]]);
  assert.deepEqual(
    (await run('ndjson')).file.toString(),
    '{"occurredAt":"2026-11-20T08:00:00.000Z","event":"event-0","sessionHash":null}\n',
  );
  const [row] = await parseParquet((await run('parquet')).file);
  assert.deepEqual(Object.keys(row ?? {}), fields);
});

test('bom starts a CSV with a byte order mark, and no other format', async () => {
  const account = await service.newAccount();
  await insertEvents(account, 2);
  const request = { dataset: 'events', format: 'csv', fields: ['event'] };
  const plain = await runExport(service, account, request);
  const marked = await runExport(service, account, { ...request, bom: true });
  assert.equal(marked.file.toString(), `\ufeff${plain.file.toString()}`);
  assert.ok(!plain.file.toString().startsWith('\ufeff'));
  for (const format of ['ndjson', 'parquet']) {
    assert.deepEqual(await faultsOf(account, { ...request, format, bom: true }), ['/bom not_allowed']);
  }
});

test('no row is lost or repeated across pages and row groups', async () => {
  const account = await service.newAccount();
  await service.db.query(
    `insert into events (account_id, id, event, properties, session_number, is_bot, occurred_at, received_at)
     select $1, gen_random_uuid(), 'n' || n,
       jsonb_build_object('pad', (select string_agg(md5(n || ':' || m), '') from generate_series(1, 20) m)),
       nullif(n % 3, 0), false, now(), now()
     from generate_series(1, 65000) n`,
    [account.uuid],
  );
  const all = new Set(Array.from({ length: 65_000 }, (_, n) => `n${n + 1}`));
  for (const format of ['csv', 'ndjson', 'parquet']) {
    const { file, job } = await runExport(service, account, {
      dataset: 'events',
      format,
      fields: ['event', 'properties', 'sessionId'],
    });
    assert.equal(job.result.rows, 65_000);
    const names =
      format === 'csv'
        ? parseCsv(file)
            .slice(1)
            .map(([name]) => name)
        : (format === 'ndjson' ? parseNdjson(file) : await parseParquet(file)).map((row) => row.event);
    assert.equal(names.length, 65_000);
    if (format === 'parquet') assert.ok(parquetRowGroups(file) > 1);
    assert.deepEqual(new Set(names), all);
  }
});

test('while rows are inserted and deleted, an export repeats none and misses none that existed throughout', async () => {
  const account = await service.newAccount();
  const insert = (from: number, to: number) =>
    service.db.query(
      `insert into events (account_id, id, event, properties, is_bot, occurred_at, received_at)
       select $1, gen_random_uuid(), 'n' || n, '{}', false, now(), now() from generate_series($2::int, $3::int) n`,
      [account.uuid, from, to],
    );
  await insert(1, 100_000);
  // Without statistics, a deletion below may get a slow plan and outlast the export.
  await service.db.query('analyze events');
  const job = await startExport(service, account, { dataset: 'events', format: 'ndjson' });
  let next = 100_001;
  let status = 'queued';
  while (status === 'queued' || status === 'running') {
    await insert(next, next + 99);
    await service.db.query(
      `delete from events where account_id = $1 and id in
         (select id from events where account_id = $1 and event like 'n%7' limit 50)`,
      [account.uuid],
    );
    next += 100;
    status = (await readJob(service, account, job.id)).status;
  }
  assert.ok(next > 100_201, 'no rows were inserted during the export');
  const done = await endOf(service, account, job.id);
  const answer = await service.app.inject({ url: done.result.url.replace('http://headwater.test', '') });
  const names = parseNdjson(answer.rawPayload).map((row) => row.event as string);
  const distinct = new Set(names);
  assert.equal(distinct.size, names.length);
  for (let n = 1; n <= 100_000; n++) {
    if (n % 10 !== 7) assert.ok(distinct.has(`n${n}`), `n${n} is missing`);
  }
});

/** Inserts rows that take a while to export: their properties are large, but compress well on disk. */
const insertLarge = (account: Account, count: number) =>
  service.db.query(
    `insert into events (account_id, id, event, properties, is_bot, occurred_at, received_at)
     select $1, gen_random_uuid(), 'e', jsonb_build_object('pad', repeat('x', 10000)), false, now(), now()
     from generate_series(1, $2::int) n`,
    [account.uuid, count],
  );

/** Makes the runner store progress and read the queue now instead of after up to 2 s. */
const wake = () => service.db.query("select pg_notify('headwater_jobs', '')");

test('progress never decreases; canceling stops the work and leaves no file', async () => {
  const account = await service.newAccount();
  await insertLarge(account, 60_000);
  const { id } = await startExport(service, account, { dataset: 'events', format: 'csv' });
  const files = () => filesOfJob(service, id);
  let progress = 0;
  for (; progress === 0; await pause(5)) {
    await wake();
    const job = await readJob(service, account, id);
    assert.ok(job.status === 'queued' || job.status === 'running', job.status);
    assert.ok(job.progress >= progress && job.progress < 1);
    progress = job.progress;
  }
  assert.equal(files().length, 1);
  assert.equal((await service.call(`POST /v1/jobs/${id}/cancel`, { as: account })).body.status, 'cancelled');
  await until(() => files().length === 0);
  // It closes its connection.
  await until(async () => {
    const { rows } = await service.db.query(
      "select from pg_stat_activity where application_name = 'headwater-export' and datname = current_database()",
    );
    return rows.length === 0;
  });
  const job = await readJob(service, account, id);
  assert.deepEqual([job.status, job.result], ['cancelled', null]);
});

test('an export that loses its connection starts again and completes its file', async () => {
  const account = await service.newAccount();
  await insertLarge(account, 20_000);
  const { id } = await startExport(service, account, { dataset: 'events', format: 'ndjson' });
  for (let hasBroken = false; !hasBroken; await pause(1)) {
    const { rows } = await service.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'headwater-export' and datname = current_database() and query like 'copy%'`,
    );
    hasBroken = rows.length > 0;
  }
  // What a killed process leaves behind.
  const abandoned = join(service.dataDir, 'files/exports', `events-${id}-1.ndjson`);
  mkdirSync(dirname(abandoned), { recursive: true });
  writeFileSync(abandoned, 'left behind');
  const job = await endOf(service, account, id);
  assert.equal(job.status, 'completed');
  assert.equal(job.result.rows, 20_000);
  assert.match(job.result.url, /-2\.ndjson\?/);
  assert.deepEqual(filesOfJob(service, id), [`files/exports/events-${id}-2.ndjson`]);
});

test("an export contains only its account's rows, and only that account can read the job", async () => {
  const [mine, theirs] = [await service.newAccount(), await service.newAccount()];
  await insertEvents(mine, 2);
  await insertEvents(theirs, 3);
  const { job } = await runExport(service, mine, { dataset: 'events', format: 'csv' });
  assert.equal(job.result.rows, 2);
  assert.equal((await service.call(`GET /v1/jobs/get-by-id?id=${job.id}`, { as: theirs })).status, 404);
  assert.equal(
    (await service.call(`GET /v1/jobs/get-by-id?id=${publicId('job', newUuid())}`, { as: mine })).status,
    404,
  );
});
