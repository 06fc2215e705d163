import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FIXTURES, swellingVideo } from '../test-media.ts';
import { WorkerCrash, WorkerPool } from './worker-pool.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-workers-'));
const writable = join(folder, 'uploads');
mkdirSync(writable);
const pool = new WorkerPool(writable);
after(() => {
  pool.stop();
  rmSync(folder, { recursive: true });
});

const LIMITS = { timeoutMs: 30_000, memoryMb: 400 };
const video = { path: join(FIXTURES, 'plain.mp4'), type: 'video', maxPixels: 1e8, keepMetadata: true } as const;
const inspectVideo = async () => (await pool.run('inspectMedia', [video], LIMITS)).width;

test('a process that exceeds its time or memory is ended and replaced', async () => {
  assert.equal(await inspectVideo(), 96);
  const path = join(writable, 'swelling.mp4');
  writeFileSync(path, swellingVideo());
  for (const limits of [
    { timeoutMs: 100, memoryMb: 4_000 },
    { timeoutMs: 30_000, memoryMb: 400 },
  ]) {
    await assert.rejects(pool.run('inspectMedia', [{ ...video, path }], limits), WorkerCrash);
  }
  assert.equal(await inspectVideo(), 96);
  assert.equal(await inspectVideo(), 96);
});

test('what a process had before a task does not count against its input', async () => {
  const path = join(writable, 'plain.svg');
  writeFileSync(
    path,
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><style>path{fill:red}</style><path d="M0 0h1"/></svg>',
  );
  // Less than a process has.
  const { width } = await pool.run('inspectMedia', [{ ...video, path, type: 'svg' }], { ...LIMITS, memoryMb: 60 });
  assert.equal(width, 2);
});

test('a refusal has its error code, and does not end the process', async () => {
  const path = join(writable, 'corrupt.mp4');
  writeFileSync(path, 'not a video');
  const refused = pool.run('inspectMedia', [{ ...video, path }], LIMITS);
  await assert.rejects(refused, { status: 400, code: 'file_corrupt' });
});

test('a file that cannot be read is an error of the storage, not of the file', async () => {
  for (const type of ['image', 'video', 'svg'] as const) {
    const request = { ...video, type, path: join(writable, 'missing') };
    await assert.rejects(pool.run('inspectMedia', [request], LIMITS), /inspectMedia failed/, type);
  }
});

test('a process cannot write outside of its folder, and that is not taken for a fault of the file', async () => {
  const path = join(folder, 'image.svg');
  writeFileSync(path, '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>');
  const outside = pool.run('inspectMedia', [{ ...video, path, type: 'svg' }], LIMITS);
  await assert.rejects(outside, /--allow-fs-write/);
  assert.ok(!existsSync(`${path}.clean`));
});

test('a task in progress at a stop fails, not as a fault of its input, and later tasks run again', async () => {
  // The idle process may be faster than the stop; the others have to be started first.
  const running = Array.from({ length: 3 }, () => inspectVideo());
  pool.stop();
  const failed = (await Promise.allSettled(running)).filter(({ status }) => status === 'rejected');
  assert.ok(failed.length >= 2);
  for (const { reason } of failed as PromiseRejectedResult[]) assert.ok(!(reason instanceof WorkerCrash));
  assert.equal(await inspectVideo(), 96);
});
