import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../../test/harness.ts';
import { createTestUser } from '../../../test/users.ts';
import { noiseImage, videoFixture } from '../../media/test-media.ts';
import { MULTIPART, multipart, storedFiles, upload } from '../test-support.ts';

const service = await testService();
const { call, app, db } = service;

const png = (width: number) => noiseImage(width, 20).png().toBuffer();

function replace(as: Account, assetId: string, body: Buffer, headers: Record<string, string> = {}) {
  const parts = multipart([{ filename: 'other.bin', body }]);
  return call(`POST /v1/files/${assetId}/replace`, { as, body: parts, headers: { ...MULTIPART, ...headers } });
}

async function get(url: string) {
  const { pathname, search } = new URL(url);
  const answer = await app.inject(pathname + search);
  const { location } = answer.headers;
  return { ...answer, status: answer.statusCode, body: answer.rawPayload, to: location && new URL(location, url).href };
}

const rows = async (table: string) => (await db.query(`select from ${table}`)).rowCount;

test('a replaced file stays the same to its entries and gets a new URL, to which the previous ones redirect', async () => {
  const as = await service.newAccount();
  const [first, second, third] = [await png(40), await noiseImage(50, 60).jpeg().toBuffer(), await png(45)];
  const { body: asset } = await upload(service, as, [{ filename: 'hero.png', body: first }]);
  const about = { alt: 'A lake', focalPoint: { x: 0.2, y: 0.3 } };
  await call(`PATCH /v1/files/${asset.assetId}`, { as, body: about });
  const fields = [{ id: 'cover', label: 'Cover', type: 'asset' }];
  const { body: collection } = await call('POST /v1/cms/collections', { as, body: { name: 'Pages', fields } });
  const entries = `/v1/cms/collections/${collection.id}/entries`;
  const values = { cover: { assetId: asset.assetId } };
  const { body: entry } = await call(`POST ${entries}`, { as, body: { values } });
  assert.equal((await get(`${asset.url}?w=320&format=webp`)).status, 200);

  const { status, body: replaced } = await replace(as, asset.assetId, second);
  assert.equal(status, 200, JSON.stringify(replaced));
  const { url, name, width, height, mediaType, alt, focalPoint, assetId } = replaced;
  assert.deepEqual([assetId, name, width, height, mediaType], [asset.assetId, 'hero.jpg', 50, 60, 'image/jpeg']);
  assert.deepEqual({ alt, focalPoint }, about);
  const shown = (await call(`GET ${entries}/${entry.id}`, { as })).body;
  assert.deepEqual([shown.values.cover.url, shown.values.cover.width, shown.version], [url, 50, 1]);

  const served = await get(url);
  assert.deepEqual([served.status, served.headers['content-type']], [200, 'image/jpeg']);
  assert.match(String(served.headers['cache-control']), /immutable/);
  const { status: moved, to, headers } = await get(asset.url);
  assert.deepEqual([moved, to, headers['cache-control']], [302, url, 'public, max-age=60']);
  assert.equal((await get(`${asset.url}?w=320`)).to, `${url}?w=320`);
  assert.equal((await get(`${url}?w=320&format=webp`)).status, 200);

  const { body: again } = await replace(as, asset.assetId, third);
  for (const old of [asset.url, url]) assert.equal((await get(old)).to, again.url);
  assert.equal(await rows('orphaned_blobs'), 0);
  assert.equal(storedFiles(service).length, 1, 'the previous content and its variants are deleted');

  await call(`DELETE /v1/files/${asset.assetId}?force=true`, { as });
  for (const old of [asset.url, url, again.url]) assert.equal((await get(old)).status, 404);
  assert.equal(await rows('asset_urls'), 0);
});

test('content shared with another file is kept; replacing by identical content changes nothing', async () => {
  const as = await service.newAccount();
  const [one, two] = [await png(31), await png(32)];
  const { body: kept } = await upload(service, as, one);
  const { body: asset } = await upload(service, as, one);
  const { body: same } = await replace(as, asset.assetId, one);
  assert.deepEqual([same.url, same.updatedAt], [asset.url, same.createdAt]);
  const { body: replaced } = await replace(as, asset.assetId, two);
  assert.deepEqual((await get(kept.url)).body, one);
  assert.deepEqual((await get(replaced.url)).body, two);
  const { body: back } = await replace(as, asset.assetId, one);
  assert.deepEqual((await get(back.url)).body, one);
  assert.equal(new Set([asset.url, replaced.url, back.url]).size, 3);
  assert.equal(await rows('orphaned_blobs'), 0);
});

test('an image can only replace an image and a video a video; a refused replacement changes nothing', async () => {
  const as = await service.newAccount();
  const { body: image } = await upload(service, as, await png(33));
  const { body: video } = await upload(service, as, videoFixture('vp8.webm'));
  // The first request for its poster makes it.
  assert.equal((await get(`${video.url}?poster=true`)).status, 200);
  const before = storedFiles(service).sort();
  for (const [assetId, body, code] of [
    [image.assetId, videoFixture('plain.mp4'), 'file_type_changed'],
    [video.assetId, await png(34), 'file_type_changed'],
    [image.assetId, Buffer.from('text'), 'file_type_changed'],
  ] as const) {
    const answer = await replace(as, assetId, body);
    assert.deepEqual([answer.status, answer.body.code], [400, code]);
  }
  assert.equal((await replace(as, 'ast_none', await png(35))).status, 404);
  assert.equal((await replace(await service.newAccount(), image.assetId, await png(35))).status, 404);
  assert.deepEqual(storedFiles(service).sort(), before);
  assert.equal((await get(image.url)).status, 200);
  const { body: replaced } = await replace(as, video.assetId, videoFixture('av1.mp4'));
  assert.equal((await get(replaced.posterUrl)).status, 200);
  assert.equal((await get(`${video.url}?poster=true`)).to, replaced.posterUrl);
  assert.equal(storedFiles(service).length, before.length);
});

test('concurrent replacements, also crosswise, all succeed and lose or leak no blob', async () => {
  const as = await service.newAccount();
  const before = storedFiles(service).length;
  const bytes = await Promise.all([36, 37, 38].map(png));
  const assets: string[] = [];
  for (const body of bytes) assets.push((await upload(service, as, body)).body.assetId);
  const answers = await Promise.all(
    Array.from({ length: 18 }, (_, i) => replace(as, assets[i % 3] ?? '', bytes[(i * 5 + 1) % 3] ?? Buffer.alloc(0))),
  );
  for (const { status, body } of answers) assert.equal(status, 200, JSON.stringify(body));
  const contents = new Set<string>();
  for (const assetId of assets) {
    const { body: file } = await call(`GET /v1/files/${assetId}`, { as });
    const { status, body } = await get(file.url);
    assert.equal(status, 200);
    contents.add(body.toString('hex'));
    for (const answer of answers)
      if (answer.body.assetId === assetId && answer.body.url !== file.url)
        assert.equal((await get(answer.body.url)).to, file.url);
  }
  assert.equal(await rows('orphaned_blobs'), 0);
  assert.equal(storedFiles(service).length - before, contents.size);
});

test('with an Idempotency-Key a retried replacement happens once', async () => {
  const as = await service.newAccount();
  const { body: asset } = await upload(service, as, await png(39));
  const [one, two] = [await png(41), await png(42)];
  const key = { 'idempotency-key': 'once' };
  const { body: first } = await replace(as, asset.assetId, one, key);
  const { body: second } = await replace(as, asset.assetId, two);
  assert.deepEqual((await replace(as, asset.assetId, one, key)).body, first);
  assert.equal((await call(`GET /v1/files/${asset.assetId}`, { as })).body.url, second.url);
  assert.equal((await replace(as, asset.assetId, two, key)).body.code, 'idempotency_key_reused');
});

test('the audit log records what users do to files, with the changes', async () => {
  const as = await service.newAccount();
  const by = await createTestUser(service, as);
  const send = async (path: string, body: Buffer) =>
    (await call(`POST ${path}`, { by, body: multipart([{ filename: 'a.png', body }]), headers: MULTIPART })).body;
  const { assetId } = await send('/v1/files/upload', await png(43));
  await call(`PATCH /v1/files/${assetId}`, { by, body: { alt: 'A hill' } });
  await call(`PATCH /v1/files/${assetId}`, { as, body: { alt: 'A key does this' } });
  await send(`/v1/files/${assetId}/replace`, await png(44));
  await call(`DELETE /v1/files/${assetId}`, { by });
  const { changes } = (await call(`GET /v1/audit?subjectId=${assetId}`, { by })).body;
  assert.deepEqual(
    changes.map(({ action }: { action: string }) => action),
    ['file.deleted', 'file.replaced', 'file.changed', 'file.uploaded'],
  );
  assert.deepEqual([changes[1].before.width, changes[1].after.width], [43, 44]);
  assert.deepEqual([changes[2].before, changes[2].after], [{ alt: null }, { alt: 'A hill' }]);
});
