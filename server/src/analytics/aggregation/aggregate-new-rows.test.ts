import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../../test/harness.ts';
import { service } from '../../../test/shared.ts';
import { until } from '../../../test/until.ts';
import { newUuid } from '../../shared/ids.ts';
import { nodeOf, nodesOf } from '../../shared/postgres/citus.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { aggregateNewRows, pauseAfter } from './aggregate-new-rows.ts';
import { recordReceivedRows } from './record-new-rows.ts';
import { aggregateConversions } from './source-queries.ts';
import { updateSegments } from './update-segments.ts';

const deps = { db: service.db, clock: () => service.clock.now };
const DAY = 86_400_000;
/** Of the Citus cluster, if the tests run in one. */
const nodes = service.db.placementLock === undefined ? [] : await nodesOf(service.db);

async function ok(request: string, as: Account, body?: unknown) {
  const answer = await service.call(request, {
    as,
    headers: { 'user-agent': 'Mozilla/5.0 Chrome/153.0.0.0' },
    ...(body !== undefined && { body }),
  });
  assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const period = () =>
  `from=${isoTime(service.clock.now - DAY).slice(0, 10)}&to=${isoTime(service.clock.now + DAY).slice(0, 10)}`;

async function eventsOf(as: Account): Promise<number> {
  const { breakdowns } = await ok(`GET /v1/analytics/breakdown?${period()}&by=event`, as);
  return breakdowns.event.rows.reduce((sum: number, row: { events: number }) => sum + row.events, 0);
}

async function visitsOf(as: Account): Promise<number> {
  return (await ok(`GET /v1/analytics/overview?${period()}`, as)).current.visits;
}

const insertEvent = (tx: Tx, account: Account) =>
  tx.query(
    `insert into events (account_id, id, event, properties, is_bot, occurred_at, received_at)
     values ($1, $2, 'x', '{}', false, now(), now())`,
    [account.uuid, newUuid(service.clock.now)],
  );

test('a row that is committed after later rows were counted is counted once', async () => {
  const account = await service.newAccount();
  const late = await service.db.connect('late');
  await late.query('begin');
  await insertEvent(late, account);
  for (let i = 0; i < 3; i++) {
    await insertEvent(service.db, account);
    await aggregateNewRows(deps);
  }
  assert.equal(await eventsOf(account), 3);
  await late.query('commit');
  await aggregateNewRows(deps);
  await aggregateNewRows(deps);
  assert.equal(await eventsOf(account), 4);
  await late.end();
});

test('a row that was rolled back is never counted', async () => {
  const account = await service.newAccount();
  const other = await service.db.connect('undone');
  await other.query('begin');
  await insertEvent(other, account);
  await aggregateNewRows(deps);
  await other.query('rollback');
  await aggregateNewRows(deps);
  assert.equal(await eventsOf(account), 0);
  await other.end();
});

test('the events of a session with many conversions are read once', {
  skip: service.db.placementLock !== undefined,
}, async () => {
  const account = await service.newAccount();
  const visit = { api_key: account.apiKey, url: 'https://shop.example/' };
  const { sessionHash: hash } = await ok('POST /v1/visits', account, visit);
  for (let i = 0; i < 50; i++) {
    await ok('POST /v1/analytics/report-conversion', account, { hash, eventId: `order-${i}`, value: i });
  }
  for (let i = 0; i < 100; i++) {
    const event = { api_key: account.apiKey, event: `step-${i % 7}`, properties: { sessionHash: hash } };
    await ok('POST /v1/events', account, event);
  }
  const counts = await service.db.transaction(async (tx) => {
    const ids = await tx.query('select account_id, id from conversions where account_id = $1', [account.uuid]);
    await aggregateConversions(tx, { conversions: ids.rows, sessions: [] });
    const { rows } = await tx.query(
      `select (select sum(pg_stat_get_xact_tuples_returned(indexrelid))::int from pg_index
           where indrelid = 'events'::regclass) as read,
         (select count(*)::int from analytics_conversions c join analytics_lists l using (account_id)
           where account_id = $1 and l.key = c.event_list and l.list @> $2) as with_events`,
      [account.uuid, Array.from({ length: 7 }, (_, i) => `step-${i}`)],
    );
    return rows[0];
  });
  assert.equal(counts.with_events, 50);
  assert.ok(counts.read <= 300, `${counts.read} rows were read`);

  const written = () =>
    service.db.transaction(async (tx) => {
      const { rows } = await tx.query('select account_id, number from sessions where account_id = $1', [account.uuid]);
      await aggregateConversions(tx, { conversions: [], sessions: rows });
      const { rows: found } = await tx.query(
        `select pg_stat_get_xact_tuples_updated('analytics_conversions'::regclass)::int as updated,
           (select count(*)::int from analytics_conversions where account_id = $1 and exit_page like '%/thanks') as with_page`,
        [account.uuid],
      );
      return found[0];
    });
  assert.deepEqual(await written(), { updated: 0, with_page: 0 }, 'rows that stay as they are are not written');
  await ok('POST /v1/visits', account, { ...visit, url: 'https://shop.example/thanks', sessionHash: hash });
  assert.deepEqual(await written(), { updated: 50, with_page: 50 });
});

test('concurrent aggregation runs of several processes count each row once', async () => {
  const account = await service.newAccount();
  for (let round = 0; round < 10; round++) {
    await Promise.all([
      ...Array.from({ length: 4 }, () => insertEvent(service.db, account)),
      ...Array.from({ length: 3 }, () => aggregateNewRows(deps)),
    ]);
  }
  await aggregateNewRows(deps);
  assert.equal(await eventsOf(account), 40);
});

test('runs do not grow without end while rows arrive at nearly half the rate at which they are aggregated', () => {
  let ms = 5_000;
  for (let i = 0; i < 50; i++) ms = 0.45 * (ms + pauseAfter(ms));
  assert.ok(ms < 30_000, `a run takes ${Math.round(ms)} ms`);
});

test('rows that are committed while a Citus cluster moves the tables during an aggregation run are counted once', {
  skip: nodes.length < 2,
}, async () => {
  const account = await service.newAccount();
  await insertEvent(service.db, account);
  const node = await nodeOf(service.db);
  const [host, port] = (nodes.find((each) => each !== node) ?? '').split(':');
  const [mover, late] = [await service.db.connect('mover'), await service.db.connect('late')];
  const { rows } = await mover.query('select pg_backend_pid() as pid');
  const isWaiting = async () =>
    (await service.db.query('select from pg_locks where pid = $1 and not granted', [rows[0].pid])).rowCount === 1;
  let hasMoved = false;
  const moving = mover
    .query('select citus_schema_move(current_schema()::regnamespace, $1::text, $2::integer)', [host, Number(port)])
    .then(() => {
      hasMoved = true;
    });
  // Its replication only starts once no older transaction runs.
  await until(async () => {
    const { rows } = await service.db.query(
      `select coalesce(sum(result::int), 0)::int as slots
       from run_command_on_workers('select count(*) from pg_replication_slots where active')`,
    );
    return rows[0].slots > 0;
  });
  await late.query('begin');
  await insertEvent(late, account);
  const afterLock = async () => {
    await until(isWaiting);
    await late.query('commit');
    await until(async () => hasMoved || (await isWaiting()));
  };
  const interrupted: Database['transaction'] = (work, options) =>
    service.db.transaction((tx, last) => {
      const query = async (...args: unknown[]) => {
        const result = await (tx.query as (...all: unknown[]) => Promise<unknown>)(...args);
        if (JSON.stringify(args).includes('lock_progress')) await afterLock();
        return result;
      };
      return work({ query: query as Tx['query'] }, last);
    }, options);
  await recordReceivedRows({ ...deps, db: { ...service.db, transaction: interrupted } });
  await moving;
  await insertEvent(service.db, account);
  for (let i = 0; i < 2; i++) await aggregateNewRows(deps);
  assert.equal(await eventsOf(account), 3);
  await Promise.all([mover.end(), late.end()]);
});

test('an aggregation run that is interrupted leaves nothing half counted', async () => {
  const account = await service.newAccount();
  await insertEvent(service.db, account);
  const { rows } = await service.db.query('select snapshot::text from analytics_progress');
  const broken = {
    ...service.db,
    transaction: <T>(work: (tx: Tx, last: Tx) => Promise<T>) =>
      service.db.transaction(async (tx) => {
        await work(tx, tx);
        throw new Error('the process died');
      }),
  };
  await assert.rejects(recordReceivedRows({ ...deps, db: broken }), /the process died/);
  assert.deepEqual((await service.db.query('select snapshot::text from analytics_progress')).rows, rows);
  assert.equal(await eventsOf(account), 0);
  await aggregateNewRows(deps);
  assert.equal(await eventsOf(account), 1);
});

test('after a restore into a server with lower transaction ids, everything is counted again', async () => {
  const account = await service.newAccount();
  await insertEvent(service.db, account);
  await ok('POST /v1/visits', account, { api_key: account.apiKey, url: 'https://shop.example/' });
  await aggregateNewRows(deps);
  await updateSegments(deps, undefined, 0);
  await service.db.query("update analytics_progress set snapshot = '900000000000000000:900000000000000000:'");
  await service.db.query('update events set inserted_xid = 800000000000000000');
  await aggregateNewRows(deps);
  await aggregateNewRows(deps);
  assert.deepEqual([await eventsOf(account), await visitsOf(account)], [1, 1]);
  await insertEvent(service.db, account);
  await aggregateNewRows(deps);
  assert.equal(await eventsOf(account), 2);
});

test('a session that continues after its segment was written is counted once, before and after the segment is rebuilt', async () => {
  const account = await service.newAccount();
  const { sessionHash } = await ok('POST /v1/visits', account, {
    api_key: account.apiKey,
    url: 'https://shop.example/',
  });
  await aggregateNewRows(deps);
  await updateSegments(deps, undefined, 0);
  const visit = () =>
    ok('POST /v1/visits', account, { api_key: account.apiKey, url: 'https://shop.example/b', sessionHash });
  await visit();
  await aggregateNewRows(deps);
  assert.equal(await visitsOf(account), 2);
  await updateSegments(deps, undefined, 0);
  assert.equal(await visitsOf(account), 2);
  await Promise.all([visit(), updateSegments(deps, undefined, 0), visit(), updateSegments(deps, undefined, 0)]);
  await aggregateNewRows(deps);
  assert.equal(await visitsOf(account), 4);
});
