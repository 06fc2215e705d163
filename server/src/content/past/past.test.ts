/** Public content as it was: `at` of public reads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestUser } from '../../../test/users.ts';
import { contentService, faultsOf } from '../test-support.ts';
import { expireFormer } from './former.ts';

const service = await contentService();
const { call, ok, newAccount, newCollection, createEntry, clock, db } = service;
const DAY = 86_400_000;

const text = (id: string, more: object = {}) => ({ id, label: id, type: 'text', ...more });
const idOf = (path: string) => path.split('/').at(-1) ?? '';
const PUBLIC = { publishing: true, public: true };

/** The time now, after which the next change is a minute later. */
function mark(): string {
  const at = new Date(clock.now).toISOString();
  clock.now += 60_000;
  return at;
}

async function blog() {
  const account = await newAccount();
  const authors = await newCollection(account, [text('name')], PUBLIC);
  const posts = await newCollection(
    account,
    [
      text('title'),
      text('slug', { format: 'slug', slugSource: 'title' }),
      { id: 'price', label: 'Price', type: 'number' },
      text('secret', { private: true }),
      text('author', { format: 'reference', collectionIds: [idOf(authors)] }),
    ],
    PUBLIC,
  );
  const publish = (path: string, id: string, body = {}) => ok(`POST ${path}/entries/${id}/publish`, account, body);
  return { account, authors, posts, publish };
}

test('public content is read as it was at a time, with filters, orders, slugs and references of then', async () => {
  const { account, authors, posts, publish } = await blog();
  const none = mark();
  const ada = await createEntry(account, authors, { name: 'Ada' });
  await publish(authors, ada.id);
  const one = await createEntry(account, posts, { title: 'One', price: 1, author: ada.id, secret: 'x' });
  const two = await createEntry(account, posts, { title: 'Two', price: 2 });
  await publish(posts, one.id);
  const first = mark();
  await ok(`PATCH ${posts}/entries/${one.id}`, account, { values: { title: 'Uno', slug: 'uno', price: 10 } });
  const stillFirst = mark();
  await publish(posts, one.id);
  await publish(posts, two.id);
  await ok(`PATCH ${authors}/entries/${ada.id}`, account, { values: { name: 'Ada L.' } });
  await publish(authors, ada.id);
  const second = mark();
  await ok(`POST ${posts}/entries/${two.id}/unpublish`, account, {});
  await ok(`POST ${authors}/entries/${ada.id}/unpublish`, account, {});
  const third = mark();
  await ok(`DELETE ${posts}/entries/${one.id}`, account);
  mark();

  const content = `/v1/content/${idOf(posts)}`;
  const list = async (at: string, more = '') => {
    const search = `at=${encodeURIComponent(at)}&sort=price:asc&expand=author${more}`;
    const { status, headers, body } = await call(`GET ${content}?${search}`, { as: account });
    assert.deepEqual([status, headers['cache-control']], [200, 'private, no-store'], JSON.stringify(body));
    return body.entries.map(({ values }: { values: { title: string; author?: { values: { name: string } } } }) =>
      [values.title, values.author?.values.name].filter(Boolean).join(' by '),
    );
  };
  assert.deepEqual(await list(none), []);
  assert.deepEqual(await list(first), ['One by Ada']);
  assert.deepEqual(await list(stillFirst), ['One by Ada']);
  assert.deepEqual(await list(second), ['Two', 'Uno by Ada L.']);
  assert.deepEqual(await list(third), ['Uno']);
  assert.deepEqual(await list(new Date(clock.now).toISOString()), []);
  assert.deepEqual(await list(first, '&filter[price][lt]=5'), ['One by Ada']);
  assert.deepEqual(await list(second, '&filter[price][lt]=5'), ['Two']);
  assert.deepEqual(await list(second, '&filter[author.name][eq]=Ada%20L.'), ['Uno by Ada L.']);
  assert.deepEqual(await list(second, '&filter[author.name][eq]=Ada'), []);
  assert.deepEqual(await list(second, '&q=tw'), ['Two']);

  const entry = async (name: string, at: string) =>
    call(`GET ${content}/${name}?at=${encodeURIComponent(at)}`, { as: account });
  const former = (await entry(one.id, first)).body;
  assert.deepEqual(
    [former.values, former.publishedAt],
    [{ title: 'One', slug: 'one', price: 1, author: ada.id }, first],
    'without private fields, and published at the time of then',
  );
  assert.equal((await entry('one', first)).body.values.title, 'One');
  assert.equal((await entry('uno', second)).body.values.title, 'Uno');
  assert.equal((await entry(two.id, first)).status, 404);
  assert.equal((await entry(two.id, second)).body.values.title, 'Two');

  const post = (route: string, at: string, body: object) =>
    ok(`POST ${content}/${route}?at=${encodeURIComponent(at)}`, account, body);
  const where = { price: { gt: 5 } };
  assert.equal((await post('query', second, { where, count: 'exact' })).total, 1);
  const joined = await ok(`POST /v1/content/${idOf(authors)}/query?at=${first}`, account, {
    join: { posts: { collection: idOf(posts), field: 'author', select: 'title' } },
  });
  assert.deepEqual(
    joined.entries.map(
      (each: { joined: { posts: { entries: { values: object }[] } } }) => each.joined.posts.entries[0]?.values,
    ),
    [{ title: 'One' }],
  );
  const sum = { measures: { total: { sum: 'price' } } };
  assert.deepEqual((await post('aggregate', second, sum)).groups, [{ key: {}, total: 12 }]);

  assert.equal((await ok(`GET ${content}`, account)).entries.length, 0, 'nothing was published');
  const versions = await ok(`GET ${posts}/entries/${two.id}`, account);
  assert.deepEqual([versions.version, versions.publishedVersion], [1, null]);
});

test('locales are read as each was published', async () => {
  const account = await newAccount();
  await ok('PUT /v1/cms/locales', account, { locales: [{ locale: 'en' }, { locale: 'de' }], default: 'en' });
  const path = await newCollection(account, [text('title', { localized: true })], PUBLIC);
  const { id } = await createEntry(account, path, { title: 'Tea', 'title@de': 'Tee' });
  const publish = (locales: string[]) => ok(`POST ${path}/entries/${id}/publish`, account, { locales });
  await publish(['en']);
  const english = mark();
  await ok(`PATCH ${path}/entries/${id}`, account, { values: { title: 'Green tea' } });
  await publish(['de']);
  const both = mark();
  await publish(['en', 'de']);
  await ok(`POST ${path}/entries/${id}/unpublish`, account, { locales: ['de'] });
  const read = async (at: string) => {
    const get = (locale: string) => ok(`GET /v1/content/${idOf(path)}/${id}?at=${at}&locale=${locale}`, account);
    const [en, de] = [await get('en'), await get('de')];
    return [en.values.title, de.values.title, en.locales];
  };
  assert.deepEqual(await read(english), ['Tea', 'Tea', ['en']]);
  assert.deepEqual(await read(both), ['Tea', 'Tee', ['en', 'de']]);
  assert.deepEqual(await read(new Date(clock.now).toISOString()), ['Green tea', 'Green tea', ['en']]);
});

test('only who reads everything with a secret token reads the past, as far as it is kept', async () => {
  const { account, posts, publish } = await blog();
  const { id } = await createEntry(account, posts, { title: 'One' });
  await publish(posts, id);
  const at = mark();
  const content = `/v1/content/${idOf(posts)}`;
  const codes = async (query: string, as: typeof account | string = account) => {
    const answer = await call(`GET ${content}?${query}`, { as });
    return answer.status === 200 ? 'ok' : faultsOf(answer).join();
  };
  assert.equal(await codes(`at=${at}`), 'ok');
  const byKey = await call(`GET ${content}?at=${at}&key=${account.apiKey}`);
  assert.deepEqual(faultsOf(byKey), ['?at secret_token_required']);
  assert.equal((await call(`GET ${content}?at=${at}`)).status, 401);
  const permissions = [{ collection: idOf(posts), actions: ['read'] }];
  const { id: roleId } = await ok('POST /v1/roles', account, { name: 'Few', permissions });
  const by = await createTestUser(service, account, 'owner');
  const { token } = (await call('POST /v1/keys', { by, body: { type: 'secret', name: 'Few', roleId } })).body;
  assert.equal(await codes(`at=${at}`, token), ' role_insufficient');
  const hours = (count: number) => new Date(clock.now + count * 3_600_000).toISOString();
  assert.equal(await codes(`at=${hours(1)}`), '?at time_future');
  assert.equal(await codes(`at=${hours(-24 * 31)}`), '?at time_not_kept');
  assert.equal(await codes('at=yesterday'), '?at timestamp_invalid');
  assert.equal(await codes(`at=${at}&preview=x`), '?at preview_conflict');
  assert.equal((await call(`GET /v1/content/${idOf(posts)}x?at=${at}`, { as: account })).status, 404);
});

test('what was public is kept for a month, and not of an entry that is deleted permanently', async () => {
  const { account, posts, publish } = await blog();
  const count = async () => {
    const { rows } = await db.query('select count(*)::integer as n from former_publications where account_id = $1', [
      account.uuid,
    ]);
    return rows[0]?.n;
  };
  const [one, two] = [await createEntry(account, posts, {}), await createEntry(account, posts, {})];
  for (const { id } of [one, two]) {
    await publish(posts, id);
    mark();
    await ok(`POST ${posts}/entries/${id}/unpublish`, account, {});
  }
  assert.equal(await count(), 2);
  await ok(`DELETE ${posts}/entries/${one.id}`, account);
  await ok(`DELETE ${posts}/entries/${one.id}?permanently=true`, account);
  assert.equal(await count(), 1);
  await expireFormer(db, clock.now - DAY, AbortSignal.timeout(60_000));
  assert.equal(await count(), 1);
  await expireFormer(db, clock.now + 1, AbortSignal.timeout(60_000));
  assert.equal(await count(), 0);
});
