import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { testService } from '../../../test/harness.ts';
import { noiseImage } from '../../media/test-media.ts';
import { newUuid, parseId } from '../../shared/ids.ts';
import { cleanUp, storedFiles, upload, uploadsInProgress } from '../test-support.ts';

const service = await testService();
const account = await service.newAccount();
const HOUR = 3_600_000;
const root = join(service.dataDir, 'files');

/** Leaves what a process killed during an upload does. */
async function leaveBehind(assetId: string, stored: boolean): Promise<void> {
  const folder = join(root, 'uploads', `${account.uuid}.${assetId}`);
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(root, account.uuid), { recursive: true });
  if (stored) {
    await service.db.query('insert into orphaned_blobs values ($1, $2, $3)', [
      account.uuid,
      `${account.uuid}/${assetId}`,
      new Date(Date.now() + 6 * HOUR),
    ]);
  }
  writeFileSync(stored ? join(root, account.uuid, assetId) : join(folder, 'file'), 'bytes');
}

test('what interrupted uploads left behind is deleted, and nothing else', async () => {
  const png = await noiseImage(8, 8).png().toBuffer();
  const kept = parseId('ast', (await upload(service, account, png)).body.assetId) ?? '';
  // Killed after the asset was inserted and before its folder was deleted.
  mkdirSync(join(root, 'uploads', `${account.uuid}.${kept}`));
  const [receiving, moved] = [newUuid(), newUuid()];
  await leaveBehind(receiving, false);
  await leaveBehind(moved, true);
  writeFileSync(join(root, 'uploads', '.stray'), 'not an upload');

  service.clock.now = Date.now() + 5 * HOUR;
  await cleanUp(service);
  assert.equal(uploadsInProgress(service).length, 4, 'uploads that may be in progress are kept');

  service.clock.now = Date.now() + 7 * HOUR;
  await cleanUp(service);
  assert.deepEqual(uploadsInProgress(service), ['.stray']);
  assert.deepEqual(storedFiles(service).sort(), [join(root, account.uuid, kept), join(root, 'uploads', '.stray')]);
  assert.ok(existsSync(join(root, account.uuid, kept)));
});
