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

test('every event that was acknowledged before a backup is in it, wherever it is restored', {
  timeout: 120_000,
}, async () => {
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

test('a service backs up by itself to BACKUP_URL, and metrics tell when', async () => {
  const location = join(newDataDir(), 'backups');
  const service = await startService({ DATA_DIR: newDataDir(), BACKUP_URL: location });
  const newest = async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(/^headwater_backup_last_success_timestamp_seconds (\S+)$/m.exec(text)?.[1]);
  };
  await until(async () => (await newest()) > 0);
  const { backups } = await commandJson(['backup', 'list', location], {});
  assert.equal(backups.length, 1);
  const { isValid } = await commandJson(['backup', 'verify', location], {});
  assert.equal(isValid, true);
  service.kill('SIGTERM');
  assert.equal((await service.ended).code, 0);
});
