import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testService } from '../../../test/harness.ts';
import { noiseImage, paddedVideo } from '../../media/test-media.ts';
import { MULTIPART, multipart, startProcess, storedFiles, uploadsInProgress } from '../test-support.ts';

const service = await testService();
const account = await service.newAccount();
mkdirSync(join(service.dataDir, 'files'), { recursive: true });
/** No file larger than 1 MiB can be written. */
const { child, port } = await startProcess(service, { fileBlocks: 2_048 });
after(() => child.kill('SIGKILL'));

const headers = { 'x-api-key': `Bearer ${account.token}` };

async function send(body: Buffer) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/files/upload`, {
    method: 'POST',
    headers: { ...headers, ...MULTIPART },
    body: multipart([{ filename: 'a', body }]),
  });
  return { status: response.status, body: (await response.json()) as { code?: string; url: string } };
}

async function nothingIsLeft(assets: number): Promise<void> {
  assert.equal((await service.db.query('select from assets')).rowCount, assets);
  assert.equal(storedFiles(service).length, assets);
  assert.deepEqual(uploadsInProgress(service), []);
  assert.equal((await service.db.query('select from orphaned_blobs')).rowCount, 0);
}

test('on a full disk an upload fails, leaves nothing behind, and the service keeps running', async () => {
  const refused = await send(paddedVideo(4 * 1_048_576));
  assert.deepEqual([refused.status, refused.body.code], [500, 'internal_error']);
  await nothingIsLeft(0);
  assert.equal((await send(await noiseImage(30, 20).png().toBuffer())).status, 200);
  await nothingIsLeft(1);
});

test('a variant that does not fit on the disk is an error, and the original is still served', async () => {
  const bytes = await noiseImage(900, 900).jpeg({ quality: 60 }).toBuffer();
  assert.ok(bytes.length < 1_048_576);
  const { status, body } = await send(bytes);
  assert.equal(status, 200);
  const at = `http://127.0.0.1:${port}${new URL(body.url).pathname}`;
  const large = await fetch(`${at}?format=png`);
  assert.equal(large.status, 500);
  await large.body?.cancel();
  assert.equal((await service.db.query('select from file_variants')).rowCount, 0);
  await nothingIsLeft(2);
  assert.equal((await fetch(at)).status, 200);
});

test('a part of a resumable upload that does not fit is refused, and what is stored of it is unchanged', async () => {
  const content = paddedVideo(1_048_576 + 10_000);
  const tus = { ...headers, 'tus-resumable': '1.0.0' };
  const created = await fetch(`http://127.0.0.1:${port}/files/tus`, {
    method: 'POST',
    headers: { ...tus, 'upload-length': String(content.length), 'upload-metadata': 'filename Zg==' },
  });
  const at = new URL(created.headers.get('location') ?? '', created.url);
  const part = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  const refused = await fetch(at, { method: 'PATCH', headers: part, body: content });
  assert.equal(refused.status, 500);
  const { headers: stored } = await fetch(at, { method: 'HEAD', headers: tus });
  assert.equal(stored.get('upload-offset'), String(1_048_576));
  const [folder] = uploadsInProgress(service);
  const bytes = readFileSync(join(service.dataDir, 'files/uploads', folder ?? '', 'data'));
  assert.ok(bytes.equals(content.subarray(0, 1_048_576)));
});
