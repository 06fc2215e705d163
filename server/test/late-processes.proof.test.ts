// Slow: services with databases of their own, and the restore of one.
/** Whatever a program expects to be ready may be late: processes, threads and folders, of a start, of requests and jobs, and of a restore. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createClient, waitForJob } from '@headwater/sdk';
import { noiseImage } from '../src/media/test-media.ts';
import { commandJson, newDataDir, postgresPid, type ServiceProcess, startService } from './service-process.ts';
import { until } from './until.ts';

const LATE = { NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'late-processes.ts'))}` };

const ofImage = async (service: ServiceProcess, path: string) => {
  const response = await fetch(`${service.url}${path}`);
  assert.equal(response.status, 200, path);
  return Buffer.from(await response.arrayBuffer());
};

async function stop(service: ServiceProcess): Promise<void> {
  service.kill('SIGTERM');
  const { code, stderr } = await service.ended;
  assert.deepEqual([code, stderr], [0, '']);
}

test('nothing fails when each process, thread and folder is there two seconds late', async () => {
  const dataDir = newDataDir();
  const location = join(newDataDir(), 'backups');
  const continuous = { BACKUP_URL: location, BACKUP_CONTINUOUS: 'on', BACKUP_CONTINUOUS_SECONDS: '1' };
  const settings = { DATA_DIR: dataDir, ...LATE, ...continuous };
  // The first of both starts the database, and the other one waits for it.
  const [service, { token, apiKey }] = await Promise.all([
    startService(settings),
    commandJson(['accounts', 'create', 'Late'], { DATA_DIR: dataDir, ...LATE }),
  ]);
  const client = createClient({ baseUrl: service.url, token });

  const image = await noiseImage(60, 40).png().toBuffer();
  const { url } = await client.uploadFile({ file: new File([new Uint8Array(image)], 'a.png', { type: 'image/png' }) });
  const path = new URL(url).pathname;
  assert.ok((await ofImage(service, path)).equals(image));
  assert.ok((await ofImage(service, `${path}?w=32&format=webp`)).subarray(8, 12).equals(Buffer.from('WEBP')));
  const collection = await client.createCollection({
    name: 'Notes',
    fields: [{ id: 'title', label: 'Title', type: 'text' }],
  });
  await client.createEntry({ collectionId: collection.id }, { values: { title: 'kept' } });

  const record = (id: string) => client.recordEvent({ api_key: apiKey, event: 'x', id });
  await record('first');
  const job = await waitForJob(client, await client.startExport({ dataset: 'events', format: 'ndjson' }));
  assert.equal(job.result?.rows, 1);
  await client.getOverview({ from: '2026-01-01', to: '2026-01-02' });

  await until(() => globSync('continuous/*/bases/*.json', { cwd: location }).length > 0);
  // The database is started again, as late.
  process.kill(postgresPid(dataDir), 'SIGKILL');
  await record('second');

  const metric = async (name: string) => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  await record('third');
  const now = Date.now() / 1_000;
  await until(async () => (await metric('headwater_backup_log_until_timestamp_seconds')) > now);
  await stop(service);

  const restored = newDataDir();
  const result = await commandJson(['restore', location, '--to', 'latest'], { DATA_DIR: restored, ...LATE });
  assert.deepEqual([result.files, result.damaged], [1, []]);
  const copy = await startService({ DATA_DIR: restored, ...LATE });
  assert.ok((await ofImage(copy, path)).equals(image));
  const again = createClient({ baseUrl: copy.url, token });
  const events = await waitForJob(again, await again.startExport({ dataset: 'events', format: 'ndjson' }));
  assert.equal(events.result?.rows, 3);
  await stop(copy);
});
