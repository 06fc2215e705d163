import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { newUuid, parseId } from '../shared/ids.ts';
import { picture, storedFiles, upload, uploadsUnderWay } from './test-support.ts';

const service = await testService();
const account = await service.newAccount();
const HOUR = 3_600_000;
const root = join(service.dataDir, 'files');

/** What stays behind when a process is killed in an upload. */
async function leaveBehind(assetId: string, stored: boolean): Promise<void> {
  const folder = join(root, 'uploads', `${account.uuid}.${assetId}`);
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(root, account.uuid), { recursive: true });
  if (stored) {
    await service.db.query('insert into unowned_files values ($1, $2, $3)', [
      account.uuid,
      `${account.uuid}/${assetId}`,
      new Date(Date.now() + 6 * HOUR),
    ]);
  }
  writeFileSync(stored ? join(root, account.uuid, assetId) : join(folder, 'file'), 'bytes');
}

/** Starts the room's work as a process does, and waits until it has cleared once. */
async function clear(): Promise<void> {
  for (const worker of service.workers) worker.start();
  for (const worker of service.workers) await worker.stop();
}

test('what dead uploads left behind is cleared, and nothing else', async () => {
  const png = await picture(8, 8).png().toBuffer();
  const kept = parseId('ast', (await upload(service, account, png)).body.assetId) ?? '';
  // Killed after the asset was inserted: its folder was still there.
  mkdirSync(join(root, 'uploads', `${account.uuid}.${kept}`));
  const [receiving, moved] = [newUuid(), newUuid()];
  await leaveBehind(receiving, false);
  await leaveBehind(moved, true);
  writeFileSync(join(root, 'uploads', '.stray'), 'not an upload');

  service.clock.now = Date.now() + 5 * HOUR;
  await clear();
  assert.equal(uploadsUnderWay(service).length, 4, 'an upload that may be under way is left alone');

  service.clock.now = Date.now() + 7 * HOUR;
  await clear();
  assert.deepEqual(uploadsUnderWay(service), ['.stray']);
  assert.deepEqual(storedFiles(service).sort(), [join(root, account.uuid, kept), join(root, 'uploads', '.stray')]);
  assert.ok(existsSync(join(root, account.uuid, kept)));
});
