/** With a real streaming replica. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { atEnd } from '../../../test/at-end.ts';
import { newDataDir } from '../../../test/service-process.ts';
import { until } from '../../../test/until.ts';
import { ReportRunner } from '../../analytics/engine/index.ts';
import { reportContexts } from '../../analytics/reports/context.ts';
import { exportHandler } from '../../exports/run-export.ts';
import type { Storage } from '../../files/index.ts';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { createLog } from '../log.ts';
import { sessionIds } from '../session-ids.ts';
import { giveTo, prepareFolders, superuserConnection } from './cluster-files.ts';
import { openDatabase } from './database.ts';
import { embeddedConnection, startEmbeddedPostgres } from './embedded.ts';
import { migrate } from './migrate.ts';
import { Replica } from './replica.ts';

const [main, standby] = [newDataDir(), newDataDir()];
const start = async (dataDir: string, settings: Record<string, string> = {}) => {
  const server = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    settings: { fsync: 'off', shared_buffers: '32MB', ...settings },
  });
  // The access rules of the embedded server allow no replication.
  const { cluster, owner } = prepareFolders(dataDir);
  writeFileSync(join(cluster, 'pg_hba.conf'), 'local all all trust\nlocal replication all trust\n');
  giveTo(owner, join(cluster, 'pg_hba.conf'));
  await ask(dataDir, 'select pg_reload_conf()');
  return server;
};
const startStandby = () =>
  start(standby, {
    primary_conninfo: `host=${embeddedConnection(main).host} user=postgres`,
    max_standby_streaming_delay: '0',
    hot_standby_feedback: 'off',
  });

async function ask(dataDir: string, sql: string) {
  const client = new pg.Client(superuserConnection(dataDir));
  await client.connect();
  return client.query(sql).finally(() => client.end());
}

let primary = await start(main);
const setUp = openDatabase(embeddedConnection(main), 2, () => {});
await migrate(setUp);
await setUp.query('update instance set installation = gen_random_uuid()');
await setUp.query('create table things as select n from generate_series(1, 100) as n');
await setUp.close();
await primary.stop();
// Of a server that was shut down, a copy of its files is a base backup.
const folders = prepareFolders(standby);
execFileSync('cp', ['-a', prepareFolders(main).cluster, folders.root]);
writeFileSync(join(folders.cluster, 'standby.signal'), '');
giveTo(folders.owner, join(folders.cluster, 'standby.signal'));
primary = await start(main);
let replicaServer = await startStandby();
atEnd(() => Promise.all([primary.stop(), replicaServer.stop()]));

const db = openDatabase(embeddedConnection(main), 4, () => {});
const deps = {
  config: { replicaLagMs: 1_500, poolSize: 4 } as Config,
  log: createLog('silent'),
  sessionIds: sessionIds(Buffer.alloc(32)),
};
const replica = new Replica(db, embeddedConnection(standby), deps);
replica.start();
atEnd(() => Promise.all([replica.stop(), db.close()]));

const readsReplica = async () => (await replica.reader().query('select pg_is_in_recovery() as it')).rows[0].it;
const usable = () => until(() => replica.isUsable);
const unusable = () => until(() => !replica.isUsable);

test('a replica is read while it is recent, also while nothing is written', async () => {
  await usable();
  assert.equal(await readsReplica(), true);
  await new Promise((resolve) => setTimeout(resolve, 2 * deps.config.replicaLagMs));
  await until(readsReplica);
  const runner = new ReportRunner(db, {}, replica);
  const accountId = '00000000-0000-7000-8000-000000000000';
  const plans = [{ period: { from: 0, to: 3_600_000 }, starts: [0] }];
  for (const mayReadReplica of [false, true]) {
    const include = { bots: false, internal: false };
    await runner.run('count', { accountId, filters: {}, include, plans, mayReadReplica });
    const { rows } = await ask(standby, "select from pg_stat_activity where application_name = 'headwater-reports'");
    assert.equal(rows.length > 0, mayReadReplica);
  }
  await runner.stop();
});

test('an export reads a replica that has what was written before, and the primary if that fails', async () => {
  await usable();
  const { rows } = await db.query(
    "insert into accounts (id, name, cell, created_at) values (gen_random_uuid(), 'Exporting', 'main', now()) returning id",
  );
  const accountId: string = rows[0].id;
  await db.query(
    `insert into events (account_id, id, event, properties, is_bot, occurred_at, received_at)
     select $1, gen_random_uuid(), 'e', '{}', false, now(), now()`,
    [accountId],
  );
  const nowhere = { host: '127.0.0.1', port: 1 };
  const folder = newDataDir();
  const runOn = async (connection: pg.PoolConfig, on: Pick<Replica, 'catchUp' | 'connection' | 'onFailure'>) => {
    const storage = { uploadsFolder: folder, put: async () => {}, delete: async () => {} } as unknown as Storage;
    const params = { dataset: 'events', format: 'csv', fields: ['event'], from: null, to: null };
    const job = { accountId, id: accountId, attempt: 1, params, signal: new AbortController().signal, report() {} };
    const exporting = { ...deps, db: { connection }, replica: on } as unknown as Deps;
    return exportHandler(exporting, storage).run(job);
  };
  assert.equal((await runOn(nowhere, replica)).rows, 1);
  let failures = 0;
  const broken = { catchUp: async () => true, connection: nowhere, onFailure: () => void failures++ };
  assert.equal((await runOn(db.connection, broken)).rows, 1);
  assert.equal(failures, 1);
});

test('reports read the replica, but for an account that has just been moved to the cell', async () => {
  await usable();
  const { rows } = await db.query(
    "insert into accounts (id, name, cell, created_at) values (gen_random_uuid(), 'Moved', 'main', now()) returning id",
  );
  const accountId: string = rows[0].id;
  const requests: object[] = [];
  const runner = { run: async (_type: string, request: object) => requests.push(request) };
  const all = { ...deps, db, control: db, replica } as unknown as Deps;
  const contextFor = reportContexts(all, runner as never);
  for (const [movedAgo, mayReadReplica] of [
    [null, true],
    ['1 second', false],
    ['2 seconds', true],
  ] as const) {
    await db.query('update accounts set moved_at = now() - $2::interval where id = $1', [accountId, movedAgo]);
    const context = await contextFor(accountId, new AbortController().signal);
    const found = await context.db.query('select pg_is_in_recovery() as it');
    assert.equal(found.rows[0].it, mayReadReplica);
    await context.runner.run('rank', {} as never);
    assert.deepEqual(requests.pop(), { channels: [], mayReadReplica });
  }
});

test('what fails on the replica, as it is in the way of replay, is read from the primary', async () => {
  const lsn = await replica.reader().query('select pg_current_wal_lsn() as only_on_a_primary');
  assert.equal(lsn.rows.length, 1);
  const reader = replica.reader();
  const reading = reader.query(
    'select pg_is_in_recovery() as it, case when pg_is_in_recovery() then pg_sleep(20) end from things limit 1',
  );
  const isReading = "select from pg_stat_activity where wait_event = 'PgSleep'";
  await until(async () => (await ask(standby, isReading)).rows.length > 0);
  await ask(main, 'delete from things where n > 1');
  await ask(main, 'vacuum things');
  assert.equal((await reading).rows[0].it, false);
  assert.equal(reader.mayReadReplica(), false, 'what is read next is not older');
  // As soon as it has replayed the rest.
  await until(readsReplica);
});

test('a replica that lags is not read until it has caught up', async () => {
  await ask(standby, 'select pg_wal_replay_pause()');
  await db.query('insert into things values (1001)');
  assert.equal(await replica.catchUp(), false);
  await unusable();
  const { rows } = await replica.reader().query('select pg_is_in_recovery() as it from things where n = 1001');
  assert.deepEqual(rows, [{ it: false }]);
  await ask(standby, 'select pg_wal_replay_resume()');
  await usable();
  const after = await replica.reader().query('select pg_is_in_recovery() as it from things where n = 1001');
  assert.deepEqual(after.rows, [{ it: true }]);
});

test('a replica that is stopped, of another instance or promoted is not read', async () => {
  const lsn = 'pg_current_wal_lsn()::text as lsn';
  const other = { query: () => db.query(`select ${lsn}, gen_random_uuid() as installation`) } as unknown as typeof db;
  const foreign = new Replica(other, embeddedConnection(standby), deps);
  foreign.start();
  await replicaServer.stop();
  assert.equal(await readsReplica(), false);
  await unusable();
  replicaServer = await startStandby();
  await usable();
  assert.equal(foreign.isUsable, false);
  await foreign.stop();
  await ask(standby, 'select pg_promote()');
  await unusable();
  assert.equal(await readsReplica(), false);
});
