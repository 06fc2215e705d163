import assert from 'node:assert/strict';
import { createHash, randomFillSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { film, MULTIPART, multipart, picture, startProcess, storedFiles, uploadsUnderWay } from './test-support.ts';

const service = await testService();
const account = await service.newAccount();
const constant = await picture(60, 40).png().toBuffer();

/** A film that nobody has uploaded yet, with a part of this size that players pass over. */
function newFilm(size: number): Buffer {
  const free = Buffer.alloc(size);
  free.writeUInt32BE(size, 0);
  free.write('free', 4, 'latin1');
  randomFillSync(free, 8);
  return Buffer.concat([film('plain.mp4'), free]);
}

/** New bytes, many or few, and the same ones again. */
const files = [() => constant, () => newFilm(100), () => newFilm(0x400000), () => constant];

/** Uploads one file after the other until the connection is gone. */
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

test('killed at any moment, the service never has an asset without its bytes, and clears up what it left', async () => {
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
  for (const worker of service.workers) worker.start();
  for (const worker of service.workers) await worker.stop();
  assert.deepEqual(uploadsUnderWay(service), []);
  assert.equal(
    storedFiles(service).length,
    new Set(rows.flatMap((row) => [row.storage_key, row.poster_key ?? []]).flat()).size,
  );
  assert.equal((await service.db.query('select from unowned_files')).rowCount, 0);
});
