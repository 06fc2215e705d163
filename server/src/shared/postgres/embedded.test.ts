import assert from 'node:assert/strict';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { until } from '../../../test/until.ts';
import { embeddedConnection, findBinaries, isReady, run, startEmbeddedPostgres } from './embedded.ts';

/** As mktemp and a home make them: closed to the user that the server runs as, where this runs as root. */
const closed = mkdtempSync(join(tmpdir(), 'headwater-embedded-'));
chmodSync(closed, 0o700);
after(() => rmSync(closed, { recursive: true, force: true }));

const log = () => {};
const settings = { shared_buffers: '16MB' };

async function ask(dataDir: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(embeddedConnection(dataDir));
  await client.connect();
  const { rows } = await client.query({ text: sql, rowMode: 'array' });
  await client.end();
  return rows.flat();
}

test('it runs where both its programs and its data lie in a closed folder', async () => {
  const native = join(closed, 'native');
  cpSync(findBinaries(), native, { recursive: true, verbatimSymlinks: true });
  const dataDir = join(closed, 'closed');
  const server = await startEmbeddedPostgres({ dataDir, log, settings, native });
  assert.deepEqual(await ask(dataDir, 'select 1'), [1]);
  await server.stop();
});

test('it flushes to disk and listens on its socket alone', async () => {
  const dataDir = join(closed, 'plain');
  const server = await startEmbeddedPostgres({ dataDir, log, settings });
  const asked = ['fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'data_checksums'];
  const values = await ask(dataDir, `select current_setting(name) from unnest('{${asked}}'::text[]) as name`);
  assert.deepEqual(values, ['on', 'on', 'on', '', 'on']);
  await server.stop();
});

test('a folder that lies too deep for a socket, and is oddly named, gets its socket elsewhere, which goes with it', async () => {
  const dataDir = join(closed, `it's "deep", ${'x'.repeat(90)}`);
  const { host } = embeddedConnection(dataDir);
  assert.ok(!host.startsWith(dataDir));
  const server = await startEmbeddedPostgres({ dataDir, log, settings });
  assert.deepEqual(await ask(dataDir, 'select 1'), [1]);
  await server.stop();
  assert.ok(!existsSync(host));
  mkdirSync(host, { mode: 0o755 });
  await assert.rejects(startEmbeddedPostgres({ dataDir, log, settings }), /is not its own/);
  rmSync(host, { recursive: true });
});

test('a first start that was broken off leaves nothing in the way of the next', async () => {
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
  assert.match(lines.join('\n'), new RegExp(`process ${orphan.pid}\\) which an earlier run left behind`));
  assert.deepEqual(await ask(dataDir, 'select 1'), [1]);
  await server.stop();
});
