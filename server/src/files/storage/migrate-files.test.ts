import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testService } from '../../../test/harness.ts';
import { S3_CREDENTIALS, startS3Server } from '../../../test/s3-server.ts';
import { noiseImage, videoFixture } from '../../media/test-media.ts';
import { storedFiles, upload } from '../test-support.ts';
import { migrateFiles } from './migrate-files.ts';

Object.assign(process.env, S3_CREDENTIALS);
const service = await testService();
const account = await service.newAccount();
const folder = mkdtempSync(join(tmpdir(), 'headwater-migrate-'));
after(() => rmSync(folder, { recursive: true }));
const sent: { path: string; bytes: Buffer }[] = [];
for (let i = 0; i < 6; i++) {
  const bytes = await noiseImage(50 + i, 20)
    .png()
    .toBuffer();
  const { body } = await upload(service, account, bytes);
  sent.push({ path: new URL(body.url).pathname, bytes });
}
await upload(service, account, [{ filename: 'twin.png', body: sent[0]?.bytes ?? '' }]);
const video = (await upload(service, account, videoFixture('vp8.webm'))).body;
// The first request for its poster makes it.
await service.app.inject(`${new URL(video.url).pathname}?poster=true`);

test('files are migrated to S3 and back, and an interrupted migration resumes', async () => {
  const s3 = await startS3Server();
  // The server fails after some copies; then the migration runs again.
  let puts = 0;
  s3.fault = (method) => (method === 'PUT' && ++puts > 3 ? 'hang up' : undefined);
  await assert.rejects(migrateFiles([service.db], service.config, s3.url, () => {}));
  s3.fault = () => undefined;
  const there = s3.objects.size;
  assert.ok(there > 0 && there < 8);
  const seen: number[] = [];
  const moved = await migrateFiles([service.db], service.config, s3.url, (done, all) => seen.push(done / all));
  assert.deepEqual(
    [moved.files, moved.copied, moved.missing],
    [8, 8 - there, []],
    'six images, a video and its poster',
  );
  assert.equal(seen.at(-1), 1);
  assert.equal((await migrateFiles([service.db], service.config, s3.url, () => {})).copied, 0);

  const onS3 = { ...service.config, storageUrl: s3.url };
  const back = join(folder, 'back');
  assert.equal((await migrateFiles([service.db], onS3, back, () => {})).copied, 8);
  const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
  const moveds = readdirSync(join(back, account.uuid)).map((name) => digest(join(back, account.uuid, name)));
  assert.deepEqual(moveds.sort(), storedFiles(service).map(digest).sort());
  assert.deepEqual(readdirSync(join(back, 'uploads')), []);
});

test('a lost file is reported; a changed one stops the migration', async () => {
  const { rows } = await service.db.query('select storage_key from assets order by id limit 2');
  const [lost, changed] = rows.map((row) => join(service.dataDir, 'files', row.storage_key));
  const kept = readFileSync(lost ?? '');
  rmSync(lost ?? '');
  const first = await migrateFiles([service.db], service.config, join(folder, 'first'), () => {});
  assert.deepEqual(first.missing, [rows[0].storage_key]);
  writeFileSync(lost ?? '', kept);
  const bytes = readFileSync(changed ?? '');
  writeFileSync(changed ?? '', Buffer.alloc(bytes.length));
  await assert.rejects(
    migrateFiles([service.db], service.config, join(folder, 'second'), () => {}),
    /checksum/,
  );
  writeFileSync(changed ?? '', bytes);
});

test('the storage already in use, and an invalid one, are refused', async () => {
  for (const to of [join(service.dataDir, 'files'), 'relative', 'gs://x']) {
    await assert.rejects(
      migrateFiles([service.db], service.config, to, () => {}),
      { name: 'Error' },
    );
  }
});
