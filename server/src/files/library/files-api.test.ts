import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, NEEDS_ITS_SERVER, testService } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { noiseImage, videoFixture } from '../../media/test-media.ts';
import { newUuid } from '../../shared/ids.ts';
import type { FileDeps } from '../file-deps.ts';
import { openStorage } from '../storage/open-storage.ts';
import { storedFiles, upload } from '../test-support.ts';
import { emptyFileTrash } from './empty-file-trash.ts';

const service = await testService();
const DAY = 86_400_000;

let shade = 0;
/** A new image that no other test uses. */
const newImage = () =>
  noiseImage(20 + shade++, 10)
    .png()
    .toBuffer();

async function send(account: Account, name: string, bytes?: Buffer): Promise<{ assetId: string; path: string }> {
  const { status, body } = await upload(service, account, [{ filename: name, body: bytes ?? (await newImage()) }]);
  assert.equal(status, 200, JSON.stringify(body));
  return { assetId: body.assetId, path: new URL(body.url).pathname };
}

async function newCollection(account: Account): Promise<string> {
  const fields = [
    { id: 'cover', label: 'Cover', type: 'asset' },
    { id: 'gallery', label: 'Gallery', type: 'asset', repeated: true },
    { id: 'seo', label: 'SEO', type: 'group', fields: [{ id: 'card', label: 'Card', type: 'asset' }] },
  ];
  const { body } = await service.call('POST /v1/cms/collections', { as: account, body: { name: 'Pages', fields } });
  return body.id;
}

async function newEntry(account: Account, collectionId: string, values: unknown) {
  const answer = await service.call(`POST /v1/cms/collections/${collectionId}/entries`, {
    as: account,
    body: { values },
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.id as string;
}

const get = async (as: Account, assetId: string) => (await service.call(`GET /v1/files/${assetId}`, { as })).body;
const remove = (as: Account, assetId: string, query = '') =>
  service.call(`DELETE /v1/files/${assetId}${query}`, { as });
const isServed = async (path: string) => (await service.app.inject(path)).statusCode === 200;

test('files are listed newest first, filtered by type and any part of the name', async () => {
  const account = await service.newAccount();
  const names = ['100%.png', 'Über.png', 'under_score.png', 'UPPER.PNG'];
  const sent = [];
  for (const name of names) sent.push((await send(account, name)).assetId);
  const { assetId: videoId } = await send(account, 'Upper video.mp4', videoFixture('plain.mp4'));
  const list = async (query: string) => {
    const { status, body } = await service.call(`GET /v1/files?${query}`, { as: account });
    assert.equal(status, 200, JSON.stringify(body));
    return body.files.map((file: { assetId: string }) => file.assetId);
  };
  assert.deepEqual(await list(''), [videoId, ...sent.toReversed()]);
  assert.deepEqual(await list('type=video'), [videoId]);
  assert.deepEqual(await list('name=upper'), [videoId, sent[3]]);
  assert.deepEqual(await list('name=upper&type=image'), [sent[3]]);
  assert.deepEqual(await list('name=%C3%BCber'), [sent[1]]);
  assert.deepEqual(await list('name=%25'), [sent[0]], 'a percent sign is not a wildcard');
  assert.deepEqual(await list('name=_'), [sent[2]], 'nor is an underscore');
  for (const query of ['type=audio', 'pageSize=0', 'name=', 'sort=x', 'unused=1']) {
    assert.equal((await service.call(`GET /v1/files?${query}`, { as: account })).status, 400, query);
  }
});

test('pages neither repeat nor skip files while others are added and deleted', async () => {
  const account = await service.newAccount();
  const sent = [];
  for (let i = 0; i < 5; i++) sent.push((await send(account, `${i}.png`)).assetId);
  const first = (await service.call('GET /v1/files?pageSize=2', { as: account })).body;
  await send(account, 'new.png');
  await remove(account, sent[3] ?? '');
  const second = (await service.call(`GET /v1/files?pageSize=2&pageToken=${first.nextPageToken}`, { as: account }))
    .body;
  const third = (await service.call(`GET /v1/files?pageSize=2&pageToken=${second.nextPageToken}`, { as: account }))
    .body;
  const seen = [first, second, third].flatMap((page) => page.files.map((file: { assetId: string }) => file.assetId));
  assert.deepEqual(seen, sent.toReversed());
  assert.equal(third.nextPageToken, null);
  const other = await service.call(`GET /v1/files?type=image&pageToken=${first.nextPageToken}`, { as: account });
  assert.equal(other.body.code, 'page_token_invalid');
});

test('a file is returned with all its members', async () => {
  const account = await service.newAccount();
  const bytes = await newImage();
  const { assetId } = await send(account, 'a.png', bytes);
  const { url, createdAt, thumbhash, placeholder, ...rest } = await get(account, assetId);
  assert.ok(url && createdAt);
  assert.ok(thumbhash === null || typeof thumbhash === 'string');
  assert.equal(placeholder?.startsWith('data:image/'), thumbhash === null ? undefined : true);
  assert.deepEqual(rest, {
    assetId,
    type: 'image',
    name: 'a.png',
    width: rest.width,
    height: 10,
    mediaType: 'image/png',
    bytes: bytes.length,
    alt: null,
    title: null,
    caption: null,
    folderId: null,
    private: false,
    focalPoint: null,
    animated: false,
    duration: null,
    codec: null,
    posterUrl: null,
    poster: null,
    srcset: null,
    updatedAt: createdAt,
    unusedSince: createdAt,
    tags: [],
    status: 'active',
    usedByCount: 0,
    usedBy: [],
  });
  const { assetId: videoId } = await send(account, 'a.mp4', videoFixture('plain.mp4'));
  const file = await get(account, videoId);
  assert.deepEqual([file.type, file.mediaType, file.duration, file.codec], ['video', 'video/mp4', 0.5, 'avc']);
  // Also every member of an asset value, and both can be written back.
  const { body: value } = await upload(service, account, [
    { filename: 'b.png', body: await noiseImage(700, 20).png().toBuffer() },
  ]);
  assert.equal(value.srcset.split(', ').length, 2);
  const read = await get(account, value.assetId);
  for (const name of Object.keys(value)) assert.deepEqual(read[name], value[name], name);
  assert.equal((await service.call(`PATCH /v1/files/${value.assetId}`, { as: account, body: read })).status, 200);
});

test('only name, alt text and focal point can be updated', async () => {
  const account = await service.newAccount();
  const { assetId, path } = await send(account, 'a.png');
  const change = (body: unknown) => service.call(`PATCH /v1/files/${assetId}`, { as: account, body });
  service.clock.now = Date.now() + 60_000;
  const { body } = await change({ name: '../Ein Hund', alt: 'A dog', focalPoint: { x: 0.25, y: 1 } });
  assert.deepEqual([body.name, body.alt, body.focalPoint], ['Ein Hund', 'A dog', { x: 0.25, y: 1 }]);
  assert.ok(body.updatedAt > body.createdAt);
  assert.match(body.url, /Ein-Hund\.png$/);
  assert.ok(await isServed(path), 'the previous URL keeps working');
  const partly = (await change({ focalPoint: null })).body;
  assert.deepEqual([partly.name, partly.alt, partly.focalPoint], ['Ein Hund', 'A dog', null]);
  const wrong = [
    { name: '' },
    { name: '../..' },
    { name: 'x'.repeat(201) },
    { alt: 1 },
    { focalPoint: { x: 1.1, y: 0 } },
    { focalPoint: { x: 0 } },
    { focalPoint: { x: 0, y: 0, z: 0 } },
    { widht: 1 },
  ];
  for (const each of wrong) assert.equal((await change(each)).status, 400, JSON.stringify(each));
  assert.equal((await change({ width: 7, assetId: 'ast_other', type: 'video' })).status, 200);
  const { name, width, type } = await get(account, assetId);
  assert.deepEqual([name, width, type], ['Ein Hund', body.width, 'image']);
});

test('deleting a file removes its record, its URL and its blob', async () => {
  const account = await service.newAccount();
  const before = storedFiles(service).length;
  const { assetId, path } = await send(account, 'a.png');
  assert.ok(await isServed(path));
  const answer = await remove(account, assetId);
  assert.deepEqual([answer.status, answer.body], [200, { assetId, deleted: true }]);
  assert.equal((await service.app.inject(path)).statusCode, 404);
  assert.equal(storedFiles(service).length, before);
  assert.equal((await service.db.query('select from orphaned_blobs')).rowCount, 0);
  for (const again of [
    await remove(account, assetId),
    await service.call(`GET /v1/files/${assetId}`, { as: account }),
  ]) {
    assert.deepEqual([again.status, again.body.code], [404, 'not_found']);
  }
});

test('uses in a field, a list and a group are reported, and prevent deletion', async () => {
  const account = await service.newAccount();
  const collectionId = await newCollection(account);
  const { assetId } = await send(account, 'a.png');
  const { assetId: other } = await send(account, 'b.png');
  const ids = [
    await newEntry(account, collectionId, { cover: { assetId } }),
    await newEntry(account, collectionId, { gallery: [{ assetId: other }, { assetId }] }),
    await newEntry(account, collectionId, { seo: { card: { assetId } } }),
  ];
  const used = await get(account, assetId);
  assert.equal(used.usedByCount, 3);
  const { files } = (await service.call('GET /v1/files', { as: account })).body;
  const counted = files.find((file: { assetId: string }) => file.assetId === used.assetId);
  assert.equal(counted.usedByCount, 3);
  assert.equal(used.unusedSince, null);
  assert.deepEqual(
    used.usedBy,
    ids.map((entryId) => ({ collectionId, entryId, status: 'active' })),
  );
  const refused = await remove(account, assetId);
  assert.deepEqual([refused.status, refused.body.code], [400, 'file_in_use']);

  const entry = (id: string | undefined) => `/v1/cms/collections/${collectionId}/entries/${id}`;
  await service.call(`PATCH ${entry(ids[0])}`, { as: account, body: { values: { cover: { assetId: other } } } });
  await service.call(`PATCH ${entry(ids[1])}`, { as: account, body: { values: { gallery: null } } });
  assert.deepEqual(
    (await get(account, assetId)).usedBy.map((use: { entryId: string }) => use.entryId),
    [ids[2]],
  );
  await service.call(`DELETE ${entry(ids[2])}`, { as: account });
  const named = await get(account, assetId);
  assert.deepEqual([named.usedBy[0].status, named.unusedSince], ['deleted', null]);
  assert.deepEqual((await get(account, other)).usedByCount, 1);

  await service.call(`PATCH ${entry(ids[2])}`, { as: account, body: { status: 'active' } });
  assert.equal((await remove(account, assetId)).body.code, 'file_in_use', 'a restored entry uses it again');
  assert.equal((await remove(account, assetId, '?force=true')).status, 200);
  const { body: left } = await service.call(`GET ${entry(ids[2])}`, { as: account });
  assert.deepEqual(left.values, { seo: {} }, 'a deleted file leaves no value');
  const changed = await service.call(`PATCH ${entry(ids[2])}`, {
    as: account,
    body: { values: { cover: { assetId: other } } },
  });
  assert.equal(changed.status, 200, 'the entry can still be changed');
});

test('the file of a deleted entry can be deleted', async () => {
  const account = await service.newAccount();
  const collectionId = await newCollection(account);
  const { assetId } = await send(account, 'a.png');
  const entryId = await newEntry(account, collectionId, { cover: { assetId } });
  await service.call(`DELETE /v1/cms/collections/${collectionId}/entries/${entryId}`, { as: account });
  assert.equal((await remove(account, assetId)).status, 200);
});

test('when a file is deleted while an entry starts to use it, one of the two fails', async () => {
  const account = await service.newAccount();
  const collectionId = await newCollection(account);
  for (let round = 0; round < 15; round++) {
    const { assetId } = await send(account, 'a.png');
    const [created, deleted] = await Promise.all([
      service.call(`POST /v1/cms/collections/${collectionId}/entries`, {
        as: account,
        body: { values: { cover: { assetId } } },
      }),
      remove(account, assetId),
    ]);
    const codes = [created.body.code, deleted.body.code];
    assert.ok(
      (created.status === 200 && codes[1] === 'file_in_use') ||
        (codes[0] === 'asset_unknown' && deleted.status === 200),
      JSON.stringify(codes),
    );
  }
});

test('identical content is stored once per account and deleted with its last asset', async () => {
  const [account, stranger] = [await service.newAccount(), await service.newAccount()];
  const bytes = await newImage();
  const before = storedFiles(service).length;
  const [first, second] = await Promise.all([send(account, 'a.png', bytes), send(account, 'b.png', bytes)]);
  const third = await send(account, 'c.png', bytes);
  assert.equal(storedFiles(service).length, before + 1);
  const theirs = await send(stranger, 'a.png', bytes);
  assert.equal(storedFiles(service).length, before + 2, 'accounts do not share content');
  assert.equal(new Set([first, second, third, theirs].map(({ path }) => path)).size, 4);
  for (const { assetId } of [first, third]) await remove(account, assetId);
  assert.ok(await isServed(second.path));
  await remove(account, second.assetId);
  assert.ok(!(await isServed(second.path)));
  assert.ok(await isServed(theirs.path));
  assert.equal(storedFiles(service).length, before + 1);
});

test('content deleted and uploaded again concurrently is there for every asset', async () => {
  const account = await service.newAccount();
  const bytes = await newImage();
  let last = await send(account, 'a.png', bytes);
  for (let round = 0; round < 20; round++) {
    const [next] = await Promise.all([send(account, 'a.png', bytes), remove(account, last.assetId)]);
    assert.ok(await isServed(next.path));
    last = next;
  }
  await remove(account, last.assetId);
  assert.equal((await service.db.query('select from orphaned_blobs')).rowCount, 0);
  const own = storedFiles(service).filter((path) => path.includes(account.uuid));
  assert.deepEqual(own, []);
});

test('unused files are listed, and deleted by a job after the given days', async () => {
  const account = await service.newAccount();
  const collectionId = await newCollection(account);
  const used = await send(account, 'used.png');
  await newEntry(account, collectionId, { cover: { assetId: used.assetId } });
  const kept = await send(account, 'kept.png');
  const entryId = await newEntry(account, collectionId, { cover: { assetId: kept.assetId } });
  const old = await send(account, 'old.png');
  service.clock.now += 40 * DAY;
  const fresh = await send(account, 'fresh.png');
  // Unused since now, not since it was uploaded.
  const path = `/v1/cms/collections/${collectionId}/entries/${entryId}`;
  await service.call(`PATCH ${path}`, { as: account, body: { values: { cover: null } } });

  const { body: listed } = await service.call('GET /v1/files?unused=true', { as: account });
  assert.deepEqual(
    listed.files.map((file: { name: string }) => file.name),
    ['fresh.png', 'old.png', 'kept.png'],
  );
  for (const worker of service.workers) worker.start();
  const job = await service.call('POST /v1/files/clear-unused', { as: account, body: { unusedForDays: 30 } });
  assert.deepEqual([job.status, job.body.type], [200, 'clear-unused-files']);
  let done = job.body;
  await until(async () => {
    done = (await service.call(`GET /v1/jobs/get-by-id?id=${job.body.id}`, { as: account })).body;
    return done.finishedAt !== null;
  });
  assert.deepEqual([done.status, done.result.files], ['completed', 1], JSON.stringify(done));
  assert.ok(done.result.bytes > 0);
  assert.ok(!(await isServed(old.path)));
  for (const { path: stays } of [used, kept, fresh]) assert.ok(await isServed(stays));
});

test('unknown files are 404, and fixed paths are not taken for ids', async () => {
  const account = await service.newAccount();
  for (const id of ['ast_1', newUuid(), 'x', '%2e%2e']) {
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await service.call(`${method} /v1/files/${id}`, { as: account })).status, 404, id);
    }
  }
  for (const request of ['GET /v1/files/upload', 'DELETE /v1/files/clear-unused']) {
    const wrong = await service.call(request, { as: account });
    assert.deepEqual([wrong.status, wrong.headers.allow], [405, 'POST']);
  }
});

test('lists of files use an index, without a sequential scan', NEEDS_ITS_SERVER, async () => {
  const account = await service.newAccount();
  await service.db.query(
    `insert into assets (account_id, id, url_key, type, media_type, name, bytes, sha256, width, height, storage_key, created_at,
       updated_at)
     select $1, gen_random_uuid(), gen_random_uuid(), 'image', 'image/png', 'photo ' || md5(i::text), 1,
       sha256(i::text::bytea), 1, 1, i, now(), now()
     from generate_series(1, 20000) i`,
    [account.uuid],
  );
  await service.db.query('analyze assets');
  const plan = async (condition: string) => {
    const { rows } = await service.db.query(
      `explain select * from assets where account_id = '${account.uuid}' and id < 'ffffffff-ffff-ffff-ffff-ffffffffffff'
       and ${condition} order by id desc limit 51`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  const conditions = ['true', "type = 'video'", "lower(name) like '%abcdef0%'", 'unused_since is not null'];
  for (const condition of conditions) {
    const text = await plan(condition);
    assert.match(text, /Index/, text);
    assert.doesNotMatch(text, /Seq Scan/, text);
  }
  const { rows } = await service.db.query(
    `explain select * from assets where account_id = '${account.uuid}' and sha256 = '\\x00' limit 1`,
  );
  assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /assets_by_content/);
});

test('files have tags, and move to the trash, from where they are restored or deleted after some days', async () => {
  const account = await service.newAccount();
  const [one, two] = [await send(account, 'one.png'), await send(account, 'two.png')];
  const patch = (assetId: string, body: unknown) => service.call(`PATCH /v1/files/${assetId}`, { as: account, body });
  const list = async (query = '') => {
    const { body } = await service.call(`GET /v1/files?${query}`, { as: account });
    return body.files.map(({ assetId }: { assetId: string }) => assetId);
  };
  const tagged = await patch(one.assetId, { tags: ['summer', ' hero ', 'summer'] });
  assert.deepEqual([tagged.body.tags, tagged.body.status], [['hero', 'summer'], 'active']);
  assert.equal((await patch(one.assetId, tagged.body)).status, 200, 'what was read can be sent back');
  assert.equal((await patch(one.assetId, { tags: [' '] })).status, 400);
  await patch(two.assetId, { tags: ['summer'] });
  assert.deepEqual(await list('tag=hero'), [one.assetId]);
  assert.deepEqual(await list('tag=nothing'), []);
  const tags = async () => (await service.call('GET /v1/files/tags', { as: account })).body.tags;
  assert.deepEqual(await tags(), [
    { tag: 'hero', files: 1 },
    { tag: 'summer', files: 2 },
  ]);

  await patch(one.assetId, { status: 'deleted' });
  assert.deepEqual([await list(), await list('deleted=true')], [[two.assetId], [one.assetId]]);
  assert.deepEqual(await tags(), [{ tag: 'summer', files: 1 }]);
  await patch(one.assetId, { status: 'active' });
  assert.deepEqual(await list('tag=summer'), [two.assetId, one.assetId]);
  await patch(one.assetId, { status: 'deleted' });
  await patch(two.assetId, { status: 'deleted' });
  service.clock.now += 20 * 86_400_000;
  await patch(two.assetId, { status: 'active' });
  await patch(two.assetId, { status: 'deleted' });
  service.clock.now += 11 * 86_400_000;
  const { db, config, clock } = service;
  const deps = { db, config, clock: () => clock.now, storage: openStorage(config) } as Partial<FileDeps> as FileDeps;
  await emptyFileTrash(deps, 30, new AbortController().signal);
  assert.deepEqual(await list('deleted=true'), [two.assetId]);
  assert.equal((await service.call(`GET /v1/files/${one.assetId}`, { as: account })).status, 404);
});
