import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filePart } from '../../../test/furnished-account.ts';
import type { Account } from '../../../test/harness.ts';
import { noiseImage } from '../../media/test-media.ts';
import { contentService, faultsOf } from '../test-support.ts';

const service = await contentService();
const { call, ok, newAccount, newCollection, createEntry } = service;

async function upload(account: Account, width = 700) {
  const { payload, headers } = filePart('file', 'boots.png', await noiseImage(width, 100).png().toBuffer());
  const answer = await call('POST /v1/files/upload', { as: account, body: payload, headers });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

const COVER = { id: 'cover', label: 'Cover', type: 'asset' };

test('an asset value has every member in every read, null where the file has none', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [COVER]);
  const asset = await upload(account);
  const { id, values } = await createEntry(account, path, { cover: { assetId: asset.assetId } });
  assert.deepEqual(values.cover, asset);
  assert.deepEqual((await ok(`GET ${path}/entries/${id}`, account)).values.cover, asset);
  assert.deepEqual((await ok(`GET ${path}/entries`, account)).entries[0].values.cover, asset);
  const { url, placeholder, srcset, bytes, ...rest } = asset;
  assert.deepEqual(rest, {
    assetId: asset.assetId,
    type: 'image',
    mediaType: 'image/png',
    name: 'boots.png',
    width: 700,
    height: 100,
    duration: null,
    alt: null,
    title: null,
    caption: null,
    focalPoint: null,
    poster: null,
  });
  assert.ok(bytes > 1_000);
  assert.match(placeholder, /^data:image\/png;base64,/);
  assert.ok(placeholder.length < 600, String(placeholder.length));
  assert.equal(srcset, `${url}?w=320&format=webp 320w, ${url}?w=640&format=webp 640w`);
  for (const each of srcset.split(', ')) {
    const { pathname, search } = new URL(each.split(' ')[0] ?? '');
    assert.equal((await service.app.inject(pathname + search)).statusCode, 200);
  }
});

test('texts of a file are in the locale of the read, with its fallbacks', async () => {
  const account = await newAccount();
  const locales = { default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }, { locale: 'de-CH', fallback: 'de' }] };
  await ok('PUT /v1/cms/locales', account, locales);
  const path = await newCollection(account, [COVER, { id: 'title', label: 'Title', type: 'text', localized: true }]);
  const { assetId } = await upload(account);
  const texts = { alt: 'Boots', caption: 'Our boots', 'alt@de': 'Stiefel', 'title@de-ch': 'Schuhe' };
  const file = await ok(`PATCH /v1/files/${assetId}`, account, texts);
  assert.deepEqual([file.alt, file.title, file['alt@de'], file['title@de-CH']], ['Boots', null, 'Stiefel', 'Schuhe']);
  const { id } = await createEntry(account, path, { cover: { assetId } });
  const read = async (query: string) => {
    const { alt, title, caption } = (await ok(`GET ${path}/entries/${id}${query}`, account)).values.cover;
    return [alt, title, caption];
  };
  assert.deepEqual(await read(''), ['Boots', null, 'Our boots']);
  assert.deepEqual(await read('?locale=en'), ['Boots', null, 'Our boots']);
  assert.deepEqual(await read('?locale=de'), ['Stiefel', null, 'Our boots']);
  assert.deepEqual(await read('?locale=de-CH'), ['Stiefel', 'Schuhe', 'Our boots']);
  const again = await ok(`PATCH /v1/files/${assetId}`, account, { ...file, 'alt@de': null });
  assert.equal('alt@de' in again, false);
  assert.deepEqual(await read('?locale=de'), ['Boots', null, 'Our boots']);
  const refused = await call(`PATCH /v1/files/${assetId}`, { as: account, body: { 'alt@x': 'y', 'size@de': 'z' } });
  assert.deepEqual(faultsOf(refused), ['/size@de unknown_property']);
});

test('an asset that was read can be sent back; what differs from the file is set for that use alone', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [COVER, { ...COVER, id: 'gallery', repeated: true }]);
  const { assetId } = await upload(account);
  await ok(`PATCH /v1/files/${assetId}`, account, { alt: 'Boots', focalPoint: { x: 0.5, y: 0.25 } });
  const { id, values } = await createEntry(account, path, { cover: { assetId }, gallery: [{ assetId }] });
  const sent = { ...values, cover: { ...(values.cover as object), alt: 'Red boots', focalPoint: { x: 1, y: 0 } } };
  const changed = (await ok(`PATCH ${path}/entries/${id}`, account, { values: sent })).values;
  assert.deepEqual([changed.cover.alt, changed.cover.focalPoint], ['Red boots', { x: 1, y: 0 }]);
  await ok(`PATCH /v1/files/${assetId}`, account, { alt: 'Shoes', caption: 'New' });
  const later = (await ok(`GET ${path}/entries/${id}`, account)).values;
  assert.deepEqual([later.cover.alt, later.cover.caption, later.gallery[0].alt], ['Red boots', 'New', 'Shoes']);
  const reset = await ok(`PATCH ${path}/entries/${id}`, account, { values: { cover: { assetId, alt: null } } });
  assert.deepEqual([reset.values.cover.alt, reset.values.cover.focalPoint], ['Shoes', { x: 0.5, y: 0.25 }]);
  const faulty = { assetId, alt: 5, caption: 'x'.repeat(1_001), focalPoint: { x: 2, y: 0 }, size: 1 };
  const answer = await call(`PATCH ${path}/entries/${id}`, { as: account, body: { values: { cover: faulty } } });
  assert.deepEqual(faultsOf(answer), [
    '/values/cover/alt type',
    '/values/cover/caption too_long',
    '/values/cover/focalPoint type',
    '/values/cover/size unknown_property',
  ]);
});

test('folders hold files and other folders, and only empty ones can be deleted', async () => {
  const account = await newAccount();
  const make = (name: string, parentId?: string) =>
    ok('POST /v1/folders', account, { name, ...(parentId && { parentId }) });
  const [shop, blog] = [await make('Shop'), await make('Blog')];
  const boots = await make('Boots', shop.id);
  const { assetId } = await upload(account);
  assert.equal((await ok(`PATCH /v1/files/${assetId}`, account, { folderId: boots.id })).folderId, boots.id);
  const filesOf = async (folder: string) => (await ok(`GET /v1/files?folderId=${folder}`, account)).files.length;
  assert.deepEqual([await filesOf(boots.id), await filesOf(shop.id), await filesOf('none')], [1, 0, 0]);
  const { folders } = await ok('GET /v1/folders', account);
  assert.deepEqual(
    folders.map(({ name }: { name: string }) => name),
    ['Blog', 'Shop', 'Boots'],
  );
  const refusal = async (request: string, body?: unknown) =>
    (await call(request, { as: account, ...(body !== undefined && { body }) })).body.code;
  assert.equal(await refusal(`DELETE /v1/folders/${boots.id}`), 'folder_not_empty');
  assert.equal(await refusal(`DELETE /v1/folders/${shop.id}`), 'folder_not_empty');
  assert.equal(await refusal(`PATCH /v1/folders/${shop.id}`, { parentId: boots.id }), 'folder_cycle');
  assert.equal(await refusal('POST /v1/folders', { name: 'shop' }), 'folder_exists');
  assert.equal(await refusal('POST /v1/folders', { name: 'x', parentId: 'fol_none' }), 'folder_unknown');
  assert.equal(await refusal(`PATCH /v1/files/${assetId}`, { folderId: 'fol_none' }), 'folder_unknown');
  const other = await newAccount();
  assert.equal((await call(`DELETE /v1/folders/${blog.id}`, { as: other })).status, 404);
  assert.equal((await call(`PATCH /v1/files/${assetId}`, { as: other, body: { folderId: blog.id } })).status, 404);
  const moved = await ok(`PATCH /v1/folders/${boots.id}`, account, { name: 'Shoes', parentId: blog.id });
  assert.deepEqual([moved.name, moved.parentId], ['Shoes', blog.id]);
  await ok(`PATCH /v1/files/${assetId}`, account, { folderId: null });
  await ok(`DELETE /v1/folders/${boots.id}`, account);
  assert.equal((await ok('GET /v1/folders', account)).folders.length, 2);
});
