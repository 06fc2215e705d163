import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { until } from '../../../test/until.ts';
import { startReceiver } from '../../webhooks/test-support.ts';
import { contentService, faultsOf } from '../test-support.ts';

const service = await contentService({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
const { call, ok, clock, newAccount, newCollection, createEntry } = service;
for (const worker of service.workers) worker.start();

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text', required: true },
  { id: 'seo', label: 'SEO', type: 'group', fields: [{ id: 'text', label: 'Text', type: 'text' }] },
];

interface Sent {
  type: string;
  data: { entries: { collectionId: string; entryId: string; version: number; values: Record<string, unknown> }[] };
}

/** A hook that refuses entries whose title contains "bad". */
async function setup(more: object = {}) {
  const account = await newAccount();
  const path = await newCollection(account, FIELDS, { publishing: true });
  const receiver = await startReceiver();
  receiver.respond = (response, { body }) => {
    const { data } = body as Sent;
    const bad = data.entries.filter(({ values }) => String(values.title).includes('bad'));
    const reasons = bad.map(({ entryId }) => ({ entryId, field: 'title', message: 'This word is not used here' }));
    response.end(JSON.stringify(bad.length === 0 ? { allow: true } : { allow: false, reasons }));
  };
  const hook = await ok('POST /v1/publish-hooks', account, { name: 'Legal', url: receiver.url, ...more });
  const isPublished = async (id: string) => (await ok(`GET ${path}/entries/${id}`, account)).publishedVersion !== null;
  const hookNow = async () => (await ok('GET /v1/publish-hooks', account)).hooks[0];
  return { account, path, receiver, hook, isPublished, hookNow };
}

test('what a hook refuses is not published, and each reason is at its field', async () => {
  const { account, path, receiver, hook, isPublished, hookNow } = await setup();
  const good = await createEntry(account, path, { title: 'Good', seo: { text: 'x' } });
  const bad = await createEntry(account, path, { title: 'A bad one' });
  const published = await ok(`POST ${path}/entries/${good.id}/publish`, account);
  assert.equal(published.publishedVersion, 1);
  const [first] = receiver.received;
  assert.ok(first);
  new StandardWebhook(hook.secret).verify(first.text, first.headers);
  const { type, data } = first.body as Sent;
  assert.deepEqual([type, data.entries.length], ['entry.publishing', 1]);
  assert.deepEqual(
    [data.entries[0]?.entryId, data.entries[0]?.version, data.entries[0]?.values],
    [good.id, 1, { title: 'Good', seo: { text: 'x' } }],
  );
  assert.deepEqual(faultsOf(await call(`POST ${path}/entries/${bad.id}/publish`, { as: account })), [
    '/values/title publish_refused',
  ]);
  assert.equal(await isPublished(bad.id), false);
  assert.equal((await hookNow()).lastOutcome, 'refused');

  // Several at once: all of them, or none. What was allowed already is asked about again by the next request.
  const third = await createEntry(account, path, { title: 'Third' });
  const several = { entryIds: [third.id, bad.id] };
  assert.deepEqual(faultsOf(await call(`POST ${path}/publish`, { as: account, body: several })), [
    '/entryIds/1/values/title publish_refused',
  ]);
  assert.equal(await isPublished(third.id), false);

  // A draft that changed since is what is asked about.
  await ok(`PATCH ${path}/entries/${bad.id}`, account, { values: { title: 'Better' } });
  await ok(`POST ${path}/publish`, account, several);
  assert.deepEqual([await isPublished(third.id), await isPublished(bad.id)], [true, true]);
  // Unpublishing and drafts ask nobody.
  const { length } = receiver.received;
  await ok(`POST ${path}/entries/${bad.id}/unpublish`, account);
  assert.equal(receiver.received.length, length);
});

test('an entry that a batch creates and publishes is asked about, and once', async () => {
  const { account, path, receiver } = await setup();
  const collection = path.split('/').at(-1);
  const operations = (title: string) => [
    { op: 'create', collection, ref: 'new', values: { title } },
    { op: 'publish', collection, id: '@new' },
  ];
  const batch = (title: string, dryRun = false) =>
    call('POST /v1/cms/batch', { as: account, body: { operations: operations(title), dryRun } });
  assert.equal((await batch('Good', true)).status, 200);
  assert.equal(receiver.received.length, 0);
  assert.equal((await batch('Good')).status, 200);
  assert.equal(receiver.received.length, 1);
  assert.deepEqual(faultsOf(await batch('bad')), ['/operations/1/values/title publish_refused']);
  assert.equal((await ok(`GET ${path}/entries?count=exact`, account)).total, 1);
});

test('without an answer, `onError` decides; other collections and disabled hooks are not asked', async () => {
  const { account, path, receiver, hook, hookNow } = await setup();
  const entry = await createEntry(account, path, { title: 'Good' });
  const publish = () => call(`POST ${path}/entries/${entry.id}/publish`, { as: account });
  const long = JSON.stringify({ allow: true, more: 'x'.repeat(70_000) });
  for (const body of ['no', '{"allow":"yes"}', '[]', '{"allow":false,"reasons":[{}]}', long]) {
    receiver.respond = (response) => response.end(body);
    assert.deepEqual(faultsOf(await publish()), [' publish_hook_failed'], body);
  }
  receiver.respond = (response) =>
    response.end(JSON.stringify({ allow: false, reasons: [{ message: 'a\0\u0007b\n\ud800' }] }));
  const { body: refused } = await publish();
  assert.equal(refused.detail, '"Legal" refuses: a b \ufffd.');
  receiver.respond = (response) => response.writeHead(500).end('oh');
  assert.deepEqual(faultsOf(await publish()), [' publish_hook_failed']);
  assert.match((await hookNow()).lastError, /500/);
  const change = (body: object) => ok(`PATCH /v1/publish-hooks/${hook.id}`, account, body);
  const other = await newCollection(account, FIELDS, { publishing: true });
  await change({ collectionIds: [other.split('/').at(-1)] });
  assert.equal((await publish()).status, 200);
  await change({ collectionIds: null, onError: 'publish' });
  await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: { title: 'Again' } });
  const { length } = receiver.received;
  assert.equal((await publish()).status, 200);
  assert.equal(receiver.received.length, length + 1);
  // A hook of two collections that does not answer for one is not waited for again.
  const inOther = await createEntry(account, other, { title: 'Good' });
  await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: { title: 'Twice' } });
  const operations = [
    { op: 'publish', collection: path.split('/').at(-1), id: entry.id },
    { op: 'publish', collection: other.split('/').at(-1), id: inOther.id },
  ];
  await ok('POST /v1/cms/batch', account, { operations });
  assert.equal(receiver.received.length, length + 2);
  await change({ onError: 'refuse', enabled: false });
  await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: { title: 'Once more' } });
  assert.equal((await publish()).status, 200);
  assert.equal(receiver.received.length, length + 2);
  receiver.respond = (response) => response.end();
  const tested = await ok(`POST /v1/publish-hooks/${hook.id}/test`, account);
  assert.equal(tested.outcome, 'allowed');
  assert.deepEqual(
    faultsOf(
      await call('POST /v1/publish-hooks', {
        as: account,
        body: { name: 'x', url: 'http://10.0.0.1', collectionIds: ['none'] },
      }),
    ),
    ['/collectionIds/0 collection_unknown', '/url url_not_public'],
  );
});

test('a variant of an experiment is shipped only if the hooks allow its values', async () => {
  const { account, path, receiver } = await setup();
  await ok(`PATCH ${path}`, account, { public: true });
  const { collectionId, id: entryId } = await createEntry(account, path, { title: 'Good' });
  await ok(`POST ${path}/entries/${entryId}/publish`, account);
  await ok('POST /v1/events', account, { api_key: account.apiKey, event: 'signup' });
  const variants = ['old', 'bad', 'better'].map((key) => ({
    key,
    weight: 1 / 4,
    ...(key !== 'old' && { values: { title: key } }),
  }));
  variants.push({ key: 'rest', weight: 1 / 4 });
  const { id } = await ok('POST /v1/experiments', account, {
    ...{ key: 'headline', name: 'Headline', metric: { event: 'signup', kind: 'events' } },
    ...{ variants, content: [{ collectionId, entryId }] },
  });
  await ok(`POST /v1/experiments/${id}/start`, account, {});
  const ship = (variant: string) => call(`POST /v1/experiments/${id}/ship`, { as: account, body: { variant } });
  assert.deepEqual(faultsOf(await ship('bad')), ['/items/0/values/title publish_refused']);
  const { length } = receiver.received;
  assert.equal((await ship('better')).status, 200);
  assert.equal(receiver.received.length, length + 1);
});

test('a scheduled release waits for its hooks, and fails with their reasons', async () => {
  const { account, path, isPublished } = await setup();
  const good = await createEntry(account, path, { title: 'Good' });
  const bad = await createEntry(account, path, { title: 'bad' });
  const at = new Date(clock.now + 60_000).toISOString();
  const release = ({ collectionId, id: entryId }: typeof good) =>
    ok('POST /v1/cms/releases', account, { at, items: [{ collectionId, entryId, action: 'publish' }] });
  const [first, second] = [await release(good), await release(bad)];
  clock.now += 61_000;
  const statusOf = async ({ id }: { id: string }) => ok(`GET /v1/cms/releases/${id}`, account);
  await until(async () => (await statusOf(first)).status === 'completed');
  await until(async () => (await statusOf(second)).status === 'failed');
  assert.equal((await statusOf(second)).errors[0].code, 'publish_refused');
  assert.deepEqual([await isPublished(good.id), await isPublished(bad.id)], [true, false]);
});

test('releases of others are published while a hook does not answer', async () => {
  const slow = await setup();
  let answer = () => {};
  slow.receiver.respond = (response) => {
    answer = () => response.end();
  };
  const other = await setup();
  const at = new Date(clock.now + 60_000).toISOString();
  const schedule = async ({ account, path }: typeof slow) => {
    const { collectionId, id: entryId } = await createEntry(account, path, { title: 'Good' });
    const items = [{ collectionId, entryId, action: 'publish' }];
    return ok('POST /v1/cms/releases', account, { at, items });
  };
  const [waiting, done] = [await schedule(slow), await schedule(other)];
  clock.now += 61_000;
  const statusOf = async (release: { id: string }, { account }: typeof slow) =>
    (await ok(`GET /v1/cms/releases/${release.id}`, account)).status;
  await until(async () => slow.receiver.received.length > 0);
  await until(async () => (await statusOf(done, other)) === 'completed');
  assert.equal(await statusOf(waiting, slow), 'scheduled');
  answer();
  await until(async () => (await statusOf(waiting, slow)) === 'completed');
});
