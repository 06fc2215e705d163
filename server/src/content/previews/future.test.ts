/** Previews of releases and of future times: public content as it will be. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../../test/harness.ts';
import { contentService, faultsOf } from '../test-support.ts';

const service = await contentService();
const { call, ok, newAccount, newCollection, createEntry, clock } = service;

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text', required: true },
  { id: 'slug', label: 'Slug', type: 'text', format: 'slug', slugSource: 'title' },
];

async function setup() {
  const account = await newAccount();
  const previewUrl = 'https://shop.example/{slug}?preview={token}';
  const path = await newCollection(account, FIELDS, { publishing: true, public: true, previewUrl });
  const [one, two] = [
    await createEntry(account, path, { title: 'One' }),
    await createEntry(account, path, { title: 'Two' }),
  ];
  await ok(`POST ${path}/entries/${one.id}/publish`, account, {});
  const id = path.split('/').at(-1) ?? '';
  const preview = (query: string) => call(`POST ${path}/entries/${two.id}/preview?${query}`, { as: account });
  const titles = async (token?: string, query = 'sort=title:asc') => {
    const search = `?key=${account.apiKey}&${query}${token === undefined ? '' : `&preview=${token}`}`;
    const { body, headers } = await call(`GET /v1/content/${id}${search}`);
    if (token !== undefined) assert.equal(headers['cache-control'], 'private, no-store');
    return body.entries.map(({ values }: { values: { title: string } }) => values.title);
  };
  return { account, path, id, one, two, preview, titles };
}

const release = (account: Account, body: object) => ok('POST /v1/cms/releases', account, body);

test('a preview of a release reads everything as the release publishes it, and changes nothing', async () => {
  const { account, path, id, one, two, preview, titles } = await setup();
  const collectionId = id;
  const { id: releaseId } = await release(account, {
    name: 'Spring',
    items: [
      { collectionId, entryId: one.id, action: 'unpublish' },
      { collectionId, entryId: two.id },
    ],
  });
  const { url, token } = (await preview(`release=${releaseId}`)).body;
  assert.equal(url, `https://shop.example/two?preview=${token}`);
  assert.deepEqual(await titles(token), ['Two']);
  assert.deepEqual(await titles(token, 'q=two'), ['Two']);
  assert.deepEqual(await titles(token, 'filter[title][eq]=One'), []);
  const bySlug = await call(`GET /v1/content/${id}/two?key=${account.apiKey}&preview=${token}`);
  assert.equal(bySlug.body.id, two.id);
  const gone = await call(`GET /v1/content/${id}/${one.id}?key=${account.apiKey}&preview=${token}`);
  assert.deepEqual([gone.status, gone.headers['cache-control']], [404, 'no-store']);
  assert.deepEqual(await titles(), ['One'], 'nothing was published');
  assert.equal((await ok(`GET ${path}/entries/${two.id}`, account)).publishedAt, null);
  assert.deepEqual((await ok('GET /v1/content/changes', account)).changes.length, 1);

  await ok(`PATCH ${path}/entries/${two.id}`, account, { values: { title: null } });
  assert.deepEqual(await titles(token), ['Two'], 'the release has a version');
  await ok(`POST /v1/cms/releases/${releaseId}/publish`, account, {});
  assert.deepEqual(await titles(token), ['Two']);

  const other = await newAccount();
  const foreign = await call(`GET /v1/content/${id}?key=${other.apiKey}&preview=${token}`);
  assert.deepEqual(faultsOf(foreign), [' preview_token_invalid']);
  const forged = await call(
    `GET /v1/content/${id}?key=${account.apiKey}&preview=at_zzz.${token.slice(token.indexOf('.') + 1)}`,
  );
  assert.deepEqual(faultsOf(forged), [' preview_token_invalid']);
});

test('a preview of a time reads with what is scheduled until then, without releases that will fail', async () => {
  const { account, path, id, one, two, preview, titles } = await setup();
  const hours = (count: number) => new Date(clock.now + count * 3_600_000).toISOString();
  const collectionId = id;
  const broken = await createEntry(account, path, { title: 'Broken' });
  await release(account, { at: hours(1), items: [{ collectionId, entryId: two.id }] });
  await release(account, {
    at: hours(2),
    items: [
      { collectionId, entryId: broken.id, version: null },
      { collectionId, entryId: one.id, action: 'unpublish' },
    ],
  });
  await release(account, { at: hours(4), items: [{ collectionId, entryId: one.id, action: 'unpublish' }] });
  await ok(`PATCH ${path}/entries/${broken.id}`, account, { values: { title: null } });
  const at = async (count: number) => titles((await preview(`at=${encodeURIComponent(hours(count))}`)).body.token);
  assert.deepEqual(await at(0.5), ['One']);
  assert.deepEqual(await at(1), ['One', 'Two']);
  assert.deepEqual(await at(3), ['One', 'Two']);
  assert.deepEqual(await at(4), ['Two']);
  assert.deepEqual(await titles(), ['One']);
  for (const [query, fault] of [
    [`at=${encodeURIComponent(hours(-1))}`, ' time_past'],
    [`at=${encodeURIComponent(hours(1))}&release=rel_x`, ' preview_conflict'],
  ] as const) {
    assert.deepEqual(faultsOf(await preview(query)), [fault]);
  }
  assert.equal((await preview('release=rel_x')).status, 404);
});
