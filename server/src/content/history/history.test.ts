import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { filePart, PNG } from '../../../test/furnished-account.ts';
import { type Account, testService } from '../../../test/harness.ts';
import { createTestUser } from '../../../test/users.ts';
import { contentService, faultsOf } from '../test-support.ts';

const service = await contentService();
const { call, ok, db, clock, newAccount, newCollection, createEntry } = service;

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text', required: true, validation: { minLength: 0 } },
  { id: 'price', label: 'Price', type: 'number' },
  { id: 'kind', label: 'Kind', type: 'select', options: ['a', 'b'].map((value) => ({ value, label: value })) },
  { id: 'hero', label: 'Hero', type: 'asset' },
  {
    id: 'seo',
    label: 'SEO',
    type: 'group',
    fields: ['text', 'old'].map((id) => ({ id, label: id, type: 'text' })),
  },
];

/** An entry with shortcuts for the requests of these tests. */
async function newEntry(values: Record<string, unknown>, account?: Account) {
  const owner = account ?? (await newAccount());
  const collection = await newCollection(owner, FIELDS);
  const { id } = await createEntry(owner, collection, values);
  const path = `${collection}/entries/${id}`;
  return {
    account: owner,
    collection,
    id,
    path,
    get: (query = '') => ok(`GET ${path}${query}`, owner),
    change: (body: unknown) => ok(`PATCH ${path}`, owner, body),
    versions: async (query = '') => (await ok(`GET ${path}/versions${query}`, owner)).versions,
    version: (version: number, query = '') => ok(`GET ${path}/versions/${version}${query}`, owner),
    restore: (version: number, body: unknown = {}) => ok(`POST ${path}/versions/${version}/restore`, owner, body),
    refused: (version: number, body: unknown = {}) =>
      call(`POST ${path}/versions/${version}/restore`, { as: owner, body }),
  };
}

async function upload(account: Account): Promise<string> {
  const { payload, headers } = filePart('file', 'a.png', PNG);
  const { body } = await call('POST /v1/files/upload', { as: account, body: payload, headers });
  return body.assetId;
}

test('every change keeps the version it replaces, with its author, time and changed fields; creating an entry keeps nothing', async () => {
  const { account, path, change, versions, version } = await newEntry({ title: 'one', price: 1 });
  const rows = async () =>
    (await db.query('select count(*)::int as n from entry_versions where account_id = $1', [account.uuid])).rows[0].n;
  assert.equal(await rows(), 0);
  const user = await createTestUser(service, account, 'editor', 'Ida');
  clock.now += 5_000;
  const second = await call(`PATCH ${path}`, { by: user, body: { values: { title: 'two', price: 1 } } });
  await change({ status: 'deleted' });
  await change({ status: 'active', values: { price: 3 } });
  assert.equal(await rows(), 3);

  const listed = await versions();
  const what = listed.map((each: Record<string, unknown>) => [
    each.version,
    each.change,
    each.changedFields,
    each.status,
    each.current,
  ]);
  assert.deepEqual(what, [
    [4, 'restored', ['price'], 'active', true],
    [3, 'deleted', [], 'deleted', false],
    [2, 'changed', ['title'], 'active', false],
    [1, 'created', null, 'active', false],
  ]);
  assert.deepEqual(listed[2].by, { type: 'user', id: user.userId, name: 'Ida' });
  assert.equal(listed[2].at, second.body.updatedAt);
  const { rows: keys } = await service.control.query(
    `select name from api_keys where account_id = $1 and type = 'secret'`,
    [account.uuid],
  );
  assert.deepEqual([listed[3].by.type, listed[3].by.name], ['key', keys[0].name]);
  const values = await Promise.all([1, 2, 3, 4].map(async (each) => (await version(each)).values));
  assert.deepEqual(values, [
    { title: 'one', price: 1 },
    { title: 'two', price: 1 },
    { title: 'two', price: 1 },
    { title: 'two', price: 3 },
  ]);
});

test('pages of versions neither repeat nor lose one while the entry is changed between them', async () => {
  const { account, path, change } = await newEntry({ title: '0' });
  for (let i = 1; i <= 6; i++) await change({ values: { title: String(i) } });
  const seen: number[] = [];
  for (let pageToken = ''; ; ) {
    const page = await ok(`GET ${path}/versions?pageSize=2&pageToken=${pageToken}`, account);
    seen.push(...page.versions.map((each: { version: number }) => each.version));
    if (page.nextPageToken === null) break;
    pageToken = page.nextPageToken;
    await change({ values: { title: `later ${pageToken}` } });
  }
  assert.deepEqual(seen, [7, 6, 5, 4, 3, 2, 1]);
});

test('the newest versions are kept, up to the configured number', async () => {
  const { change, versions, refused } = await newEntry({ title: '0' });
  for (let i = 1; i <= 60; i++) await change({ values: { title: String(i) } });
  const kept = await versions('?pageSize=100');
  assert.deepEqual([kept.length, kept[0].version, kept.at(-1).version], [51, 61, 11]);
  assert.equal((await refused(10)).status, 404);
});

test('no version is kept if the configured number is 0', async () => {
  const { call, db, newAccount } = await testService({ ENTRY_VERSIONS: '0' });
  const as = await newAccount();
  const { body: collection } = await call('POST /v1/cms/collections', { as, body: { name: 'x', fields: FIELDS } });
  const entries = `/v1/cms/collections/${collection.id}/entries`;
  const { body: entry } = await call(`POST ${entries}`, { as, body: { values: { title: 'one' } } });
  await call(`PATCH ${entries}/${entry.id}`, { as, body: { values: { title: 'two' } } });
  const { body } = await call(`GET ${entries}/${entry.id}/versions`, { as });
  assert.deepEqual(
    body.versions.map((each: { version: number }) => each.version),
    [2],
  );
  assert.equal((await db.query('select from entry_versions')).rows.length, 0);
});

test('concurrent changes each become one version, without gaps or duplicates', async () => {
  const { account, path, get, versions, version } = await newEntry({ title: '0' });
  const change = (i: number) => call(`PATCH ${path}`, { as: account, body: { values: { title: String(i) } } });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => change(i)));
  const listed = await versions();
  assert.deepEqual(
    listed.map((each: { version: number }) => each.version),
    Array.from({ length: 21 }, (_, i) => 21 - i),
  );
  for (const { body } of answers) assert.deepEqual((await version(body.version)).values, body.values);
  assert.equal((await get()).version, 21);
});

test('after any changes, every version has the values and status that the API returned for it', async () => {
  const step = fc.oneof(
    fc.record({ title: fc.string(), price: fc.option(fc.integer()), kind: fc.constantFrom('a', 'b', null) }),
    fc.constantFrom('delete' as const, 'restore' as const),
    fc.nat({ max: 12 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const { account, path, get, version } = await newEntry({ title: 'one' });
      const answered = [await get()];
      for (const each of steps) {
        const [request, body] =
          typeof each === 'number'
            ? [`POST ${path}/versions/${(each % answered.length) + 1}/restore`, {}]
            : each === 'delete' || each === 'restore'
              ? [`PATCH ${path}`, { status: each === 'delete' ? 'deleted' : 'active' }]
              : [`PATCH ${path}`, { values: each }];
        const answer = await call(request, { as: account, body });
        if (answer.status === 200) answered.push(answer.body);
        else assert.deepEqual([answer.status, answered.at(-1)?.status], [404, 'deleted']);
        if (typeof each === 'number' && answer.status === 200)
          assert.deepEqual(answer.body.values, answered[each % (answered.length - 1)]?.values);
      }
      for (const [i, { values, status, updatedAt }] of answered.entries()) {
        const kept = await version(i + 1, '?includeDeleted=true');
        assert.deepEqual([kept.values, kept.status, kept.at], [values, status, updatedAt]);
        assert.equal(kept.current, i === answered.length - 1);
      }
    }),
    { numRuns: 40 },
  );
});

test('restoring a version creates a new version with its values and updates the index and the search', async () => {
  const { account, collection, get, change, versions, restore } = await newEntry({ title: 'amber one', price: 1 });
  await change({ values: { title: 'basil two', price: null, kind: 'a' } });
  const back = await restore(1);
  assert.deepEqual([back.version, back.values], [3, { title: 'amber one', price: 1 }]);
  assert.deepEqual((await get()).values, back.values);
  const found = async (query: string) => (await ok(`GET ${collection}/entries?${query}`, account)).entries.length;
  assert.deepEqual(
    await Promise.all(['q=amber', 'q=basil', 'filter[price][eq]=1', 'filter[kind][exists]=true'].map(found)),
    [1, 0, 1, 0],
  );
  const [current] = await versions();
  assert.deepEqual([current.change, current.restoredFrom], ['restored', 1]);
  assert.deepEqual(current.changedFields, ['title', 'price', 'kind']);
  const again = await restore(2, { version: 3 });
  assert.deepEqual(again.values, { title: 'basil two', kind: 'a' });
});

test('restoring with an outdated version number is refused and changes nothing', async () => {
  const { get, change, refused } = await newEntry({ title: 'one' });
  await change({ values: { title: 'two' } });
  const before = await get();
  const answer = await refused(1, { version: 1 });
  assert.deepEqual([answer.status, answer.body.code], [400, 'version_conflict']);
  assert.deepEqual(await get(), before);
});

test('values that are no longer valid are reported together; the other fields can be restored without them', async () => {
  const account = await newAccount();
  const assetId = await upload(account);
  const entry = await newEntry({ title: 'one', price: 1, kind: 'a', hero: { assetId } }, account);
  await entry.change({ values: { price: 2, kind: 'b', hero: null } });
  await ok(`PATCH ${entry.collection}`, account, {
    fields: [
      { id: 'kind', options: [{ value: 'a', status: 'deleted' }] },
      { id: 'late', label: 'Late', type: 'text', required: true },
    ],
  });
  await entry.change({ values: { late: 'x' } });
  await ok(`DELETE /v1/files/${assetId}`, account);
  const before = await entry.get();
  assert.deepEqual(faultsOf(await entry.refused(1)), [
    '/values/hero/assetId asset_unknown',
    '/values/kind option_deleted',
    '/values/late required',
  ]);
  assert.deepEqual(await entry.get(), before);
  const back = await entry.restore(1, { fields: ['title', 'price'] });
  assert.deepEqual(back.values, { ...before.values, price: 1 });
});

test('a value that the entry still has is not checked, even if it could not be chosen again', async () => {
  const { account, collection, change, restore } = await newEntry({ title: 'one', kind: 'a' });
  await change({ values: { title: 'two' } });
  await ok(`PATCH ${collection}`, account, { fields: [{ id: 'kind', options: [{ value: 'a', status: 'deleted' }] }] });
  assert.deepEqual((await restore(1)).values, { title: 'one', kind: 'a' });
});

test('versions do not contain values of deleted fields, and restoring does not change these', async () => {
  const entry = await newEntry({ title: 'one', price: 1, seo: { text: 'x', old: 'then' } });
  const { account, collection } = entry;
  await entry.change({ values: { price: 2, seo: { text: 'y', old: 'now' } } });
  const setStatus = (status: string) =>
    ok(`PATCH ${collection}`, account, {
      fields: [
        { id: 'price', status },
        { id: 'seo', fields: [{ id: 'old', status }] },
      ],
    });
  await setStatus('deleted');
  assert.deepEqual((await entry.version(1)).values, { title: 'one', seo: { text: 'x' } });
  assert.deepEqual((await entry.restore(1)).values, { title: 'one', seo: { text: 'x' } });
  await setStatus('active');
  assert.deepEqual((await entry.get()).values, { title: 'one', price: 2, seo: { text: 'x', old: 'now' } });
});

test('the versions of a deleted entry are listed on request, and cannot be restored', async () => {
  const { account, path, change, versions, version, refused } = await newEntry({ title: 'one' });
  await change({ status: 'deleted' });
  assert.equal((await call(`GET ${path}/versions`, { as: account })).status, 404);
  assert.equal((await call(`GET ${path}/versions/1`, { as: account })).status, 404);
  assert.equal((await refused(1)).status, 404);
  assert.equal((await versions('?includeDeleted=true')).length, 2);
  assert.equal((await version(1, '?includeDeleted=true')).values.title, 'one');
});

test('a version that is not a number, or does not exist, is not found', async () => {
  const { account, path } = await newEntry({ title: 'one' });
  for (const version of ['0', '-1', '1.0', 'x', '2', '99999999999', '01']) {
    assert.equal((await call(`GET ${path}/versions/${version}`, { as: account })).status, 404, version);
    const answer = await call(`POST ${path}/versions/${version}/restore`, { as: account, body: {} });
    assert.equal(answer.status, 404, version);
  }
});

test('restoring a version sends a webhook, respects the idempotency key, and is audited', async () => {
  const { account, path, change, get } = await newEntry({ title: 'one' });
  await change({ values: { title: 'two' } });
  await ok('POST /v1/webhooks', account, { url: 'https://hooks.example/x', events: ['entry.updated'] });
  const owner = await createTestUser(service, account);
  const headers = { 'idempotency-key': 'back' };
  const send = () => call(`POST ${path}/versions/1/restore`, { by: owner, body: {}, headers });
  const first = await send();
  assert.deepEqual((await send()).body, first.body);
  assert.equal((await get()).version, 3);
  const { rows } = await db.query(
    `select data::json as data from outbox where account_id = $1 and topic = 'entry.updated'`,
    [account.uuid],
  );
  assert.deepEqual(rows, [{ data: [first.body] }]);
  const { body } = await call('GET /v1/audit?action=entry.changed', { by: owner });
  assert.deepEqual([body.changes[0].before, body.changes[0].after], [{ title: 'two' }, { title: 'one' }]);
});
