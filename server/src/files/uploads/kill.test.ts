import assert from 'node:assert/strict';
import { createHash, randomFillSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { testService } from '../../../test/harness.ts';
import { noiseImage, paddedVideo } from '../../media/test-media.ts';
import { cleanUp, MULTIPART, multipart, startProcess, storedFiles, uploadsInProgress } from '../test-support.ts';

const service = await testService();
const account = await service.newAccount();
const constant = await noiseImage(60, 40).png().toBuffer();

const newVideo = (size: number) => paddedVideo(size, randomFillSync);

/** New content, large and small, and repeated content. */
const files = [() => constant, () => newVideo(100), () => newVideo(0x400000), () => constant];

/** Uploads one file after another until the connection is lost. */
async function uploadOn(port: number, acknowledged: string[]): Promise<void> {
  for (let i = 0; ; i = (i + 1) % files.length) {
    const body = multipart([{ filename: 'a', body: files[i]?.() ?? '' }]);
    const headers = { ...MULTIPART, 'x-api-key': `Bearer ${account.token}` };
    try {
      const response = await fetch(`http://127.0.0.1:${port}/v1/files/upload`, { method: 'POST', headers, body });
      acknowledged.push(((await response.json()) as { assetId: string }).assetId);
    } catch {
      return;
    }
  }
}

test('killed at any moment, the service never has an asset without its blob, and cleans up what it left', async () => {
  const acknowledged: string[] = [];
  const root = join(service.dataDir, 'files');
  for (let round = 0; round < 6; round++) {
    const { child, port } = await startProcess(service);
    const senders = Array.from({ length: 3 }, () => uploadOn(port, acknowledged));
    const enough = 1 + Math.floor(Math.random() * 12);
    const target = acknowledged.length + enough;
    while (acknowledged.length < target) await new Promise((resume) => setTimeout(resume, Math.random() * 5));
    child.kill('SIGKILL');
    await Promise.all(senders);
  }
  const { rows } = await service.db.query('select storage_key, poster_key, bytes, sha256 from assets');
  assert.ok(rows.length >= acknowledged.length);
  assert.ok(new Set(acknowledged).size === acknowledged.length);
  for (const { storage_key, bytes, sha256 } of rows) {
    const stored = readFileSync(join(root, storage_key));
    assert.equal(stored.length, bytes);
    assert.ok(createHash('sha256').update(stored).digest().equals(sha256));
  }
  assert.ok(existsSync(join(root, 'uploads')) && readdirSync(root).length === 2);

  service.clock.now = Date.now() + 7 * 3_600_000;
  await cleanUp(service);
  assert.deepEqual(uploadsInProgress(service), []);
  assert.equal(
    storedFiles(service).length,
    new Set(rows.flatMap((row) => [row.storage_key, row.poster_key ?? []]).flat()).size,
  );
  assert.equal((await service.db.query('select from orphaned_blobs')).rowCount, 0);
});
