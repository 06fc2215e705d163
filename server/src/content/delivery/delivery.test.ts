import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import { filePart } from '../../../test/furnished-account.ts';
import type { Account, Answer } from '../../../test/harness.ts';
import type { Entry } from '../entries/contract.ts';
import { contentService, faultsOf } from '../test-support.ts';

const service = await contentService();
const { call, ok, newAccount, newCollection, createEntry } = service;

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text' },
  { id: 'rank', label: 'Rank', type: 'number' },
  { id: 'hidden', label: 'Hidden', type: 'text', private: true },
  { id: 'cost', label: 'Cost', type: 'number', private: true },
  { id: 'retired', label: 'Retired', type: 'text' },
  { id: 'cover', label: 'Cover', type: 'asset' },
  { id: 'tags', label: 'Tags', type: 'text', repeated: true },
  { id: 'seo', label: 'SEO', type: 'group', fields: [{ id: 'text', label: 'Text', type: 'text' }] },
];

const read = (account: Account, path: string, headers: Record<string, string> = {}) =>
  call(`GET ${path}${path.includes('?') ? '&' : '?'}key=${account.apiKey}`, { headers });

async function publicCollection(account: Account) {
  const path = await newCollection(account, FIELDS, {
    publishing: true,
    public: true,
    defaultSort: { fieldId: 'cost', direction: 'asc' },
  });
  return { path, url: `/v1/content/${path.split('/').at(-1)}` };
}

const publish = (account: Account, path: string, { id }: Entry) =>
  ok(`POST ${path}/entries/${id}/publish`, account, {});

test('published entries can be read with a publishable key until they are unpublished', async () => {
  const account = await newAccount();
  const { path, url } = await publicCollection(account);
  const image = await sharp({ create: { width: 800, height: 400, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const { payload, headers } = filePart('file', 'picture.png', image);
  const asset = (await call('POST /v1/files/upload', { as: account, body: payload, headers })).body;
  const values = { title: 'One', hidden: 'no', cost: 5, cover: { assetId: asset.assetId } };
  const entry = await createEntry(account, path, values);
  assert.deepEqual((await read(account, url)).body, { entries: [], nextPageToken: null });
  assert.equal((await read(account, `${url}/${entry.id}`)).status, 404);
  const { publishedAt } = await publish(account, path, entry);

  const seconds = Math.floor(Date.now() / 1_000);
  const list = await read(account, url, { origin: 'https://shop.example' });
  const srcset = [320, 640].map((width) => `${asset.url}?w=${width}&format=webp ${width}w`).join(', ');
  const returned = {
    id: entry.id,
    values: { title: 'One', cover: { ...asset, srcset } },
    publishedAt,
    createdAt: entry.createdAt,
  };
  assert.deepEqual(list.body, { entries: [returned], nextPageToken: null });
  assert.deepEqual((await read(account, `${url}/${entry.id}`)).body, returned);
  assert.equal(list.headers['access-control-allow-origin'], '*');
  assert.equal(list.headers['cache-control'], 'public, max-age=1, stale-if-error=0');
  // nginx keeps it until the end of the present second, not for two.
  const keptUntil = Number(/^@(\d+)$/.exec(String(list.headers['x-accel-expires']))?.[1]);
  assert.ok(keptUntil >= seconds && keptUntil <= Date.now() / 1_000);
  assert.equal(list.headers['cache-tag'], [path.split('/').at(-1), asset.assetId, entry.id].join());
  assert.equal(list.headers['surrogate-key'], String(list.headers['cache-tag']).replaceAll(',', ' '));
  const known = { 'if-none-match': `"other", W/${list.headers.etag}` };
  const unchanged = await read(account, url, known);
  assert.deepEqual([unchanged.status, unchanged.body, unchanged.headers.etag], [304, '', list.headers.etag]);
  for (const target of [url, `${url}/${entry.id}`])
    assert.equal((await read(account, target, { 'if-none-match': ' *' })).status, 304);
  assert.equal((await read(account, url, { 'if-none-match': '"*"' })).status, 200);
  assert.equal((await read(account, `${url}/${entry.id}0`, { 'if-none-match': '*' })).status, 404);

  // Each change is seen by the next request.
  await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: { title: 'Two' } });
  assert.equal((await read(account, url, known)).status, 304, 'a draft changes nothing');
  await publish(account, path, entry);
  assert.equal((await read(account, url, known)).body.entries[0].values.title, 'Two');
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'title', private: true }] });
  assert.deepEqual(Object.keys((await read(account, url)).body.entries[0].values), ['cover']);
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'title', private: false }] });
  await ok(`DELETE ${path}/entries/${entry.id}`, account);
  assert.deepEqual((await read(account, url)).body.entries, []);
  await ok(`PATCH ${path}`, account, { public: false });
  assert.equal((await read(account, url)).status, 404);
});

test('only publishable keys, and secret tokens of servers, read public collections', async () => {
  const [account, other] = [await newAccount(), await newAccount()];
  const { path, url } = await publicCollection(account);
  await publish(account, path, await createEntry(account, path, { title: 'x' }));
  const origin = { origin: 'https://shop.example' };
  const header = (key: string) => ({ 'x-api-key': `Bearer ${key}` });
  for (const [headers, status] of [
    [header(account.apiKey), 200],
    [{ ...header(account.apiKey), ...origin }, 200],
    [header(account.token), 200],
    [{ ...header(account.token), ...origin }, 401],
    [header(other.apiKey), 404],
    [{}, 401],
  ] as const) {
    const answer = await call(`GET ${url}`, { headers });
    assert.equal(answer.status, status);
    // A 404 replaces what a cache has; what a token is told stays between it and the service.
    if (status === 401) assert.equal(answer.headers['cache-control'], 'no-store');
  }
  assert.equal((await call(`GET ${url}?key=${account.token}`)).status, 401);
  const preflight = await call(`OPTIONS ${url}`, { headers: { ...origin, 'access-control-request-method': 'GET' } });
  assert.match(String(preflight.headers['access-control-allow-headers']), /x-api-key/);

  const plain = await newCollection(account, FIELDS);
  assert.equal((await read(account, plain.replace('/v1/cms/collections', '/v1/content'))).status, 404);
  const refused = await call('POST /v1/cms/collections', { as: account, body: { name: 'x', public: true } });
  assert.deepEqual(faultsOf(refused), ['/public publishing_disabled']);
});

test('a cache replaces what was unpublished by the 404, but keeps none that explains itself to a token', async () => {
  const account = await newAccount();
  const { path, url } = await publicCollection(account);
  const entry = await createEntry(account, path, { title: 'One' });
  await publish(account, path, entry);
  const shown = await read(account, `${url}/${entry.id}`);
  await ok(`POST ${path}/entries/${entry.id}/unpublish`, account, {});
  const gone = await read(account, `${url}/${entry.id}`, { 'if-none-match': String(shown.headers.etag) });
  assert.deepEqual([gone.status, gone.headers['cache-control']], [404, shown.headers['cache-control']]);
  assert.deepEqual([gone.headers.vary, gone.headers.etag], [shown.headers.vary, undefined]);
  assert.match(String(gone.headers['x-accel-expires']), /^@\d+$/);
  await ok(`PATCH ${path}`, account, { public: false });
  const closed = await read(account, url);
  assert.deepEqual([closed.status, closed.headers['cache-control']], [404, 'public, max-age=1, stale-if-error=0']);
  const explained = await call(`GET ${url}`, { as: account });
  assert.deepEqual([explained.status, explained.headers['cache-control']], [404, 'no-store']);
  assert.equal((await read(account, `${url}?unknown=1`)).headers['cache-control'], 'no-store');
});

test('cache tags name collections, entries and assets that a response depends on, and no collection that is not public', async () => {
  const account = await newAccount();
  const authors = await publicCollection(account);
  const closed = await newCollection(account, FIELDS, { publishing: true });
  const idOf = (path: string) => path.split('/').at(-1) ?? '';
  const targets = [authors.path, closed].map(idOf);
  const author = { id: 'author', label: 'Author', type: 'text', format: 'reference', collectionIds: targets };
  const path = await newCollection(account, [...FIELDS, author], { publishing: true, public: true });
  const ada = await createEntry(account, authors.path, { title: 'Ada' });
  await publish(account, authors.path, ada);
  const post = await createEntry(account, path, { title: 'Post', author: ada.id });
  await publish(account, path, post);
  for (const query of ['', '?expand=author']) {
    const { headers } = await read(account, `/v1/content/${idOf(path)}/${post.id}${query}`);
    const tags = String(headers['cache-tag']).split(',');
    assert.deepEqual(tags.sort(), [idOf(path), idOf(authors.path), post.id, ada.id].sort(), query);
  }
  for (const [route, body, shown] of [
    ['query', {}, [post.id, ada.id]],
    ['aggregate', { measures: { n: { count: true } } }, []],
  ] as const) {
    const { headers } = await call(`POST /v1/content/${idOf(path)}/${route}?key=${account.apiKey}`, { body });
    const tags = String(headers['cache-tag']).split(',');
    assert.deepEqual(tags.sort(), [idOf(path), idOf(authors.path), ...shown].sort(), route);
    assert.equal(headers['surrogate-key'], String(headers['cache-tag']).replaceAll(',', ' '));
  }
});

test('large responses are compressed as the client accepts, with a tag of their own', async () => {
  const account = await newAccount();
  const { path, url } = await publicCollection(account);
  await publish(account, path, await createEntry(account, path, { title: 'x'.repeat(2_000) }));
  const send = (encoding: string, headers: Record<string, string> = {}) =>
    service.app.inject({ url: `${url}?key=${account.apiKey}`, headers: { 'accept-encoding': encoding, ...headers } });
  const plain = await send('identity');
  assert.deepEqual([plain.statusCode, plain.headers['content-encoding']], [200, undefined]);
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
  ] as const) {
    const packed = await send(accepted);
    assert.equal(packed.headers['content-encoding'], encoding);
    assert.deepEqual(decoders[encoding](packed.rawPayload), plain.rawPayload);
    assert.ok(packed.rawPayload.length < plain.rawPayload.length / 4);
    assert.notEqual(packed.headers.etag, plain.headers.etag);
    for (const etag of [packed.headers.etag, plain.headers.etag, `W/${packed.headers.etag}`]) {
      const known = await send(accepted, { 'if-none-match': String(etag) });
      assert.deepEqual([known.statusCode, known.headers.etag], [304, packed.headers.etag]);
    }
  }
  assert.match(String(plain.headers.vary), /accept-encoding/);
  const empty = await publicCollection(account);
  const small = await call(`GET ${empty.url}?key=${account.apiKey}`, { headers: { 'accept-encoding': 'br' } });
  assert.equal(small.headers['content-encoding'], undefined);
});

const FUZZED = Number(process.env.FUZZED_READS ?? 1_500);

test('no public response contains or reveals a draft, a private or deleted field, or anything of others', async () => {
  const [account, other] = [await newAccount(), await newAccount()];
  const { path, url } = await publicCollection(account);
  const secret = await newCollection(account, FIELDS, { publishing: true });
  const foreign = await publicCollection(other);
  const ids: string[] = [];
  for (let i = 0; i < 12; i++) {
    const live = { title: `live ${i}`, rank: i, retired: 'zretired', tags: ['live'], seo: { text: 'live' } };
    const entry = await createEntry(account, path, { ...live, hidden: `zprivate ${i}`, cost: 777_000 + i });
    if (i % 4 !== 0) await publish(account, path, entry);
    if (i % 3 === 0 || i % 4 === 0) {
      const draft = { title: `zdraft ${i}`, tags: ['zdraft'], seo: { text: 'zdraft' } };
      await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: draft });
    }
    if (i === 5) await ok(`DELETE ${path}/entries/${entry.id}`, account);
    ids.push(entry.id);
  }
  const unpublished = ids.filter((_, i) => i % 4 === 0 || i === 5);
  const published = ids.filter((id) => !unpublished.includes(id));
  const hiddenEntry = await createEntry(account, secret, { title: 'zsecret' });
  await publish(account, secret, hiddenEntry);
  const theirs = await createEntry(other, foreign.path, { title: 'zforeign' });
  await publish(other, foreign.path, theirs);
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'retired', status: 'deleted' }] });

  const field = fc.constantFrom(
    'title',
    'rank',
    'hidden',
    'cost',
    'retired',
    'cover',
    'tags',
    'seo',
    'createdAt',
    'updatedAt',
    '__proto__',
  );
  const operator = fc.constantFrom('eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'contains', 'exists');
  const text = fc.oneof(
    fc.constantFrom(
      'zdraft',
      'zprivate',
      'zretired',
      'zsecret',
      'live',
      '777000',
      '777005',
      '3',
      'true',
      'false',
      'z',
      '',
    ),
    fc.string({ maxLength: 8 }),
  );
  const tokens: string[] = [];
  const parameter = fc.oneof(
    fc.record({ name: fc.tuple(field, operator).map(([a, b]) => `filter[${a}][${b}]`), value: text }),
    fc.record({
      name: fc.constant('sort'),
      value: fc.tuple(field, fc.constantFrom('asc', 'desc')).map((all) => all.join(':')),
    }),
    fc.record({ name: fc.constant('q'), value: text }),
    fc.record({ name: fc.constant('pageSize'), value: fc.constantFrom('1', '2', '100') }),
    fc.record({
      name: fc.constant('pageToken'),
      value: fc.nat().map((n) => tokens[n % Math.max(1, tokens.length)] ?? ''),
    }),
    fc.record({
      name: fc.constantFrom('state', 'includeDeleted', 'expand', 'version'),
      value: fc.constantFrom('draft', 'true', '1'),
    }),
  );
  const target = fc.constantFrom(
    url,
    url,
    url,
    ...ids.map((id) => `${url}/${id}`),
    `${url}/${hiddenEntry.id}`,
    `${url}/${theirs.id}`,
    foreign.url,
    secret.replace('/v1/cms/collections', '/v1/content'),
  );
  const query = fc.oneof(
    { weight: 3, arbitrary: fc.array(parameter, { maxLength: 2 }) },
    fc.array(parameter, { maxLength: 4 }),
  );
  let [successes, found] = [0, 0];
  const check = (at: string, sent: { name: string; value: string }[], { status, body }: Answer) => {
    assert.ok([200, 400, 404].includes(status), JSON.stringify(body));
    if (status !== 200) {
      const own = JSON.stringify(body).replaceAll(/"(instance|detail|pointer)":"[^"]*"/g, '');
      assert.ok(!/zdraft \d|zprivate \d|7770\d\d/.test(own), own);
      return;
    }
    successes++;
    const returned: Entry[] = body.entries ?? [body];
    found += returned.length;
    assert.ok(at === url || published.includes(at.split('/').at(-1) ?? ''), at);
    const json = JSON.stringify(returned);
    assert.ok(!/zdraft|zprivate|zretired|zsecret|zforeign|7770\d\d|hidden|cost/.test(json), json);
    assert.ok(
      returned.every(({ id }) => published.includes(id)),
      json,
    );
    if (body.nextPageToken) tokens.push(body.nextPageToken);
    // Neither the number nor the order of the results depends on what is hidden.
    for (const { name, value } of sent) {
      assert.ok(!/\b(hidden|cost|retired)\b/.test(name + (name === 'sort' ? value : '')), name);
      if (name === 'q' && /zdraft|zprivate|zretired/.test(value)) assert.deepEqual(returned, []);
    }
    const isUnsorted = !sent.some(({ name }) => name === 'sort' || name === 'pageToken');
    if (isUnsorted)
      assert.deepEqual(
        returned.map(({ id }) => id),
        returned.map(({ id }) => id).toSorted(),
      );
  };
  await fc.assert(
    fc.asyncProperty(target, query, async (at, sent) => {
      const search = new URLSearchParams(sent.map(({ name, value }) => [name, value]));
      check(at, sent, await read(account, `${at}?${search}`));
    }),
    { numRuns: FUZZED },
  );
  assert.ok(successes > FUZZED / 10 && found > FUZZED / 5, `${successes} ${found}`);
});

test('a preview token reads drafts of its collection for an hour, without private fields, and nothing is cached', async () => {
  const account = await newAccount();
  const { path, url } = await publicCollection(account);
  const entry = await createEntry(account, path, { title: 'One', hidden: 'secret', cost: 1 });
  const preview = (as = account) => call(`POST ${path}/entries/${entry.id}/preview`, { as });
  assert.deepEqual(faultsOf(await preview()), [' preview_not_configured']);
  for (const [previewUrl, fault] of [
    ['ftp://shop.example/', 'url_invalid'],
    ['https://{id}.example/', 'url_invalid'],
    ['https://shop.example/{nothing}', 'placeholder_unknown'],
  ]) {
    const answer = await call(`PATCH ${path}`, { as: account, body: { previewUrl } });
    assert.deepEqual(faultsOf(answer), [`/previewUrl ${fault}`]);
  }
  await ok(`PATCH ${path}`, account, { previewUrl: 'https://shop.example/posts/{slug}?preview={token}' });
  const { url: shown, token, expiresAt } = (await preview()).body;
  assert.equal(shown, `https://shop.example/posts/${entry.id}?preview=${token}`);
  assert.equal(Date.parse(expiresAt), service.clock.now + 3_600_000);
  assert.equal((await preview(await newAccount())).status, 404);

  const drafts = `${url}?preview=${token}`;
  const one = `${url}/${entry.id}?preview=${token}`;
  const list = await read(account, drafts);
  assert.deepEqual(list.body.entries, [(await read(account, one)).body]);
  assert.deepEqual([list.body.entries[0].values, list.body.entries[0].publishedAt], [{ title: 'One' }, null]);
  assert.deepEqual([list.headers['cache-control'], list.headers.etag], ['private, no-store', undefined]);
  await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: { title: 'Two' } });
  assert.equal((await read(account, one)).body.values.title, 'Two');
  assert.deepEqual((await read(account, url)).body.entries, [], 'without the token nothing is shown');
  for (const query of ['filter[hidden][eq]=secret', 'sort=cost:asc']) {
    assert.equal((await read(account, `${drafts}&${query}`)).status, 400, 'private fields cannot be asked for');
  }
  assert.deepEqual((await read(account, `${drafts}&q=secret`)).body.entries, []);

  const refused = async (answer: Promise<Answer>) =>
    assert.deepEqual(faultsOf(await answer), [' preview_token_invalid']);
  const other = await newAccount();
  const theirs = await publicCollection(other);
  await refused(read(other, `${theirs.url}?preview=${token}`));
  await refused(read(account, `${drafts}x`));
  const [collectionId, , signature] = token.split('.');
  await refused(read(account, `${url}?preview=${collectionId}.zzzzzzzz.${signature}`));
  // In another collection of the account it reads what is published, and is not a way into its drafts.
  const { path: otherPath, url: otherUrl } = await publicCollection(account);
  const published = await createEntry(account, otherPath, { title: 'Published' });
  const draft = await createEntry(account, otherPath, { title: 'Draft' });
  await ok(`POST ${otherPath}/entries/${published.id}/publish`, account, {});
  await ok(`PATCH ${otherPath}/entries/${published.id}`, account, { values: { title: 'Changed' } });
  for (const at of [otherUrl, `${otherUrl}/${published.id}`]) {
    const plain = await read(account, at);
    assert.ok(JSON.stringify(plain.body).includes('Published'));
    const withToken = await read(account, `${at}?preview=${token}`);
    assert.deepEqual([withToken.body, withToken.headers['cache-control']], [plain.body, 'private, no-store']);
  }
  assert.equal((await read(account, `${otherUrl}/${draft.id}?preview=${token}`)).status, 404);
  await refused(
    read(account, `${otherUrl}?preview=${otherUrl.split('/').at(-1)}.${token.slice(token.indexOf('.') + 1)}`),
  );
  service.clock.now += 3_600_001;
  await refused(read(account, one));
  await refused(read(account, `${otherUrl}?preview=${token}`));
});
