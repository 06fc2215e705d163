/** Statements of analysts: what they read, what is refused, and that nothing leads to another account. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TimestampType, TimeUnit, Type, tableFromIPC } from '@uwdata/flechette';
import pg from 'pg';
import { furnish, rowsOf } from '../../test/furnished-account.ts';
import { type TestService, testService } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { createTestUser } from '../../test/users.ts';
import { isConnectionError } from '../shared/postgres/database-errors.ts';
import { checkStatement } from './check-statement.ts';
import { StatementRunner } from './run-statement.ts';
import { SqlSchema } from './sql-role.ts';
import { HOSTILE, RAW_HOSTILE } from './test-hostile.ts';
import { VIEW_NAMES } from './views.ts';

// Of its own: jobs of a furnished account, which workers that others start would carry out, change rows.
const service = await testService();
const mine = await furnish(service, 'analyst');
const theirs = await furnish(service, 'stranger');

const ask = (body: object, as = mine) => service.call('POST /v1/sql', { as, body });
const rowsIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
async function read(query: string, parameters?: unknown[]) {
  const { status, body, headers } = await ask({ query, ...(parameters && { parameters }) });
  assert.equal(status, 200, JSON.stringify(body));
  assert.match(String(headers['content-type']), /^application\/x-ndjson/);
  return body === '' ? [] : rowsIn(body);
}

test('every view shows rows of the account, and none of another', async () => {
  for (const view of VIEW_NAMES) {
    const { body, status } = await ask({ query: `select * from ${view}` });
    assert.equal(status, 200, `${view}: ${JSON.stringify(body)}`);
    assert.doesNotMatch(body, /hidden-stranger/);
  }
  assert.match((await ask({ query: 'select * from entries' })).body, /hidden-analyst/);
  assert.match((await ask({ query: 'select * from entries' }, theirs)).body, /hidden-stranger/);
});

test('values are those of the API: exact numbers, times in UTC, IDs in both forms', async () => {
  const [row] = await read(
    `select 1::int as i, 9007199254740993 as big, 1.10::numeric as d, 'NaN'::float8 as nan, true as b, null as n, '{"a":  1}'::json as j,
       timestamptz '2026-01-02 03:04:05.678901+02' as t, date '2026-01-02' as day, array['x', null] as l, 1 as i`,
  );
  assert.deepEqual(row, {
    ...{ i: 1, big: '9007199254740993', d: '1.10', nan: 'NaN', b: true, n: null, j: { a: 1 } },
    ...{ t: '2026-01-02T01:04:05.678Z', day: '2026-01-02', l: ['x', null], i_2: 1 },
  });
  const [entry] = await read(
    'select public_id($1, entry_id) as id, uuid_of(public_id($1, entry_id)) = entry_id as same from entries where entry_id = uuid_of($2)',
    ['ent', mine.entryId],
  );
  assert.deepEqual(entry, { id: mine.entryId, same: true });
  const csv = await ask({
    query: "select '=1+1' as formula, -1 as number, '' as empty, null as none, 'a\"b' as q",
    format: 'csv',
  });
  assert.equal(csv.body, 'formula,number,empty,none,q\r\n\'=1+1,-1,"",,"a""b"\r\n');
});

/** The rows of a statement in the format of Arrow, and the types of its columns. */
async function readArrow(query: string) {
  const { statusCode, headers, rawPayload } = await service.app.inject({
    method: 'POST',
    url: '/v1/sql',
    headers: { 'x-api-key': `Bearer ${mine.token}` },
    payload: { query, format: 'arrow' },
  });
  assert.equal(statusCode, 200, rawPayload.toString());
  assert.equal(headers['content-type'], 'application/vnd.apache.arrow.stream');
  assert.equal(rawPayload.subarray(-8).toString('hex'), 'ffffffff00000000');
  const table = tableFromIPC(rawPayload, { useBigInt: true, useBigIntTimestamp: true, useDate: true });
  return {
    types: table.schema.fields.map(({ type }) => type),
    batches: table.children[0]?.data.length,
    rows: table.toArray(),
  };
}

test('Arrow has exact numbers and times by their types, and else the same values as JSON', async () => {
  const { rows, types } = await readArrow(
    `select 1::int2 as i, 9007199254740993 as big, 1.10::numeric as d, 'NaN'::float8 as nan, 0.5::float4 as half, true as b, null as n,
       '{"a":  1}'::jsonb as j, timestamptz '2026-01-02 03:04:05.678901+02' as t, timestamp '0044-03-15 12:00 BC' as old,
       timestamptz 'infinity' as never, date '1969-12-31' as day, array['x', null] as l, '' as empty, 'ä€𝄞' as i`,
  );
  const { t, old, ...row } = rows[0] as Record<string, unknown>;
  assert.deepEqual(row, {
    ...{ i: 1, big: 9007199254740993n, d: '1.10', nan: Number.NaN, half: 0.5, b: true, n: null, j: '{"a": 1}' },
    ...{ never: null, day: new Date('1969-12-31'), l: '["x",null]', empty: '', i_2: 'ä€𝄞' },
  });
  assert.equal(t, BigInt(Date.parse('2026-01-02T01:04:05.678Z')) * 1000n + 901n);
  assert.equal(old, BigInt(Date.parse('-000043-03-15T12:00:00Z')) * 1000n);
  const times = types.filter(({ typeId }) => typeId === Type.Timestamp) as TimestampType[];
  assert.deepEqual(
    times.map(({ unit, timezone }) => [unit, timezone]),
    [
      [TimeUnit.MICROSECOND, 'UTC'],
      [TimeUnit.MICROSECOND, null],
      [TimeUnit.MICROSECOND, 'UTC'],
    ],
  );
});

test('Arrow streams many rows in batches, and has columns without rows', async () => {
  const query = `select i, case when i % 3 > 0 then i % 2 = 0 end as even, left('äöü€𝄞', i % 6) as text, i / 7.0 as n from generate_series(1, 30000) as i`;
  const { rows, batches = 0 } = await readArrow(query);
  assert.deepEqual(rows, await read(query));
  assert.ok(batches > 5, `${batches} batches`);
  const empty = await readArrow('select lead_id, first_seen_at from leads where false');
  assert.deepEqual([empty.rows.length, empty.types.length], [0, 2]);
});

test('sessions, visits and conversions join by the hash of the session, and agree with the API', async () => {
  const [sums] = await read(
    `with paid as (select s.session_hash from sessions s join visits v using (session_hash) group by 1)
     select count(*) as conversions, sum(c.value) as value from conversions c where c.session_hash in (select session_hash from paid)`,
  );
  const { body } = await service.call('GET /v1/conversions?pageSize=100', { as: mine });
  const values = body.conversions.map(({ value }: { value: string | null }) => Number(value));
  assert.equal(sums.conversions, values.length);
  assert.equal(
    Number(sums.value),
    values.reduce((sum: number, each: number) => sum + each, 0),
  );
});

test('long results stream in batches, and end with their last row', async () => {
  const rows = await read(`select i, lpad('', 100, 'x') as text from generate_series(1, 30000) as i`);
  assert.deepEqual([rows.length, rows.at(-1)?.i], [30_000, 30_000]);
});

test('what is wrong in a statement is said in the words of PostgreSQL, with position and code', async () => {
  const wrong = async (query: string, code: string, detail: RegExp) => {
    const { status, body } = await ask({ query });
    assert.equal(status, 400, query);
    assert.deepEqual([body.code, body.errors[0].pointer], [code, '/query'], `${query}: ${body.detail}`);
    assert.match(body.detail, detail);
  };
  await wrong(
    'select nothing from sessions',
    'sql_error',
    /column "nothing" does not exist \(SQLSTATE 42703, at character 8\)/,
  );
  await wrong('selec 1', 'sql_error', /syntax error at or near "selec" \(SQLSTATE 42601, at character 1\)/);
  await wrong("select 'it''s", 'sql_error', /unterminated quoted string .* at character 8\)/);
  await wrong('select 1 /* x', 'sql_error', /unterminated \/\* comment/);
  await wrong(`select ${'('.repeat(15_000)}'x`, 'sql_error', /unterminated|memory/);
  assert.deepEqual(await read("select '\u0001' as x"), [{ x: '\u0001' }]);
  await wrong('select 1/0', 'sql_error', /division by zero \(SQLSTATE 22012\)/);
  await wrong('select $1', 'sql_error', /SQLSTATE/);
  await wrong('  ', 'sql_empty', /no statement/);
  await wrong('select 1; select 2', 'sql_several', /one statement/);
  await wrong('delete from sessions', 'sql_not_read_only', /DELETE is refused/);
  await wrong(
    'with x as (update leads set name = null returning *) select * from x',
    'sql_not_read_only',
    /UPDATE is refused/,
  );
  await wrong('select * into t from leads', 'sql_not_read_only', /SELECT INTO/);
  await wrong('select * from leads for update', 'sql_not_read_only', /FOR UPDATE/);
  await wrong('select * from users', 'view_unknown', /no view "users"/);
  await wrong(`select ${'1+'.repeat(7_000)}1`, 'sql_too_complex', /too long/);
});

test('hostile statements are refused before they reach the database, each with its reason', async () => {
  for (const query of HOSTILE) {
    await assert.rejects(checkStatement(query), { status: 400 }, query);
  }
});

test('a role reads only the views of its features, and needs to write analytics', async () => {
  const owner = await createTestUser(service, mine, 'owner');
  const tokenWith = async (name: string, features: object, permissions: object[]) => {
    const role = await service.call('POST /v1/roles', { by: owner, body: { name, features, permissions } });
    assert.equal(role.status, 200, JSON.stringify(role.body));
    const body = { type: 'secret', name, roleId: role.body.id };
    const key = await service.call('POST /v1/keys', { by: owner, body });
    assert.equal(key.status, 200, JSON.stringify(key.body));
    return key.body.token;
  };
  const of = async (as: string, view: string) =>
    (await service.call('POST /v1/sql', { as, body: { query: `select * from ${view}` } })).body;
  const analyst = await tokenWith('Analyst', { analytics: 'write' }, [
    { collection: mine.collectionId, actions: ['read'], exceptFields: ['title'] },
  ]);
  assert.equal(typeof (await of(analyst, 'sessions')), 'string');
  for (const view of ['conversions', 'increments', 'entries', 'published_entries', 'files', 'destination_deliveries']) {
    assert.equal((await of(analyst, view)).code, 'role_insufficient', view);
  }
  const reader = await tokenWith('Reader', { analytics: 'read', conversions: 'write' }, [
    { collection: '*', actions: ['read'] },
  ]);
  assert.equal((await of(reader, 'sessions')).code, 'role_insufficient');
});

/** A connection as the role, as if a statement got past the check. */
async function asRole<T>(
  { db, secret }: TestService,
  work: (client: pg.Client, schema: string) => Promise<T>,
): Promise<T> {
  const { name, password, schema } = await new SqlSchema({ db, secret }).prepare();
  const { host, port, database } = new pg.Client(db.connection);
  const client = new pg.Client({ host, port, user: name, password, ...(database !== undefined && { database }) });
  await client.connect();
  try {
    const { rows } = await client.query('select pg_backend_pid() as pid');
    await db.query('insert into sql_statements values ($1, $2) on conflict (pid) do update set bound_to = $2', [
      rows[0].pid,
      mine.uuid,
    ]);
    return await work(client, schema);
  } finally {
    await client.end();
  }
}

test('the role alone reads nothing but the views, and nothing that it can set shows another account', async () => {
  const before = await rowsOf(service, theirs);
  await asRole(service, async (client, schema) => {
    await client.query(`set search_path = "${schema}"; set statement_timeout = 1000`);
    assert.ok(JSON.stringify((await client.query('select * from entries')).rows).includes('hidden-analyst'));
    for (const query of RAW_HOSTILE) {
      const results = [await client.query(query).catch(() => [])].flat();
      assert.doesNotMatch(JSON.stringify(results.map(({ rows }) => rows)), /hidden-stranger/, query);
      await client.query('rollback; reset all').catch(() => {});
      await client.query(`set search_path = "${schema}"; set statement_timeout = 1000`);
    }
    const { rows: granted } = await client.query(
      `select c.oid::regclass::text as name from pg_class c
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'p', 'S') and has_any_column_privilege(c.oid, 'select, insert, update')`,
    );
    assert.deepEqual(granted, []);
  });
  assert.deepEqual(await rowsOf(service, theirs), before);
});

async function executing(): Promise<{ pid: number }[]> {
  const { rows } = await service.db.query(
    "select pid from pg_stat_activity where application_name = 'headwater-sql' and datname = current_database()",
  );
  return rows;
}

test('a statement that takes too long, or whose client has gone, ends and leaves nothing behind', async () => {
  const slow = 'select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b';
  const run = (ms: number, signal: AbortSignal) =>
    new StatementRunner(service, ms).run({ accountId: mine.uuid, query: slow, parameters: [], signal }, async () => {});
  await assert.rejects(run(200, new AbortController().signal), { status: 400, code: 'query_too_expensive' });
  const gone = new AbortController();
  const running = assert.rejects(run(60_000, gone.signal));
  await until(async () => (await executing()).length > 0);
  gone.abort();
  await running;
  await until(async () => (await executing()).length === 0);
  const { rows } = await service.db.query(
    'select from sql_statements where bound_to = $1 and pid in (select pid from pg_stat_activity)',
    [mine.uuid],
  );
  assert.equal(rows.length, 0);
});

test('a server that no longer responds is not the fault of a statement', async () => {
  const query = 'select pg_sleep(50)';
  const statement = { accountId: mine.uuid, query, parameters: [], signal: new AbortController().signal };
  const refused = assert.rejects(
    new StatementRunner(service, 1_000).run(statement, async () => {}),
    isConnectionError,
  );
  await until(async () => (await executing()).length > 0);
  const { pid } = (await executing())[0] as { pid: number };
  try {
    process.kill(pid, 'SIGSTOP');
    await refused;
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await until(async () => (await executing()).length === 0);
});

test('one value that is larger than a process should hold ends the statement alone', async () => {
  const query = "select string_agg(lpad('', 10000, 'x'), '') as text from generate_series(1, 10000)";
  const { status, body } = await ask({ query });
  assert.deepEqual([status, body.code], [400, 'sql_rows_too_large']);
  assert.deepEqual(await read('select 1 as one'), [{ one: 1 }]);
});
