// Slow: services that archive their log, and restores of it.
/** Continuous backups of the embedded database, restored to a time after a crash. */
import assert from 'node:assert/strict';
import { copyFileSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { noiseImage } from '../src/media/test-media.ts';
import { superuserConnection } from '../src/shared/postgres/cluster-files.ts';
import { command, commandJson, newDataDir, type ServiceProcess, startService } from './service-process.ts';
import { until } from './until.ts';

interface Sender {
  apiKey: string;
  token: string;
}

async function record(service: ServiceProcess, { apiKey }: Sender, id: string): Promise<void> {
  const body = JSON.stringify({ api_key: apiKey, event: 'x', id });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  assert.equal((await fetch(`${service.url}/v1/events`, init)).status, 200);
}

async function upload(service: ServiceProcess, { token }: Sender, image: Buffer): Promise<string> {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(image)]), 'a.png');
  const init = { method: 'POST', headers: { 'x-api-key': `Bearer ${token}` }, body };
  const { url } = (await (await fetch(`${service.url}/v1/files/upload`, init)).json()) as { url: string };
  return new URL(url).pathname;
}

async function metric(service: ServiceProcess, name: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** Everything that is committed by now is in the archived log. */
async function archived(service: ServiceProcess): Promise<void> {
  const now = Date.now() / 1_000;
  await until(async () => (await metric(service, 'headwater_backup_log_until_timestamp_seconds')) > now);
}

const copiesAt = (location: string) => globSync('continuous/*/bases/*.json', { cwd: location });

async function copied(location: string, copies: number): Promise<void> {
  await until(() => copiesAt(location).length >= copies);
}

async function stored(service: ServiceProcess, dataDir: string): Promise<string[]> {
  const client = new pg.Client({ ...superuserConnection(dataDir), database: 'headwater' });
  await client.connect();
  const { rows } = await client
    .query('select client_event_id as id from events order by 1')
    .finally(() => client.end());
  assert.ok(service.pid > 0);
  return rows.map(({ id }) => id);
}

async function stop(service: ServiceProcess): Promise<void> {
  service.kill('SIGTERM');
  assert.equal((await service.ended).code, 0);
}

test('after a crash the database and its files are restored to any time, encrypted, and the copy continues', async () => {
  const dataDir = newDataDir();
  const location = join(newDataDir(), 'backups');
  const { identity, recipient } = await commandJson(['backup', 'key'], {});
  const settings = {
    BACKUP_URL: location,
    BACKUP_CONTINUOUS: 'on',
    BACKUP_CONTINUOUS_SECONDS: '1',
    BACKUP_RECIPIENT: recipient,
  };
  const sender = await commandJson(['accounts', 'create', 'Continuous'], { DATA_DIR: dataDir });
  let service = await startService({ DATA_DIR: dataDir, ...settings });
  await record(service, sender, 'before the copy');
  const images = await Promise.all([60, 61].map((width) => noiseImage(width, 40).png().toBuffer()));
  const paths = [await upload(service, sender, images[0] as Buffer)];
  await copied(location, 1);
  await archived(service);

  await record(service, sender, 'first');
  paths.push(await upload(service, sender, images[1] as Buffer));
  await sleep(20);
  const between = new Date();
  await sleep(20);
  await record(service, sender, 'second');
  await archived(service);

  // What is committed while nothing is archived is archived by the next process.
  service.kill('SIGKILL');
  await service.ended;
  service = await startService({ DATA_DIR: dataDir, ...settings });
  await record(service, sender, 'third');
  await archived(service);
  service.kill('SIGKILL');
  await service.ended;

  const env = { BACKUP_IDENTITY: identity };
  const { continuous } = await commandJson(['backup', 'list', location], env);
  assert.equal(continuous.length, 1);
  const verified = await commandJson(['backup', 'verify', location, '--to', between.toISOString()], env);
  assert.deepEqual([verified.isValid, verified.files, verified.segments > 1], [true, 2, true]);
  const restoreTo = async (to: string) => {
    const restored = { DATA_DIR: newDataDir() };
    const result = await commandJson(['restore', location, '--to', to], { ...restored, ...env });
    assert.deepEqual([result.files, result.damaged], [2, []]);
    return restored;
  };
  const holds = async (restored: { DATA_DIR: string }, events: string[]) => {
    const copy = await startService({ ...restored, ...settings });
    assert.deepEqual(await stored(copy, restored.DATA_DIR), events);
    for (const [i, path] of paths.entries()) {
      const bytes = Buffer.from(await (await fetch(`${copy.url}${path}`)).arrayBuffer());
      assert.ok(bytes.equals(images[i] as Buffer));
    }
    await record(copy, sender, 'later');
    return copy;
  };
  const earlier = await restoreTo(between.toISOString());
  // The restored database is a chain of its own, at the same location.
  const copy = await holds(earlier, ['before the copy', 'first']);
  await copied(location, 2);
  await archived(copy);
  await stop(copy);
  const refused = await command(['restore', location, '--to', 'latest'], { ...earlier, ...env });
  assert.deepEqual([refused.code, /The database is not empty/.test(refused.stderr)], [1, true]);
  // The end of the first chain: nothing was committed at or after it, which PostgreSQL takes for an error.
  const last = await restoreTo(continuous[0].until);
  await stop(await holds(last, ['before the copy', 'first', 'second', 'third']));
  assert.ok((await commandJson(['backup', 'list', location], env)).continuous.length >= 2);

  for (const [to, message] of [
    ['2020-01-01T00:00:00Z', /can be restored to times from/],
    ['2026-11-22T14:30:00', /--to must be "latest" or a time/],
  ] as const) {
    const { code, stderr } = await command(['restore', location, '--to', to], { DATA_DIR: newDataDir(), ...env });
    assert.deepEqual([code, message.test(stderr)], [1, true], stderr);
  }
});

test('a lost segment is named; a lost slot starts a new chain; without the setting the server keeps no log', async () => {
  const dataDir = newDataDir();
  const location = join(newDataDir(), 'backups');
  const settings = { DATA_DIR: dataDir, BACKUP_URL: location, BACKUP_CONTINUOUS: 'on', BACKUP_CONTINUOUS_SECONDS: '1' };
  const slots = async (sql: string) => {
    const client = new pg.Client(superuserConnection(dataDir));
    await client.connect();
    return (await client.query(sql).finally(() => client.end())).rows.length;
  };
  const service = await startService(settings);
  await copied(location, 1);
  await archived(service);
  await slots(
    "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name like 'headwater_%'",
  );
  await until(async () => (await metric(service, 'headwater_backup_log_gaps_total')) === 1);
  await copied(location, 2);
  await archived(service);
  await stop(service);

  const [first = '', ...others] = globSync('continuous/*/log/*', { cwd: location }).sort();
  const segment = others.at(-1) ?? '';
  copyFileSync(join(location, first), join(location, segment));
  const verified = await command(['backup', 'verify', location, '--to', 'latest', '--json'], {});
  assert.deepEqual([verified.code, JSON.parse(verified.stdout).damaged], [1, [segment]], 'another part of the log');
  rmSync(join(location, segment));
  const refused = await command(['restore', location, '--to', 'latest'], { DATA_DIR: newDataDir() });
  assert.deepEqual([refused.code, /lacks the segment [0-9A-F]{24}/.test(refused.stderr)], [1, true], refused.stderr);

  const without = await startService({ DATA_DIR: dataDir });
  await until(async () => (await slots('select from pg_replication_slots')) === 0);
  await stop(without);
});
