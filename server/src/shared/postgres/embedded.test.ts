import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { until } from '../../../test/until.ts';
import { embeddedConnection, findBinaries, isReady, startEmbeddedPostgres } from './embedded.ts';
import { run } from './server-process.ts';

/** As mktemp and a home make them: closed to the user that the server runs as, where this runs as root. */
const closed = mkdtempSync(join(tmpdir(), 'headwater-embedded-'));
chmodSync(closed, 0o700);
after(() => rmSync(closed, { recursive: true, force: true }));

const log = () => {};
const settings = { shared_buffers: '16MB' };

async function ask(dataDir: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(embeddedConnection(dataDir));
  await client.connect();
  const { rows } = await client.query({ text: sql, rowMode: 'array' }).finally(() => client.end());
  return rows.flat();
}

test('the server runs with its programs and its data below a closed folder', async () => {
  const native = join(closed, 'native');
  cpSync(findBinaries(), native, { recursive: true, verbatimSymlinks: true });
  const dataDir = join(closed, 'closed');
  const server = await startEmbeddedPostgres({ dataDir, log, settings, native });
  assert.deepEqual(await ask(dataDir, 'select 1'), [1]);
  await server.stop();
});

test('the server flushes to disk and only listens on its socket', async () => {
  const dataDir = join(closed, 'plain');
  const server = await startEmbeddedPostgres({ dataDir, log, settings });
  const asked = ['fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'data_checksums'];
  const values = await ask(dataDir, `select current_setting(name) from unnest('{${asked}}'::text[]) as name`);
  assert.deepEqual(values, ['on', 'on', 'on', '', 'on']);
  await server.stop();
});

test('a data folder with a path too long for a socket has its socket elsewhere, which is removed with the server', async () => {
  const dataDir = join(closed, `it's "deep", ${'x'.repeat(90)}`);
  const { host } = embeddedConnection(dataDir);
  assert.ok(!host.startsWith(dataDir));
  const server = await startEmbeddedPostgres({ dataDir, log, settings });
  assert.deepEqual(await ask(dataDir, 'select 1'), [1]);
  await server.stop();
  assert.ok(!existsSync(host));
  mkdirSync(host, { mode: 0o755 });
  await assert.rejects(startEmbeddedPostgres({ dataDir, log, settings }), /belongs to another user/);
  rmSync(host, { recursive: true });
});

test('an interrupted first start does not prevent the next one', async () => {
  const dataDir = join(closed, 'broken');
  mkdirSync(join(dataDir, 'postgres/cluster.new/base'), { recursive: true });
  const server = await startEmbeddedPostgres({ dataDir, log, settings });
  assert.deepEqual(await ask(dataDir, 'select current_database()'), ['headwater']);
  await server.stop();
});

test('a server that an earlier run left behind is stopped and replaced', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-orphan-'));
  after(() => rmSync(dataDir, { recursive: true, force: true }));
  chmodSync(dataDir, 0o755);
  await (await startEmbeddedPostgres({ dataDir, log, settings })).stop();
  const cluster = join(dataDir, 'postgres/cluster');
  const { uid, gid } = statSync(cluster);
  const { child: orphan, exited } = run(join(findBinaries(), 'bin/postgres'), ['-D', cluster], cluster, { uid, gid });
  await until(() => isReady(embeddedConnection(dataDir)));

  const lines: string[] = [];
  const server = await startEmbeddedPostgres({ dataDir, log: (_level, line) => lines.push(line), settings });
  await exited;
  assert.match(lines.join('\n'), new RegExp(`process ${orphan.pid}\\) that an earlier run left behind`));
  assert.deepEqual(await ask(dataDir, 'select 1'), [1]);
  await server.stop();
});

test('the service is no superuser, and the data folder is closed to other users', async () => {
  const dataDir = mkdtempSync(join('/var/tmp', 'headwater-private-'));
  const server = await startEmbeddedPostgres({ dataDir, log, settings });
  after(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const [isSuperuser] = await ask(dataDir, 'select rolsuper from pg_roles where rolname = current_user');
  assert.equal(isSuperuser, false);
  await assert.rejects(ask(dataDir, "select pg_read_file('/etc/hostname')"), /permission denied/);
  assert.equal(statSync(dataDir).mode & 0o007, 0);
  for (const name of ['postgres', 'postgres/cluster', 'postgres/cluster/pg_hba.conf', 'postgres/socket']) {
    assert.equal(statSync(join(dataDir, name)).mode & 0o077, 0, name);
  }
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    const pid = Number.parseInt(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10);
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    assert.match(status, /^CapEff:\s+0+$/m, 'no capability is needed below open folders');
    const asNobody = spawnSync('setpriv', ['--reuid=nobody', '--clear-groups', 'ls', dataDir]);
    assert.notEqual(asNobody.status, 0);
  }
});
