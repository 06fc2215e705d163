import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workOf } from '../../../test/event-loop.ts';
import type { Account, Answer } from '../../../test/harness.ts';
import type { Fault } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import { findPage } from '../listing/find-page.ts';
import { contentService, faultsOf, listingOfQuery } from '../test-support.ts';
import { localeView } from './locale-view.ts';

const service = await contentService();
const { call, ok, newAccount, newCollection, createEntry } = service;

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text', required: true, localized: true },
  { id: 'slug', label: 'Slug', type: 'text', format: 'slug', slugSource: 'title', localized: true },
  { id: 'price', label: 'Price', type: 'number' },
  { id: 'tags', label: 'Tags', type: 'text', repeated: true, localized: true },
  {
    id: 'seo',
    label: 'SEO',
    type: 'group',
    localized: true,
    fields: [{ id: 'text', label: 'Text', type: 'text' }],
  },
  { id: 'note', label: 'Note', type: 'text', localized: true, private: true },
];
const LOCALES = {
  default: 'en',
  locales: [
    { locale: 'en', fallback: null },
    { locale: 'de', fallback: 'en' },
    { locale: 'de-AT', fallback: 'de' },
  ],
};

async function localizedAccount(): Promise<Account> {
  const account = await newAccount();
  await ok('PUT /v1/cms/locales', account, LOCALES);
  return account;
}

const publicUrl = (path: string) => `/v1/content/${path.split('/').at(-1)}`;
const read = (account: Account, path: string, headers: Record<string, string> = {}) =>
  call(`GET ${path}${path.includes('?') ? '&' : '?'}key=${account.apiKey}`, { headers });
const newPublic = (account: Account, fields: unknown[] = FIELDS) =>
  newCollection(account, fields, { publishing: true, public: true });

test('an account lists its locales, and every fault of the list is named', async () => {
  const account = await newAccount();
  assert.deepEqual(await ok('GET /v1/cms/locales', account), { default: null, locales: [] });
  const sent = { default: 'EN', locales: [{ locale: 'en' }, { locale: 'pt-br' }, { locale: 'de', fallback: 'pt-BR' }] };
  const stored = {
    default: 'en',
    locales: [
      { locale: 'en', fallback: null },
      { locale: 'pt-BR', fallback: 'en' },
      { locale: 'de', fallback: 'pt-BR' },
    ],
  };
  assert.deepEqual(await ok('PUT /v1/cms/locales', account, sent), stored);
  assert.deepEqual(await ok('GET /v1/cms/locales', account), stored);
  assert.deepEqual(await ok('PUT /v1/cms/locales', account, stored), stored, 'what was read can be written back');

  const put = async (body: unknown) => faultsOf(await call('PUT /v1/cms/locales', { as: account, body }));
  assert.deepEqual(
    await put({
      default: 'en',
      locales: [
        { locale: 'en', fallback: 'de' },
        { locale: 'de', fallback: 'fr' },
      ],
    }),
    ['/locales/0/fallback fallback_not_allowed', '/locales/1/fallback locale_unknown'],
  );
  const cycle = [
    { locale: 'en' },
    { locale: 'de', fallback: 'at' },
    { locale: 'at', fallback: 'de' },
    { locale: 'fr', fallback: 'de' },
  ];
  assert.deepEqual(await put({ default: 'en', locales: cycle }), [
    '/locales/1/fallback fallback_cycle',
    '/locales/2/fallback fallback_cycle',
  ]);
  assert.deepEqual(await put({ default: 'xx_', locales: [{ locale: 'en' }, { locale: 'EN' }] }), [
    '/default locale_invalid',
    '/default locale_unknown',
    '/locales/1/locale duplicate',
  ]);
  assert.deepEqual(await put({ default: null, locales: [{ locale: 'en' }] }), ['/default required']);
  const endless = `en${Array.from({ length: 40_000 }, (_, i) => `-${100_000 + i}`).join('')}`;
  const body = { default: 'en', locales: [{ locale: 'en' }, { locale: 'de', fallback: endless }] };
  let long: Answer = { status: 0, headers: {}, body: undefined };
  const took = await workOf(async () => {
    long = await call('PUT /v1/cms/locales', { as: account, body });
  });
  assert.deepEqual(faultsOf(long), ['/locales/1/fallback locale_unknown']);
  assert.ok(long.body.errors[0].detail.length < 200, 'the answer does not repeat it');
  assert.ok(took < 2_000, 'the platform parses long tags in quadratic time');
  const { rows } = await service.db.query(
    `select before, after from audit_log where account_id = $1 and action = 'locales.changed' order by id`,
    [account.uuid],
  );
  assert.equal(rows.length, 2, 'what was refused is not audited');
  assert.equal(rows[0].after.default, 'en');
});

test('a slug is spelled as the language of its locale does', async () => {
  const account = await localizedAccount();
  const path = await newCollection(account, FIELDS);
  const { values } = await createEntry(account, path, { title: 'Größe', 'title@de': 'Größe' });
  assert.deepEqual([values.slug, values['slug@de']], ['grosse', 'groesse']);
});

test('an entry has values for each locale, and reads fall back', async () => {
  const account = await localizedAccount();
  const path = await newCollection(account, FIELDS);
  const entry = await createEntry(account, path, {
    title: 'Shoes',
    'title@de': 'Schuhe',
    price: 5,
    tags: ['new'],
    'tags@de': [],
    seo: { text: 'Buy' },
    'seo@de-AT': { text: 'Kauf' },
  });
  assert.equal(entry.values.slug, 'shoes');
  assert.equal(entry.values['slug@de'], 'schuhe', 'a slug is derived in each locale that has its text');
  assert.equal(entry.values['slug@de-AT'], undefined);
  assert.equal('locale' in entry, false);

  const inLocale = async (locale: string) => {
    const one = await ok(`GET ${path}/entries/${entry.id}?locale=${locale}`, account);
    const { entries } = await ok(`GET ${path}/entries?locale=${locale}`, account);
    assert.deepEqual(entries, [one]);
    return one;
  };
  assert.deepEqual((await inLocale('en')).values, {
    title: 'Shoes',
    slug: 'shoes',
    price: 5,
    tags: ['new'],
    seo: { text: 'Buy' },
  });
  const de = await inLocale('DE');
  assert.equal(de.locale, 'de');
  assert.deepEqual(de.values, { title: 'Schuhe', slug: 'schuhe', price: 5, tags: ['new'], seo: { text: 'Buy' } });
  assert.deepEqual((await inLocale('de-AT')).values, { ...de.values, seo: { text: 'Kauf' } });

  const unknown = await call(`GET ${path}/entries?locale=fr`, { as: account });
  assert.deepEqual([unknown.status, faultsOf(unknown)], [400, ['?locale locale_unknown']]);
  const sentBack = await call(`PATCH ${path}/entries/${entry.id}`, {
    as: account,
    body: { values: de.values, locale: 'de' },
  });
  assert.deepEqual(faultsOf(sentBack), ['/locale unknown_property'], 'fallbacks must not become values');

  await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: { 'title@de': null, 'slug@de': null } });
  assert.equal((await inLocale('de')).values.title, 'Shoes');
  const { versions } = await ok(`GET ${path}/entries/${entry.id}/versions`, account);
  assert.deepEqual(versions[0].changedFields, ['title@de', 'slug@de']);
  const restored = await ok(`POST ${path}/entries/${entry.id}/versions/1/restore`, account, {});
  assert.deepEqual(restored.values, entry.values);
});

async function shop() {
  const account = await localizedAccount();
  const path = await newPublic(account);
  const url = publicUrl(path);
  const entry = await createEntry(account, path, {
    title: 'Shoes',
    'title@de': 'Schuhe',
    'title@de-AT': 'Schuach',
    price: 5,
  });
  const post = (verb: string, body: unknown = {}) =>
    call(`POST ${path}/entries/${entry.id}/${verb}`, { as: account, body });
  const done = (verb: string, body: unknown = {}) => ok(`POST ${path}/entries/${entry.id}/${verb}`, account, body);
  const change = (values: unknown) => ok(`PATCH ${path}/entries/${entry.id}`, account, { values });
  const titles = async () => {
    const answers = await Promise.all(['en', 'de', 'de-AT'].map((locale) => read(account, `${url}?locale=${locale}`)));
    return answers.map(({ body }) => body.entries[0]?.values.title);
  };
  return { account, path, url, entry, post, done, change, titles };
}

test('locales are published one by one, and public reads contain no other', async () => {
  const { account, url, entry, post, done, change, titles } = await shop();
  assert.deepEqual(entry.publishedLocales, {});
  assert.deepEqual(faultsOf(await post('publish', { locales: ['fr'] })), ['/locales/0 locale_unknown']);

  const first = await done('publish', { locales: ['en'] });
  assert.deepEqual([first.publishedVersion, first.publishedLocales], [1, { en: 1 }]);
  assert.deepEqual(first.values, entry.values, 'the draft keeps its translations');
  assert.deepEqual(await titles(), ['Shoes', 'Shoes', 'Shoes']);
  const etag = (await read(account, `${url}?locale=de`)).headers.etag;

  await change({ title: 'Boots', 'title@de': 'Stiefel', price: 6 });
  const second = await done('publish', { locales: ['de'] });
  assert.deepEqual([second.version, second.publishedVersion, second.publishedLocales], [2, 1, { en: 1, de: 2 }]);
  assert.equal(second.values.title, 'Boots');
  assert.deepEqual(await titles(), ['Shoes', 'Stiefel', 'Stiefel']);
  const german = (await read(account, `${url}/${entry.id}?locale=de`, { 'if-none-match': String(etag) })).body;
  assert.deepEqual(
    german.values,
    { title: 'Stiefel', slug: 'schuhe', price: 5 },
    'the price belongs to the default locale',
  );
  assert.deepEqual(german.locales, ['en', 'de']);
  const plain = await read(account, `${url}/${entry.id}`);
  assert.deepEqual(Object.keys(plain.body.values), ['title', 'slug', 'price'], 'a public response is in one locale');
  assert.doesNotMatch(JSON.stringify((await read(account, `${url}?locale=de-AT`)).body), /Schuach/);

  // By the slug of the locale or of a fallback.
  assert.equal((await read(account, `${url}/schuhe?locale=de`)).body.id, entry.id);
  assert.equal((await read(account, `${url}/shoes?locale=de`)).body.redirectTo, 'schuhe');
  assert.equal((await read(account, `${url}/schuhe`)).status, 404);
  assert.deepEqual(faultsOf(await read(account, `${url}?locale=fr`)), ['?locale locale_unknown']);

  const third = await done('unpublish', { locales: ['de', 'de-AT'] });
  assert.deepEqual(third.publishedLocales, { en: 1 });
  assert.deepEqual(third.values, second.values);
  assert.deepEqual(await titles(), ['Shoes', 'Shoes', 'Shoes']);
  assert.equal((await read(account, `${url}/schuhe?locale=de`)).body.redirectTo, 'shoes');

  const all = await done('publish');
  assert.deepEqual(all.publishedLocales, { en: 2, de: 2, 'de-AT': 2 });
  assert.deepEqual(await titles(), ['Boots', 'Stiefel', 'Schuach']);
  await done('unpublish');
  assert.deepEqual(await titles(), [undefined, undefined, undefined]);
});

test('discarding a draft keeps the translations that are not published', async () => {
  const { done, change } = await shop();
  await done('publish', { locales: ['en', 'de'] });
  await change({ title: 'Boots', 'title@de': 'Stiefel', 'title@de-AT': 'Stiefi' });
  const discarded = await done('discard-draft');
  assert.deepEqual(
    [discarded.values.title, discarded.values['title@de'], discarded.values['title@de-AT']],
    ['Shoes', 'Schuhe', 'Stiefi'],
  );
  assert.deepEqual([discarded.publishedVersion, discarded.publishedLocales], [3, { en: 3, de: 3 }]);
});

test('required and unique fields bind in each published locale', async () => {
  const { account, path, entry, post, done, change } = await shop();
  await done('publish');
  const other = await createEntry(account, path, {
    title: 'Sandals',
    slug: 'schuhe',
    'tags@de': ['neu'],
    'slug@de': 'schuhe',
  });
  const publish = (body: unknown) => call(`POST ${path}/entries/${other.id}/publish`, { as: account, body });
  assert.deepEqual(faultsOf(await publish({})), ['/values/slug@de value_taken', '/values/title@de required']);
  assert.equal((await publish({ locales: ['en'] })).status, 200, 'the same slug is free in another locale');
  await change({ 'title@de': null });
  assert.deepEqual(faultsOf(await post('publish', { locales: ['de'] })), ['/values/title@de required']);
  assert.deepEqual((await done('publish', { locales: ['en'] })).publishedLocales, { en: 2, de: 1, 'de-AT': 1 });
  const several = await call(`POST ${path}/publish`, {
    as: account,
    body: { entryIds: [entry.id, other.id], locales: ['de'] },
  });
  // The slug went with the title.
  assert.deepEqual(faultsOf(several).sort(), [
    '/entryIds/0/values/title@de required',
    '/entryIds/1/values/title@de required',
  ]);
});

test('releases publish and unpublish locales', async () => {
  const { account, path, entry, titles, change } = await shop();
  const collectionId = path.split('/').at(-1);
  const item = { collectionId, entryId: entry.id };
  const create = (items: unknown[]) => call('POST /v1/cms/releases', { as: account, body: { name: 'R', items } });
  assert.deepEqual(faultsOf(await create([{ ...item, locales: ['fr'] }])), ['/items/0/locales/0 locale_unknown']);
  const { body: release } = await create([{ ...item, locales: ['en', 'de'] }]);
  assert.deepEqual(release.item.locales, ['en', 'de']);
  await change({ 'title@de': 'Stiefel' });
  await ok(`PATCH /v1/cms/releases/${release.id}`, account, { items: [release.item] });
  await ok(`POST /v1/cms/releases/${release.id}/publish`, account, {});
  assert.deepEqual(await titles(), ['Shoes', 'Schuhe', 'Schuhe'], 'with the version that was chosen');
  const { body: removal } = await create([{ ...item, action: 'unpublish', locales: ['de'] }]);
  await ok(`POST /v1/cms/releases/${removal.id}/publish`, account, {});
  assert.deepEqual(await titles(), ['Shoes', 'Shoes', 'Shoes']);
});

test('filters and search use the values that are returned, and sorting those of the locale', async () => {
  const account = await localizedAccount();
  const path = await newPublic(
    account,
    FIELDS.map((field) => ({ ...field, required: false })),
  );
  const rows = [
    { title: 'Alpha', 'title@de': 'Zulu', tags: ['x'], price: 1 },
    { title: 'Bravo', tags: ['y'], 'tags@de': ['x'], price: 2, seo: { text: 'Kilo' } },
    { title: 'Zulu', 'title@de': 'Alpha', price: 3, seo: { text: 'Kilo' }, 'seo@de': { text: 'Lima' } },
  ];
  for (const values of rows) {
    const { id } = await createEntry(account, path, values);
    await ok(`POST ${path}/entries/${id}/publish`, account, {});
  }
  const url = publicUrl(path);
  const prices = async (query: string) => {
    const own = await ok(`GET ${path}/entries?${query}`, account);
    const open = await read(account, `${url}?${query}`);
    assert.equal(open.status, 200, JSON.stringify(open.body));
    const of = (entries: { values: { price: number } }[]) => entries.map(({ values }) => values.price);
    assert.deepEqual(of(open.body.entries), of(own.entries));
    return of(own.entries);
  };
  assert.deepEqual(await prices('locale=de&filter[title][eq]=Zulu'), [1]);
  assert.deepEqual(await prices('locale=de&filter[title][eq]=Bravo'), [2], 'a fallback matches');
  assert.deepEqual(await prices('locale=de-AT&filter[title][in]=Alpha,Bravo'), [2, 3]);
  assert.deepEqual(await prices('locale=de&filter[title][gte]=B&sort=title:asc'), [1, 2]);
  assert.deepEqual(await prices('locale=de&filter[title][ne]=Alpha&sort=title:asc'), [1, 2]);
  assert.deepEqual(await prices('locale=en&filter[title][eq]=Zulu'), [3]);
  assert.deepEqual(await prices('locale=de&filter[tags][eq]=x'), [1, 2]);
  assert.deepEqual(await prices('locale=de&filter[tags][ne]=x'), [3]);
  assert.deepEqual(await prices('locale=de&filter[tags][exists]=false'), [3]);
  assert.deepEqual(await prices('locale=de&filter[title][contains]=ulu'), [1]);
  assert.deepEqual(await prices('locale=de&filter[title][contains]=rav'), [2]);
  assert.deepEqual(await prices('locale=de&q=kilo'), [2]);
  assert.deepEqual(await prices('locale=de&q=lima'), [3]);
  assert.deepEqual(await prices('locale=de-AT&q=alpha'), [3]);
  assert.deepEqual(await prices('locale=en&q=lima'), []);
  assert.deepEqual(await prices('locale=de&sort=title:asc'), [3, 1, 2]);
  assert.deepEqual(await prices('locale=en&sort=title:asc'), [1, 2, 3]);
  // A path names the value of any locale, without fallbacks.
  assert.deepEqual(await prices('locale=de&filter[title@de][eq]=Zulu'), [1]);
  assert.deepEqual(await prices('locale=en&filter[title@de][exists]=false&sort=price:asc'), [2]);
  const missing = await ok(`GET ${path}/entries?filter[title@de][exists]=false`, account);
  assert.deepEqual(missing.entries.length, 1, 'without a locale, translations are fields of their own');
  const first = (await read(account, `${url}?locale=de&sort=title:asc&pageSize=1`)).body;
  const second = await read(account, `${url}?locale=de&sort=title:asc&pageSize=1&pageToken=${first.nextPageToken}`);
  assert.deepEqual(second.body.entries[0].values.price, 1);
  const foreign = await read(account, `${url}?locale=en&sort=title:asc&pageSize=1&pageToken=${first.nextPageToken}`);
  assert.equal(foreign.status, 400, 'a token belongs to its locale');
});

test('locales and localized fields come and go without losing values', async () => {
  const account = await newAccount();
  const plain = { id: 'title', label: 'Title', type: 'text' };
  const refused = await call('POST /v1/cms/collections', {
    as: account,
    body: { name: 'X', fields: [{ ...plain, localized: true }] },
  });
  assert.deepEqual(faultsOf(refused), ['/fields/0/localized locales_missing']);
  const path = await newPublic(account, [plain]);
  const entry = await createEntry(account, path, { title: 'Shoes' });
  await ok(`POST ${path}/entries/${entry.id}/publish`, account, {});
  const entries = `${path}/entries/${entry.id}`;
  assert.deepEqual(faultsOf(await call(`POST ${entries}/publish`, { as: account, body: { locales: ['en'] } })), [
    '/locales not_localized',
  ]);
  await ok('PUT /v1/cms/locales', account, LOCALES);
  assert.equal((await ok(`GET ${entries}?locale=de`, account)).values.title, 'Shoes', 'nothing is localized yet');

  const changed = await ok(`PATCH ${path}`, account, { fields: [{ id: 'title', localized: true }] });
  assert.deepEqual(
    changed.fields.map(({ id, localized }: Record<string, unknown>) => [id, localized]),
    [['title', true]],
  );
  assert.deepEqual((await ok(`GET ${entries}`, account)).publishedLocales, { en: 1 });
  await ok(`PATCH ${entries}`, account, { values: { 'title@de': 'Schuhe' } });
  await ok(`POST ${entries}/publish`, account, {});
  const german = async () => (await read(account, `${publicUrl(path)}/${entry.id}?locale=de`)).body.values?.title;
  assert.equal(await german(), 'Schuhe');

  await ok('PUT /v1/cms/locales', account, { default: 'en', locales: [{ locale: 'en' }] });
  assert.equal((await read(account, `${publicUrl(path)}?locale=de`)).status, 400);
  assert.deepEqual((await ok(`GET ${entries}`, account)).values, { title: 'Shoes' });
  assert.deepEqual(faultsOf(await call(`PATCH ${entries}`, { as: account, body: { values: { 'title@de': 'x' } } })), [
    '/values/title@de field_deleted',
  ]);
  await ok('PUT /v1/cms/locales', account, LOCALES);
  assert.equal((await ok(`GET ${entries}`, account)).values['title@de'], 'Schuhe');
  assert.equal(await german(), 'Schuhe');

  await ok('PUT /v1/cms/locales', account, { default: 'en', locales: [{ locale: 'en' }] });
  await ok(`PATCH ${entries}`, account, { values: { title: 'Boots' } });
  assert.deepEqual((await ok(`POST ${entries}/discard-draft`, account, {})).publishedLocales, { en: 4 });
  await ok('PUT /v1/cms/locales', account, LOCALES);
  assert.deepEqual((await ok(`GET ${entries}`, account)).publishedLocales, { en: 4, de: 4 });
  await ok(`POST ${entries}/unpublish`, account, { locales: ['de'] });
  assert.equal(await german(), 'Shoes', 'what a locale that returned has published can be unpublished');
  await ok(`POST ${entries}/publish`, account, {});

  await ok(`PATCH ${path}`, account, { fields: [{ id: 'title', localized: false }] });
  assert.equal(await german(), 'Shoes');
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'title', localized: true }] });
  assert.equal(await german(), 'Schuhe');
  assert.equal((await ok(`GET ${path}/entries?filter[title@de][eq]=Schuhe`, account)).entries.length, 1);
});

test('expanded entries are in the locale of the request', async () => {
  const account = await localizedAccount();
  const authors = await newPublic(account, [{ id: 'name', label: 'Name', type: 'text', localized: true }]);
  const reference = { type: 'text', format: 'reference', collectionIds: [authors.split('/').at(-1)] };
  const posts = await newPublic(account, [{ id: 'author', label: 'Author', ...reference }]);
  const author = await createEntry(account, authors, { name: 'Editor', 'name@de': 'Redaktion' });
  const post = await createEntry(account, posts, { author: author.id });
  await ok(`POST ${authors}/entries/${author.id}/publish`, account, { locales: ['en'] });
  await ok(`POST ${posts}/entries/${post.id}/publish`, account, {});
  const nameIn = async (query: string) => {
    const { body } = await read(account, `${publicUrl(posts)}/${post.id}?expand=author${query}`);
    return body.values.author.values;
  };
  assert.deepEqual(await nameIn('&locale=de'), { name: 'Editor' }, 'German is not published');
  await ok(`POST ${authors}/entries/${author.id}/publish`, account, { locales: ['de'] });
  assert.deepEqual(await nameIn('&locale=de'), { name: 'Redaktion' });
  assert.deepEqual(await nameIn(''), { name: 'Editor' });
  const all = await ok(`GET ${posts}/entries/${post.id}?expand=author`, account);
  assert.deepEqual(all.values.author.values, { name: 'Editor', 'name@de': 'Redaktion' });
  const published = await ok(`GET ${posts}/entries?state=published&locale=de&expand=author`, account);
  assert.deepEqual(published.entries[0].values.author.values, { name: 'Redaktion' });
});

test('previews show the draft in a locale', async () => {
  const { account, path, url, entry } = await shop();
  await ok(`PATCH ${path}`, account, { previewUrl: 'https://shop.example/{locale}/{slug}?t={token}' });
  const preview = await ok(`POST ${path}/entries/${entry.id}/preview?locale=de`, account);
  assert.match(preview.url, /^https:\/\/shop\.example\/de\/schuhe\?t=/);
  const token = encodeURIComponent(preview.token);
  const draft = await read(account, `${url}/schuhe?locale=de&preview=${token}`);
  assert.equal(draft.body.values.title, 'Schuhe');
  assert.deepEqual(draft.body.locales, undefined);
  assert.match((await ok(`POST ${path}/entries/${entry.id}/preview`, account)).url, /example\/en\/shoes/);
});

test('every strategy of listings finds the entries whose values in the locale match', async () => {
  const account = await localizedAccount();
  const text = { type: 'text', localized: true };
  const path = await newCollection(account, [
    { id: 'title', label: 'Title', ...text },
    { id: 'tags', label: 'Tags', ...text, repeated: true },
    { id: 'rank', label: 'Rank', type: 'number' },
  ]);
  const letters = ['a', 'b', 'c'];
  const pick = (i: number, step: number) => (i % step === 0 ? [] : [letters[i % 3] ?? '']);
  const made: { id: string; values: Record<string, unknown> }[] = [];
  for (let i = 0; i < 48; i++) {
    const [title] = pick(i, 5);
    const [german] = pick(i + 1 + Math.floor(i / 7), 2);
    const values = {
      ...(title && { title: `${title} word` }),
      ...(german && { 'title@de': `${german} wort` }),
      tags: pick(i, 4),
      'tags@de': pick(i + 2, 2),
      rank: i % 7,
    };
    made.push(await createEntry(account, path, values));
  }
  const stored = await service.readCollection(account, path);
  const view = localeView(stored, 'de');
  const titleOf = ({ values }: (typeof made)[number]) => (values['title@de'] ?? values.title) as string | undefined;
  const tagsOf = ({ values }: (typeof made)[number]) =>
    ((values['tags@de'] as string[]).length > 0 ? values['tags@de'] : values.tags) as string[];
  const matching: Record<string, (entry: (typeof made)[number]) => boolean> = {
    'filter[title][eq]=a word': (entry) => titleOf(entry) === 'a word',
    'filter[title][in]=b wort,c word': (entry) => ['b wort', 'c word'].includes(titleOf(entry) ?? ''),
    'filter[title][gte]=b': (entry) => (titleOf(entry) ?? '') >= 'b',
    'filter[title][ne]=b wort': (entry) => titleOf(entry) !== 'b wort',
    'filter[title][exists]=false': (entry) => titleOf(entry) === undefined,
    'filter[tags][eq]=a': (entry) => tagsOf(entry).includes('a'),
    'filter[tags][ne]=a': (entry) => !tagsOf(entry).includes('a'),
    'filter[title][contains]=word': (entry) => titleOf(entry)?.includes('word') ?? false,
    'q=wort': (entry) => titleOf(entry)?.includes('wort') ?? false,
    'q=word': (entry) => titleOf(entry)?.includes('word') ?? false,
    'filter[title][gte]=a&filter[tags][eq]=b': (entry) => titleOf(entry) !== undefined && tagsOf(entry).includes('b'),
  };
  const scope = { accountId: account.uuid, collectionId: stored.id, version: stored.version };
  for (const [query, matches] of Object.entries(matching)) {
    for (const sort of ['createdAt:asc', 'rank:desc', 'title:asc', 'updatedAt:asc']) {
      for (const bound of [1, 5, 1_000]) {
        const faults: Fault[] = [];
        const sent = { ...Object.fromEntries(new URLSearchParams(query)), sort };
        const listing = await listingOfQuery(service.db, account.uuid, view, sent, faults);
        assert.deepEqual(faults, []);
        const rows = await findPage(service.db, scope, view, listing, undefined, 100, bound);
        const found = rows?.map(({ id }) => publicId('ent', id)).sort();
        const expected = made.filter(matches).map(({ id }) => id);
        assert.deepEqual(found, expected.sort(), `${query} ${sort} ${bound}`);
        assert.ok(expected.length > 0, query);
      }
    }
  }
});
