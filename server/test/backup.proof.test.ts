// Slow: eight services that back up and restore.
/** A backup of a running service under load, restored elsewhere: embedded, external, and back. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { noiseImage } from '../src/media/test-media.ts';
import { emptyDatabase } from './empty-database.ts';
import { command, commandJson, newDataDir, startService } from './service-process.ts';
import { until } from './until.ts';

const CLIENTS = 16;
const FILES = 5;

async function eventIds(connection: pg.ClientConfig): Promise<Set<string>> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query('select client_event_id as id from events');
  await client.end();
  return new Set(rows.map(({ id }) => id));
}

test('every event that was acknowledged before a backup is in it, wherever it is restored', async () => {
  const dataDir = newDataDir();
  const { token, apiKey } = await commandJson(['accounts', 'create', 'Backup'], { DATA_DIR: dataDir });
  const service = await startService({ DATA_DIR: dataDir });
  const headers = { 'x-api-key': `Bearer ${token}` };
  const images = await Promise.all(
    Array.from({ length: FILES }, (_, i) =>
      noiseImage(200, 100 + i)
        .png()
        .toBuffer(),
    ),
  );
  const files = new Map<string, Buffer>();
  for (const image of images) {
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(image)]), 'a.png');
    const response = await fetch(`${service.url}/v1/files/upload`, { method: 'POST', headers, body });
    const { url } = (await response.json()) as { url: string };
    files.set(new URL(url).pathname, image);
  }

  const acknowledged = new Set<string>();
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let n = 0; !isOver; n++) {
      const id = `${client}-${n}`;
      const body = JSON.stringify({ api_key: apiKey, event: 'x', id, properties: { email: `${id}@shop.example` } });
      const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
      const response = await fetch(`${service.url}/v1/events`, init);
      assert.equal(response.status, 200);
      await response.text();
      acknowledged.add(id);
    }
  });
  await until(() => acknowledged.size > 1_000);
  const before = [...acknowledged];
  const first = join(newDataDir(), 'backup.tar.zst');
  const result = await commandJson(['backup', first], { DATA_DIR: dataDir });
  isOver = true;
  await Promise.all(clients);
  assert.ok(acknowledged.size > before.length, 'the service was recording during the backup');
  assert.equal(result.files, FILES);
  service.kill('SIGTERM');
  assert.equal((await service.ended).code, 0);

  const assertServes = async (env: Record<string, string>) => {
    const restored = await startService(env);
    for (const [path, image] of files) {
      const response = await fetch(`${restored.url}${path}`);
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(image), path);
    }
    const event = { api_key: apiKey, event: 'later' };
    const body = JSON.stringify(event);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    assert.equal((await fetch(`${restored.url}/v1/events`, init)).status, 200);
    restored.kill('SIGTERM');
    assert.equal((await restored.ended).code, 0);
  };

  // Embedded, then external, then embedded again.
  const external = { DATABASE_URL: await emptyDatabase(), DATA_DIR: newDataDir() };
  const again = { DATA_DIR: newDataDir() };
  await commandJson(['restore', first], external);
  const ids = await eventIds({ connectionString: external.DATABASE_URL });
  assert.deepEqual(
    before.filter((id) => !ids.has(id)),
    [],
  );
  await assertServes(external);

  const repository = join(newDataDir(), 'backups/');
  await commandJson(['backup', repository], external);
  const { damaged } = await commandJson(['restore', repository], again);
  assert.deepEqual(damaged, []);
  const refused = await command(['restore', repository], again);
  assert.deepEqual([refused.code, /The database is not empty/.test(refused.stderr)], [1, true]);
  await assertServes(again);
});

test('a backup contains all cells; all of them, or one, are restored', async () => {
  // East is a database of its own, west a schema of the control database.
  const [main = '', east = '', newEast = '', elsewhere = '', lost = ''] = await Promise.all(
    Array.from({ length: 5 }, emptyDatabase),
  );
  const env = { DATABASE_URL: main, DATA_DIR: newDataDir(), CELLS: `east=${east} west=${main}&schema=west` };
  const service = await startService(env);
  const names = ['main', 'east', 'west'];
  const accounts = await Promise.all(
    names.map(async (cell) => {
      const { token, apiKey } = await commandJson(['accounts', 'create', `In ${cell}`, '--cell', cell], env);
      const body = new FormData();
      const image = await noiseImage(60, 40).png().toBuffer();
      body.set('file', new Blob([new Uint8Array(image)]), `${cell}.png`);
      const headers = { 'x-api-key': `Bearer ${token}` };
      const uploaded = await fetch(`${service.url}/v1/files/upload`, { method: 'POST', headers, body });
      const { url } = (await uploaded.json()) as { url: string };
      const event = JSON.stringify({ api_key: apiKey, event: 'before', id: cell });
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: event };
      assert.equal((await fetch(`${service.url}/v1/events`, init)).status, 200);
      return { apiKey, path: new URL(url).pathname, image };
    }),
  );
  const repository = join(newDataDir(), 'backups/');
  const made = await commandJson(['backup', repository], env);
  assert.deepEqual([made.cells, made.files, made.damaged], [names, 3, []]);
  const verified = await commandJson(['backup', 'verify', repository], {});
  assert.deepEqual([verified.isValid, verified.cells], [true, names]);
  const moved = await commandJson(['files', 'migrate', '--to', join(newDataDir(), 'moved')], env);
  assert.deepEqual([moved.copied, moved.missing], [3, 0]);

  const assertServes = async (url: string) => {
    for (const { apiKey, path, image } of accounts) {
      const file = await fetch(`${url}${path}`);
      assert.ok(Buffer.from(await file.arrayBuffer()).equals(image), path);
      const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
      const event = await fetch(`${url}/v1/events`, {
        ...init,
        body: JSON.stringify({ api_key: apiKey, event: 'after' }),
      });
      assert.equal(event.status, 200);
    }
  };

  // The machine of one cell is lost: it alone is restored, while the service runs.
  const refused = await command(['restore', repository, '--cell', 'east'], env);
  assert.match(refused.stderr, /The database of the cell east is not empty/);
  const replaced = await commandJson(['restore', repository, '--cell', 'east'], { ...env, CELLS: `east=${newEast}` });
  assert.deepEqual([replaced.cells, replaced.files], [['east'], 1]);
  await commandJson(['cells', 'add', 'east', newEast], env);
  assert.deepEqual(await eventIds({ connectionString: newEast }), new Set(['east']));
  await until(async () => {
    const body = JSON.stringify({ api_key: accounts[1]?.apiKey, event: 'moved', id: 'moved' });
    await fetch(`${service.url}/v1/events`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return (await eventIds({ connectionString: newEast })).has('moved');
  });

  // All of them elsewhere: the copy never uses a database of the original.
  const copy = { DATABASE_URL: elsewhere, DATA_DIR: newDataDir() };
  const unnamed = await command(['restore', repository], copy);
  assert.match(unnamed.stderr, /The backup contains the cell west: name an empty database for it in CELLS/);
  const cells = `east=${lost} west=${elsewhere}&schema=west`;
  const restored = await commandJson(['restore', repository], { ...copy, CELLS: cells });
  assert.deepEqual([restored.cells, restored.rows, restored.files], [names, made.rows, 3]);
  await assertServes(service.url);
  service.kill('SIGTERM');
  assert.equal((await service.ended).code, 0);
  const second = await startService(copy);
  await assertServes(second.url);

  second.kill('SIGTERM');
  assert.equal((await second.ended).code, 0);

  // A cell that is away does not prevent the backup of the others.
  const client = new pg.Client({ connectionString: main });
  await client.connect();
  await client.query(`drop database ${new URL(lost).pathname.slice(1)}`).finally(() => client.end());
  const { code, stdout } = await command(['backup', join(newDataDir(), 'partial.tar.zst'), '--json'], copy);
  const partial = JSON.parse(stdout);
  assert.deepEqual([code, partial.cells, partial.damaged], [1, ['main', 'west'], ['cell east']]);
  const diagnosis = await command(['doctor'], copy);
  assert.match(diagnosis.stdout, /^error +cells +Their databases do not respond: east\.$/m);
  const rejected = await command(['restore', partial.location], { DATA_DIR: newDataDir(), CELLS: cells });
  assert.match(rejected.stderr, /The backup does not contain the cell east, which was unavailable/);
});
