import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import { test } from 'node:test';
import type { Account } from '../../../test/harness.ts';
import { createLog } from '../../shared/log.ts';
import type { Entry } from '../entries/contract.ts';
import { contentService, faultsOf } from '../test-support.ts';
import type { PublicChange } from './contract.ts';
import { expireChanges } from './feed.ts';

const service = await contentService();
const { call, ok, newAccount, newCollection, createEntry, clock, db, app } = service;

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text', localized: true },
  { id: 'slug', label: 'Slug', type: 'text', format: 'slug', slugSource: 'title', localized: true },
];
const PLAIN = FIELDS.map(({ localized: _, ...field }) => field);
const PUBLIC = { publishing: true, public: true };

const follow = (account: Account, query = '') => ok(`GET /v1/content/changes?${query}`, account);
const publish = (account: Account, path: string, { id }: Entry, body: object = {}) =>
  ok(`POST ${path}/entries/${id}/publish`, account, body);
const brief = ({ type, entryId, locale, slug, previousSlug }: PublicChange) => ({
  ...{ type, entryId, locale, slug, previousSlug },
});

test('the feed has every publish and unpublish of public collections, with the slugs of pages', async () => {
  const account = await newAccount();
  const path = await newCollection(account, PLAIN, PUBLIC);
  const secret = await newCollection(account, PLAIN, { publishing: true });
  assert.deepEqual(await follow(account), { changes: [], cursor: '0' });
  const entry = await createEntry(account, path, { title: 'One' });
  const draft = await createEntry(account, path, { title: 'Draft' });
  await publish(account, secret, await createEntry(account, secret, { title: 'Secret' }));
  await publish(account, path, entry);
  await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: { slug: 'two' } });
  await ok(`PATCH ${path}/entries/${draft.id}`, account, { values: { title: 'Still a draft' } });
  const first = await follow(account);
  await publish(account, path, entry);
  await ok(`POST ${path}/entries/${entry.id}/unpublish`, account, {});
  const { changes, cursor } = await follow(account);
  const of = { entryId: entry.id, locale: null };
  assert.deepEqual(changes.map(brief), [
    { type: 'publish', ...of, slug: 'one', previousSlug: null },
    { type: 'publish', ...of, slug: 'two', previousSlug: 'one' },
    { type: 'unpublish', ...of, slug: 'two', previousSlug: null },
  ]);
  assert.ok(changes.every((change: PublicChange) => change.collection === path.split('/').at(-1)));
  assert.deepEqual([first.changes, first.cursor], [changes.slice(0, 1), changes[0].cursor]);
  assert.deepEqual((await follow(account, `since=${first.cursor}`)).changes, changes.slice(1));
  assert.deepEqual(await follow(account, `since=${cursor}`), { changes: [], cursor });
  assert.deepEqual(await follow(account, 'since=now'), { changes: [], cursor });
  const byKey = await call(`GET /v1/content/changes?key=${account.apiKey}`);
  assert.deepEqual([byKey.body, byKey.headers['cache-control']], [{ changes, cursor }, 'no-store']);
});

test('an entry has a change for each locale that is published or no longer is', async () => {
  const account = await newAccount();
  await ok('PUT /v1/cms/locales', account, { default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }] });
  const path = await newCollection(account, FIELDS, PUBLIC);
  const entry = await createEntry(account, path, { title: 'House', 'title@de': 'Haus' });
  await publish(account, path, entry, { locales: ['en'] });
  await publish(account, path, entry);
  await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: { 'slug@de': 'heim' } });
  await publish(account, path, entry, { locales: ['de'] });
  await ok(`POST ${path}/entries/${entry.id}/unpublish`, account, { locales: ['de'] });
  await ok(`DELETE ${path}/entries/${entry.id}`, account);
  const { changes } = await follow(account);
  const of = { entryId: entry.id, previousSlug: null };
  const english = { ...of, locale: 'en', slug: 'house' };
  assert.deepEqual(changes.map(brief), [
    { type: 'publish', ...english },
    { type: 'publish', ...english },
    { type: 'publish', ...of, locale: 'de', slug: 'haus' },
    { type: 'publish', ...of, locale: 'de', slug: 'heim', previousSlug: 'haus' },
    { type: 'unpublish', ...of, locale: 'de', slug: 'heim' },
    { type: 'unpublish', ...english },
  ]);
});

test('a collection that becomes public, or stops being so, changes with all that is published of it', async () => {
  const account = await newAccount();
  const path = await newCollection(account, PLAIN, { publishing: true, key: 'posts' });
  const entries: Entry[] = [];
  for (const title of ['One', 'Two']) entries.push(await createEntry(account, path, { title }));
  for (const entry of entries) await publish(account, path, entry);
  await createEntry(account, path, { title: 'Draft' });
  const unknown = await call('GET /v1/content/changes?collections=posts', { as: account });
  assert.deepEqual(faultsOf(unknown), ['?collections collection_unknown']);
  await ok(`PATCH ${path}`, account, { public: true });
  await ok(`PATCH ${path}`, account, { name: 'Articles' });
  await ok(`PATCH ${path}`, account, { public: false });
  await ok(`PATCH ${path}`, account, { public: true });
  await ok(`DELETE ${path}`, account);
  const { changes } = await follow(account, `collections=${path.split('/').at(-1)}`);
  const all = (type: string) =>
    entries.map(({ id, values }) => ({ type, entryId: id, locale: null, slug: values.slug, previousSlug: null }));
  assert.deepEqual(changes.map(brief), ['publish', 'unpublish', 'publish', 'unpublish'].flatMap(all));
});

test('a follower of some collections sees those alone, and none of another account', async () => {
  const [account, other] = [await newAccount(), await newAccount()];
  const paths = [];
  for (const key of ['posts', 'pages']) {
    const path = await newCollection(account, PLAIN, { ...PUBLIC, key });
    await publish(account, path, await createEntry(account, path, { title: key }));
    paths.push(path);
  }
  const all = await follow(account);
  const { changes, cursor } = await follow(account, 'collections=pages');
  assert.deepEqual([changes, cursor], [all.changes.slice(1), all.cursor]);
  assert.deepEqual(await follow(account, 'collections=posts,pages'), all);
  assert.deepEqual(await follow(other), { changes: [], cursor: '0' });
  const [foreign] = paths.map((path) => path.split('/').at(-1));
  for (const [query, faults] of [
    [`collections=${foreign}`, ['?collections collection_unknown']],
    ['collections=nothing', ['?collections collection_unknown']],
    ['since=x', ['?since cursor_invalid']],
    ['since=-1', ['?since cursor_invalid']],
    ['since=7', [' cursor_expired']],
  ] as const) {
    assert.deepEqual(faultsOf(await call(`GET /v1/content/changes?${query}`, { as: other })), faults, query);
  }
});

test('a private slug is in no change', async () => {
  const account = await newAccount();
  const fields = PLAIN.map((field) => ({ ...field, private: field.id === 'slug' }));
  const path = await newCollection(account, fields, PUBLIC);
  await publish(account, path, await createEntry(account, path, { title: 'Hidden' }));
  await ok(`PATCH ${path}`, account, { public: false });
  const { changes } = await follow(account);
  assert.deepEqual(
    changes.map(({ slug }: PublicChange) => slug),
    [null, null],
  );
});

test('publishers and followers at the same time see each change once and in the same order', async () => {
  const account = await newAccount();
  const path = await newCollection(account, PLAIN, PUBLIC);
  const entries = await Promise.all(['a', 'b', 'c', 'd'].map((title) => createEntry(account, path, { title })));
  let isDone = false;
  const followers = Array.from({ length: 4 }, async () => {
    const seen: PublicChange[] = [];
    for (let cursor = '0'; ; ) {
      const isLast = isDone;
      const page = await follow(account, `since=${cursor}`);
      seen.push(...page.changes);
      cursor = page.cursor;
      if (isLast) return seen;
    }
  });
  await Promise.all(
    entries.map(async (entry) => {
      for (let i = 0; i < 12; i++) {
        await ok(`POST ${path}/entries/${entry.id}/${i % 2 === 0 ? 'publish' : 'unpublish'}`, account, {});
      }
    }),
  );
  isDone = true;
  const [first = [], ...others] = await Promise.all(followers);
  assert.deepEqual(
    first.map(({ cursor }) => Number(cursor)),
    Array.from({ length: 48 }, (_, i) => i + 1),
  );
  for (const other of others) assert.deepEqual(other, first);
  for (const { id } of entries) {
    const types = first.filter(({ entryId }) => entryId === id).map(({ type }) => type);
    assert.deepEqual(
      types,
      Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? 'publish' : 'unpublish')),
    );
  }
});

test('changes are kept for 30 days, and an older cursor is refused', async () => {
  const account = await newAccount();
  const path = await newCollection(account, PLAIN, PUBLIC);
  const entry = await createEntry(account, path, { title: 'One' });
  await publish(account, path, entry);
  const { cursor } = await follow(account);
  await ok(`POST ${path}/entries/${entry.id}/unpublish`, account, {});
  const cutoff = clock.now + 1;
  clock.now += 10;
  await publish(account, path, entry);
  await expireChanges(db, cutoff, new AbortController().signal);
  const kept = await follow(account);
  assert.deepEqual(
    kept.changes.map((change: PublicChange) => change.cursor),
    ['3'],
  );
  const refused = await call(`GET /v1/content/changes?since=${cursor}`, { as: account });
  assert.deepEqual(faultsOf(refused), [' cursor_expired']);
  assert.match(refused.body.detail, /since=now/);
  assert.deepEqual(await follow(account, 'since=2'), kept);
});

test('a stream sends changes as they are committed, and continues after the last event', async (context) => {
  const account = await newAccount();
  const path = await newCollection(account, PLAIN, PUBLIC);
  const entry = await createEntry(account, path, { title: 'One' });
  await publish(account, path, entry);
  for (const worker of service.workers) worker.start();
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const open = async (headers: Record<string, string>) => {
    const request = get(`${url}/v1/content/changes?key=${account.apiKey}`, {
      headers: { accept: 'text/event-stream', ...headers },
    });
    context.after(() => request.destroy());
    const [response] = await once(request, 'response');
    assert.equal(response.headers['content-type'], 'text/event-stream');
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      response.emit('more');
    });
    return async (count: number): Promise<PublicChange[]> => {
      const changes = () => [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json));
      while (changes().length < count) await once(response, 'more');
      return changes();
    };
  };
  const fromStart = await open({});
  assert.equal((await fromStart(1))[0]?.slug, 'one');
  const later = await open({ 'last-event-id': '1' });
  await ok(`POST ${path}/entries/${entry.id}/unpublish`, account, {});
  const [, unpublished] = await fromStart(2);
  assert.deepEqual([unpublished?.type, unpublished?.cursor], ['unpublish', '2']);
  assert.deepEqual(await later(1), [unpublished]);
});

test('no account can have all streams of a process', async () => {
  const { ChangeStreams, MAX_STREAMS } = await import('./streams.ts');
  const streams = new ChangeStreams(db, createLog('silent'));
  const open = (accountId: string) => {
    try {
      return streams.open({ accountId, after: 0, collections: null } as Parameters<typeof streams.open>[0]);
    } catch (error) {
      assert.deepEqual([(error as { status: number }).status, (error as { code: string }).code], [429, 'overloaded']);
      return undefined;
    }
  };
  const greedy = Array.from({ length: MAX_STREAMS }, () => open('a')).filter((stream) => stream !== undefined);
  assert.equal(greedy.length, MAX_STREAMS / 2);
  const others = Array.from({ length: MAX_STREAMS }, () => open('b')).filter((stream) => stream !== undefined);
  assert.equal(others.length, MAX_STREAMS / 4);
  assert.ok(open('c'), 'one is left for whoever has none');
  streams.end();
});
