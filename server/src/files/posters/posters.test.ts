import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import sharp from 'sharp';
import { type Account, testService } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { videoFixture } from '../../media/test-media.ts';
import { canGrabFrames } from '../../media/videos/grab-frame.ts';
import { startProcess, storedFiles, upload, uploadsInProgress } from '../test-support.ts';

const service = await testService();

// Its workers are not started: as if the process had died right after each response.

async function uploadVideo(account: Account, name = 'vp8.webm') {
  const { status, body } = await upload(service, account, [{ filename: name, body: videoFixture(name) }]);
  assert.equal(status, 200, JSON.stringify(body));
  const { pathname } = new URL(body.url);
  const file = async () => (await service.call(`GET /v1/files/${body.assetId}`, { as: account })).body;
  const poster = () => service.app.inject(`${pathname}?poster=true`);
  return { ...body, pathname, file, poster };
}

const posterState = async ({ uuid }: Account) =>
  (await service.db.query('select poster_key, poster_due from assets where account_id = $1 order by id', [uuid])).rows;

test('an upload is answered before the poster is made; the URL of the poster works at once', async () => {
  const account = await service.newAccount();
  const video = await uploadVideo(account);
  const { codec, posterUrl, thumbhash } = await video.file();
  assert.deepEqual([codec, posterUrl, thumbhash], ['vp8', `${video.url}?poster=true`, null]);
  assert.equal((await posterState(account))[0].poster_key, null);
  const served = await Promise.all([1, 2, 3].map(() => video.poster()));
  for (const { statusCode, headers, rawPayload } of served) {
    assert.deepEqual([statusCode, headers['content-type']], [200, 'image/webp']);
    const { width, height } = await sharp(rawPayload).metadata();
    assert.deepEqual([width, height], [96, 64]);
  }
  assert.ok((await video.file()).thumbhash);
  assert.equal(storedFiles(service).length, 2, 'one poster was made for all requests');
  await service.call(`DELETE /v1/files/${video.assetId}`, { as: account });
  assert.equal((await video.poster()).statusCode, 404);
  assert.deepEqual(storedFiles(service), []);
  assert.equal((await service.db.query('select from orphaned_blobs')).rowCount, 0);
});

test('another process makes the posters of one that died, those of every account', async () => {
  const accounts = [await service.newAccount(), await service.newAccount()];
  for (const account of accounts) for (const name of ['cover.mp4', 'av1.webm']) await uploadVideo(account, name);
  // The process died while it was making one: its lease ends.
  await service.db.query(`update assets set poster_due = now() - interval '1 second' where media_type = 'video/mp4'`);
  const { child } = await startProcess(service, { jobs: true });
  const states = async () => (await Promise.all(accounts.map(posterState))).flat();
  await until(async () => (await states()).every(({ poster_due }) => poster_due === null));
  // What it leaves would look like uploads in progress.
  await until(() => uploadsInProgress(service).length === 0);
  child.kill('SIGKILL');
  await once(child, 'exit');
  for (const { poster_key } of await states()) assert.ok(poster_key !== null);
  assert.equal((await states()).length, 4);
  assert.equal((await service.db.query('select from orphaned_blobs')).rowCount, 0);
});

test('a poster that another process is making is awaited; 404 if there is none to be had', async () => {
  const account = await service.newAccount();
  const video = await uploadVideo(account);
  await service.db.query(`update assets set poster_due = now() + interval '1 minute' where account_id = $1`, [
    account.uuid,
  ]);
  let answered = false;
  const waiting = video.poster().finally(() => {
    answered = true;
  });
  const listed = await video.file();
  assert.ok(listed.posterUrl && !answered);
  await service.db.query('update assets set poster_due = null where account_id = $1', [account.uuid]);
  assert.equal((await waiting).statusCode, 404);
  assert.equal((await video.file()).posterUrl, null);
});

test('identical videos share the poster; deleting one while it is due leaves it to the other', async () => {
  const account = await service.newAccount();
  const [first, second] = [await uploadVideo(account), await uploadVideo(account)];
  await service.call(`DELETE /v1/files/${first.assetId}`, { as: account });
  const third = await uploadVideo(account);
  assert.equal((await second.poster()).statusCode, 200);
  const states = await posterState(account);
  assert.deepEqual([states.length, new Set(states.map(({ poster_key }) => poster_key)).size], [2, 1]);
  const before = storedFiles(service).length;
  await service.call(`DELETE /v1/files/${second.assetId}`, { as: account });
  assert.equal((await third.poster()).statusCode, 200);
  await service.call(`DELETE /v1/files/${third.assetId}`, { as: account });
  assert.equal(storedFiles(service).length, before - 2);
  // A poster can be requested just before its temporary folder is deleted.
  await until(() => uploadsInProgress(service).length === 0);
});

test('a video that has no still image, and no ffmpeg to decode one, has no poster', {
  skip: canGrabFrames,
}, async () => {
  const account = await service.newAccount();
  const video = await uploadVideo(account, 'plain.mp4');
  assert.equal((await video.file()).posterUrl, null);
  assert.equal((await video.poster()).statusCode, 404);
});
