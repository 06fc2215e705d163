import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filePart, PNG } from '../../../test/furnished-account.ts';
import { type Account, type Answer, testService } from '../../../test/harness.ts';
import { createTestUser } from '../../../test/users.ts';
import { createKey, revokeAccountKey } from '../../accounts/index.ts';
import { noiseImage } from '../../media/test-media.ts';
import { parseId } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import { openStorage } from '../storage/open-storage.ts';
import { portOf } from '../test-support.ts';
import { openTusStore } from './open-tus-store.ts';
import { deleteExpiredTokens } from './upload-tokens.ts';

const service = await testService();
const port = await portOf(service);
const endpoint = `http://127.0.0.1:${port}/files/tus`;
const ORIGIN = 'https://shop.example';
const TUS = { 'tus-resumable': '1.0.0' };
const CHUNK = { 'content-type': 'application/offset+octet-stream' };

const create = (as: Account, body: object = {}) => service.call('POST /v1/files/upload-tokens', { as, body });
const tokenOf = async (as: Account, body: object = {}): Promise<Answer['body'] & { token: string }> => {
  const { status, body: made } = await create(as, body);
  assert.equal(status, 200, JSON.stringify(made));
  return made;
};

/** A form with a file, as a page sends it. */
const upload = (
  token: string,
  { bytes = PNG, name = 'a.png', fields = {}, headers = {} }: UploadOptions = {},
): Promise<Answer> => {
  const { payload, headers: form } = filePart('file', name, bytes);
  const more = Object.entries(fields).map(([field, value]) => {
    const boundary = /boundary=(.*)/.exec(form['content-type'] ?? '')?.[1];
    return `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`;
  });
  return service.call('POST /v1/files/upload', {
    body: Buffer.concat([...more.map((each) => Buffer.from(each)), payload]),
    headers: { ...form, authorization: `Bearer ${token}`, origin: ORIGIN, ...headers },
  });
};
interface UploadOptions {
  bytes?: Buffer;
  name?: string;
  fields?: Record<string, string>;
  headers?: Record<string, string>;
}

const tus = (token: string, method: string, url = endpoint, headers: Record<string, string> = {}, body?: Buffer) =>
  fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, origin: ORIGIN, ...TUS, ...headers },
    body: body ?? null,
  });
const begin = (token: string, length: number, headers: Record<string, string> = {}) =>
  tus(token, 'POST', endpoint, { 'upload-length': String(length), ...headers });
const urlOf = (created: Response) => new URL(created.headers.get('location') ?? '', endpoint).href;
const patch = (token: string, url: string, body: Buffer, offset = 0) =>
  tus(token, 'PATCH', url, { ...CHUNK, 'upload-offset': String(offset) }, body);
const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code;
const filesOf = async (as: Account) => (await service.call('GET /v1/files', { as })).body.files as Answer['body'][];

test('a token lets a page upload one file by a form, whose ID is known before, and read the response', async () => {
  const account = await service.newAccount();
  const made = await tokenOf(account);
  assert.match(made.token, /^hw_up_[\w-]{54}$/);
  assert.deepEqual(
    [made.uploadUrl, made.tusUrl, Date.parse(made.expiresAt)],
    ['http://headwater.test/v1/files/upload', 'http://headwater.test/files/tus', service.clock.now + 3_600_000],
  );
  assert.equal((await service.call(`GET /v1/files/${made.assetId}`, { as: account })).status, 404);

  const preflight = await service.call('OPTIONS /v1/files/upload', {
    headers: {
      origin: ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    },
  });
  assert.deepEqual([preflight.status, preflight.headers['access-control-allow-origin']], [200, '*']);
  assert.match(String(preflight.headers['access-control-allow-headers']), /\bauthorization\b/);
  const done = await upload(made.token);
  assert.equal(done.status, 200, JSON.stringify(done.body));
  assert.deepEqual([done.body.assetId, done.body.name], [made.assetId, 'a.png']);
  assert.equal(done.headers['access-control-allow-origin'], '*');

  const second = await upload(made.token);
  assert.deepEqual([second.status, second.body.code], [401, 'upload_token_used']);
  assert.equal(second.headers['access-control-allow-origin'], '*', 'the page reads why');
  assert.equal((await begin(made.token, 10)).status, 401);
  assert.equal((await filesOf(account)).length, 1);
  const { rows } = await service.db.query('select hash, t::text from upload_tokens t where account_id = $1', [
    account.uuid,
  ]);
  assert.equal(rows.length, 1);
  assert.ok(!rows[0].t.includes(made.token.slice(30)), 'only a hash of the token is stored');
});

test('an upload by token may be repeated with its Idempotency-Key, which means nothing to others', async () => {
  const account = await service.newAccount();
  const [first, other] = [await tokenOf(account), await tokenOf(account)];
  const headers = { 'idempotency-key': 'same' };
  const done = await upload(first.token, { headers });
  assert.deepEqual((await upload(first.token, { headers })).body, done.body);
  assert.equal((await upload(first.token, { headers: { 'idempotency-key': 'new' } })).body.code, 'upload_token_used');
  assert.equal((await upload(other.token, { headers })).body.assetId, other.assetId);
});

test('a file that is refused leaves the token to be used again', async () => {
  const { token } = await tokenOf(await service.newAccount());
  const refused = await upload(token, { bytes: Buffer.from('\x89PNG\r\n\x1a\njust text', 'latin1') });
  assert.equal(refused.status, 400);
  assert.equal((await upload(token)).status, 200);
});

test('a token uploads its file by tus, and reaches no other upload', async () => {
  const account = await service.newAccount();
  const [mine, other] = [await tokenOf(account), await tokenOf(account)];
  const bytes = await noiseImage(300, 200).png().toBuffer();
  const created = await begin(mine.token, bytes.length);
  assert.equal(created.status, 201);
  assert.equal(created.headers.get('access-control-allow-origin'), '*');
  const exposed = created.headers.get('access-control-expose-headers') ?? '';
  for (const name of ['location', 'upload-offset', 'upload-length', 'tus-resumable'])
    assert.ok(exposed.includes(name), name);
  const url = urlOf(created);
  assert.equal(url.split('/').at(-1), mine.assetId);
  for (const method of ['HEAD', 'DELETE']) assert.equal((await tus(other.token, method, url)).status, 404, method);
  assert.equal((await patch(other.token, url, bytes)).status, 404);

  const half = bytes.length >> 1;
  assert.equal((await patch(mine.token, url, bytes.subarray(0, half))).status, 204);
  const head = await tus(mine.token, 'HEAD', url);
  assert.deepEqual([head.status, head.headers.get('upload-offset')], [200, String(half)]);
  const done = await patch(mine.token, url, bytes.subarray(half), half);
  assert.equal(done.status, 200);
  const asset = (await done.json()) as { assetId: string };
  assert.equal(asset.assetId, mine.assetId);
  // A client that lost the last response asks again.
  assert.equal((await tus(mine.token, 'HEAD', url)).headers.get('upload-offset'), String(bytes.length));
  const repeated = await patch(mine.token, url, Buffer.alloc(0), bytes.length);
  assert.deepEqual(await repeated.json(), asset);
  const again = await begin(mine.token, 10);
  assert.deepEqual([again.status, await codeOf(again)], [401, 'upload_token_used']);
  assert.equal((await upload(mine.token)).status, 401);
  assert.deepEqual(
    (await filesOf(account)).map(({ assetId }) => assetId),
    [mine.assetId],
  );
});

test('an upload that begins again with the same token takes the place of the one before', async () => {
  const account = await service.newAccount();
  const { token, assetId } = await tokenOf(account);
  const [first, second] = [await noiseImage(300, 200).png().toBuffer(), await noiseImage(90, 20).png().toBuffer()];
  const url = urlOf(await begin(token, first.length));
  assert.equal((await patch(token, url, first.subarray(0, 5_000))).status, 204);
  assert.equal(urlOf(await begin(token, second.length)), url);
  assert.equal((await tus(token, 'HEAD', url)).headers.get('upload-offset'), '0');
  assert.equal((await patch(token, url, second)).status, 200);
  const { body } = await service.call(`GET /v1/files/${assetId}`, { as: account });
  assert.deepEqual([body.width, body.height], [90, 20]);
});

test('a token that is used twice at the same time uploads one file', async () => {
  const account = await service.newAccount();
  const { token } = await tokenOf(account);
  const all = await Promise.all(
    [20, 30, 40, 50].map(async (width) => upload(token, { bytes: await noiseImage(width, 20).png().toBuffer() })),
  );
  assert.deepEqual(all.map(({ status }) => status).sort(), [200, 401, 401, 401]);
  assert.equal((await filesOf(account)).length, 1);
});

test('the limits of a token hold for forms and tus, whatever the page says', async () => {
  const account = await service.newAccount();
  const folder = (await service.call('POST /v1/folders', { as: account, body: { name: 'Sent' } })).body.id;
  const bytes = await noiseImage(300, 200).png().toBuffer();
  const small = await noiseImage(30, 20).png().toBuffer();
  const limits = {
    maxBytes: small.length,
    contentTypes: ['image/png', 'video/*'],
    name: 'photo.png',
    folderId: folder,
    private: true,
  };
  const byForm = await tokenOf(account, limits);
  assert.equal((await upload(byForm.token, { bytes })).body.code, 'file_too_large');
  const other = { bytes: Buffer.from('text'), name: 'a.png' };
  assert.equal((await upload(byForm.token, other)).body.code, 'file_type_unsupported');
  const jpeg = await noiseImage(8, 8).jpeg({ quality: 1 }).toBuffer();
  const notAllowed = await tokenOf(account, { ...limits, maxBytes: null });
  assert.equal((await upload(notAllowed.token, { bytes: jpeg })).body.code, 'file_type_not_allowed');
  const fields = { folderId: '', private: 'false' };
  const done = await upload(byForm.token, { bytes: small, name: 'evil.html', fields });
  assert.equal(done.status, 200, JSON.stringify(done.body));

  const byTus = await tokenOf(account, limits);
  assert.equal((await begin(byTus.token, bytes.length)).status, 413);
  const deferred = urlOf(await tus(byTus.token, 'POST', endpoint, { 'upload-defer-length': '1' }));
  assert.equal((await patch(byTus.token, deferred, bytes)).status, 413);
  const wrong = await tokenOf(account, { contentTypes: ['image/webp'] });
  const refused = await patch(wrong.token, urlOf(await begin(wrong.token, small.length)), small);
  assert.deepEqual([refused.status, await codeOf(refused)], [400, 'file_type_not_allowed']);
  const metadata = ['filename evil.html', 'private false', 'folderId x'].map((each) => {
    const [name = '', value = ''] = each.split(' ');
    return `${name} ${Buffer.from(value).toString('base64')}`;
  });
  const created = await begin(byTus.token, small.length, { 'upload-metadata': metadata.join(',') });
  assert.equal((await patch(byTus.token, urlOf(created), small)).status, 200);
  for (const { assetId } of [byForm, byTus]) {
    const { body: file } = await service.call(`GET /v1/files/${assetId}`, { as: account });
    assert.deepEqual([file.name, file.folderId, file.private], ['photo.png', folder, true]);
  }
  assert.equal((await filesOf(account)).length, 2);
});

test('a back end that completes the upload of a token is bound by it, and uses it', async () => {
  const account = await service.newAccount();
  const { token, assetId } = await tokenOf(account, { name: 'photo.png', private: true });
  const url = urlOf(await begin(token, PNG.length));
  const completed = await fetch(url, {
    method: 'PATCH',
    headers: { 'x-api-key': `Bearer ${account.token}`, ...TUS, ...CHUNK, 'upload-offset': '0' },
    body: PNG,
  });
  assert.equal(completed.status, 200);
  const { body: file } = await service.call(`GET /v1/files/${assetId}`, { as: account });
  assert.deepEqual([file.name, file.private], ['photo.png', true]);
  assert.equal((await upload(token)).body.code, 'upload_token_used');
});

test('a token is for pages of its origin, and only until it expires', async () => {
  const account = await service.newAccount();
  const { token } = await tokenOf(account, { origin: ORIGIN, expiresIn: 60 });
  for (const origin of ['https://evil.example', 'http://shop.example', 'null']) {
    const refused = await upload(token, { headers: { origin } });
    assert.deepEqual([refused.status, refused.body.code], [401, 'origin_not_allowed'], origin);
    assert.equal((await tus(token, 'POST', endpoint, { origin, 'upload-length': '9' })).status, 401);
  }
  const without = await fetch(endpoint, { method: 'POST', headers: { authorization: `Bearer ${token}`, ...TUS } });
  assert.equal(await codeOf(without), 'origin_not_allowed');
  const url = urlOf(await begin(token, PNG.length));
  service.clock.now += 60_000;
  for (const late of [await begin(token, PNG.length), await patch(token, url, PNG)]) {
    assert.deepEqual([late.status, await codeOf(late)], [401, 'upload_token_expired']);
  }
  assert.equal((await upload(token)).body.code, 'upload_token_expired');
  assert.deepEqual(await filesOf(account), []);
});

test('a token that was never made is that of nobody', async () => {
  const account = await service.newAccount();
  const { token } = await tokenOf(account);
  const other = await tokenOf(await service.newAccount());
  const mixed = other.token.slice(0, 28) + token.slice(28);
  for (const wrong of ['hw_up_', `${token}x`, token.slice(0, -1), mixed, `hw_up_${'a'.repeat(54)}`]) {
    const { status, body } = await upload(wrong);
    assert.deepEqual([status, body.code], [401, 'unauthorized'], wrong);
  }
  const { rows } = await service.db.query('select from assets where account_id = $1', [account.uuid]);
  assert.equal(rows.length, 0);
});

test('a token is refused that could not be used', async () => {
  const account = await service.newAccount();
  const theirs = (await service.call('POST /v1/folders', { as: await service.newAccount(), body: { name: 'Theirs' } }))
    .body;
  for (const [body, code] of [
    [{ origin: 'shop.example' }, 'origin_invalid'],
    [{ origin: 'https://shop.example/path' }, 'origin_invalid'],
    [{ origin: 'javascript:alert(1)' }, 'origin_invalid'],
    [{ folderId: theirs.id }, 'folder_unknown'],
    [{ contentTypes: ['png'] }, 'format'],
    [{ maxBytes: 0 }, 'out_of_range'],
    [{ expiresIn: 86_401 }, 'out_of_range'],
  ] as const) {
    const { status, body: refused } = await create(account, body);
    assert.deepEqual([status, refused.code], [400, code], JSON.stringify(body));
  }
  assert.equal((await tokenOf(account, { origin: 'https://SHOP.example/' })).assetId.slice(0, 4), 'ast_');
});

test('what was begun with tokens does not count as unfinished uploads of servers, and is deleted when they have expired', async () => {
  const account = await service.newAccount();
  const own = () =>
    readdirSync(join(service.dataDir, 'files', 'uploads')).filter((name) => name.startsWith(account.uuid));
  const used = await tokenOf(account);
  assert.equal((await upload(used.token)).status, 200);
  for (let i = 0; i < 101; i++) {
    const { token } = await tokenOf(account);
    assert.equal((await begin(token, 10)).status, 201);
  }
  const byServer = () =>
    fetch(endpoint, {
      method: 'POST',
      headers: { 'x-api-key': `Bearer ${account.token}`, ...TUS, 'upload-length': '9' },
    });
  assert.equal((await byServer()).status, 201);
  assert.equal(own().length, 102);
  const store = openTusStore(openStorage(service.config), () => service.clock.now);
  const clear = (hours: number) =>
    deleteExpiredTokens(service.db, service.clock.now + hours * 3_600_000, (uuid, id) =>
      store.remove(`${uuid}.${id}`).catch(() => {}),
    );
  const left = async () =>
    (await service.db.query('select from upload_tokens where account_id = $1', [account.uuid])).rows.length;
  await clear(1.9);
  assert.deepEqual([await left(), own().length], [102, 102]);
  await clear(2.1);
  assert.deepEqual([await left(), own().length], [0, 1]);
  assert.equal((await filesOf(account)).length, 1);
});

test('a token ends with the key or the member that created it, also in the middle of an upload', async () => {
  const account = await service.newAccount();
  const key = async (limits: Parameters<typeof createKey>[4] = {}) => {
    const { token, id } = await createKey(service.control, account.id, 'secret', 'Back end', limits);
    return { id, upload: await tokenOf({ ...account, token }) };
  };
  const refused = async (answer: Promise<{ status: number }>) => assert.equal((await answer).status, 401);
  const [revoked, other] = [await key(), await key()];
  const begun = await begin(revoked.upload.token, PNG.length);
  assert.equal(begun.status, 201);
  await revokeAccountKey(service.control, revoked.id);
  await refused(upload(revoked.upload.token));
  await refused(begin(revoked.upload.token, 1));
  await refused(patch(revoked.upload.token, urlOf(begun), PNG));
  assert.equal((await upload(other.upload.token)).status, 200, 'it is none of another key');

  const expired = await key({ expiresAt: isoTime(Date.now() + 60_000) });
  await service.control.query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [
    parseId('key', expired.id),
  ]);
  await refused(upload(expired.upload.token));

  const owner = await createTestUser(service, account);
  const members = [await createTestUser(service, account, 'editor'), await createTestUser(service, account, 'editor')];
  const tokens = await Promise.all(
    members.map(async (by) => (await service.call('POST /v1/files/upload-tokens', { by, body: {} })).body.token),
  );
  const [left, viewer] = members;
  await service.call(`DELETE /v1/members/${left?.userId}`, { by: owner });
  await refused(upload(tokens[0]));
  await service.call(`PATCH /v1/members/${viewer?.userId}`, { by: owner, body: { role: 'viewer' } });
  await refused(upload(tokens[1]));
  await service.call(`PATCH /v1/members/${viewer?.userId}`, { by: owner, body: { role: 'editor' } });
  assert.equal((await upload(tokens[1])).status, 200);
  assert.equal((await filesOf(account)).length, 2);
});

test('a token works where the account is: in a cell of its own', async () => {
  const cells = await testService({}, { apart: true });
  const account = await cells.newAccount();
  const made = (await cells.call('POST /v1/files/upload-tokens', { as: account })).body;
  const { payload, headers } = filePart('file', 'a.png', PNG);
  const request = { body: payload, headers: { ...headers, authorization: `Bearer ${made.token}` } };
  const done = await cells.call('POST /v1/files/upload', request);
  assert.deepEqual([done.status, done.body.assetId], [200, made.assetId], JSON.stringify(done.body));
  assert.equal((await cells.call(`GET /v1/files/${made.assetId}`, { as: account })).status, 200);
  assert.equal((await cells.call('POST /v1/files/upload', request)).body.code, 'upload_token_used');
});
