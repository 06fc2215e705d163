import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../../test/harness.ts';
import { contentService, faultsOf } from '../test-support.ts';

const service = await contentService();
const { call, ok, newAccount, newCollection, createEntry } = service;

const TITLE = { id: 'title', label: 'Title', type: 'text', localized: true };
const SLUG = { id: 'slug', label: 'Slug', type: 'text', format: 'slug', slugSource: 'title', localized: true };
const PUBLIC = { publishing: true, public: true };
const idOf = (path: string) => path.split('/').at(-1) ?? '';

/** Articles in two locales, in categories. */
async function site() {
  const account = await newAccount();
  await ok('PUT /v1/cms/locales', account, { default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }] });
  const categories = await newCollection(account, [TITLE, SLUG], PUBLIC);
  const category = {
    id: 'category',
    label: 'Category',
    type: 'text',
    format: 'reference',
    collectionIds: [idOf(categories)],
  };
  const articles = await newCollection(account, [TITLE, SLUG, category], {
    ...PUBLIC,
    key: 'articles',
    urlPattern: '/{locale}/blog/{category.slug}/{slug}',
  });
  const news = await publish(account, categories, { title: 'News', 'title@de': 'Neues' });
  return { account, categories, articles, news };
}

async function publish(account: Account, path: string, values: Record<string, unknown>) {
  const { id } = await createEntry(account, path, values);
  await ok(`POST ${path}/entries/${id}/publish`, account, {});
  return id;
}

const read = async (account: Account, path: string) => {
  const { status, body, headers } = await call(
    `GET /v1/content/${path}${path.includes('?') ? '&' : '?'}key=${account.apiKey}`,
  );
  return { status, body, headers };
};

test('public entries have a path in each published locale, and a path leads to its entry', async () => {
  const { account, articles, news } = await site();
  const both = await publish(account, articles, { title: 'Hello', 'title@de': 'Grüße', category: news });
  const one = await publish(account, articles, { title: 'Only English', category: news });
  const none = await publish(account, articles, { title: 'No category' });
  const { body } = await read(account, 'articles?locale=de&sort=createdAt:asc');
  const urls = body.entries.map(({ id, url, alternates }: Record<string, unknown>) => [id, url, alternates]);
  assert.deepEqual(urls, [
    [both, '/de/blog/neues/gruesse', { en: '/en/blog/news/hello', de: '/de/blog/neues/gruesse' }],
    [one, '/de/blog/neues/only-english', { en: '/en/blog/news/only-english' }],
    [none, null, {}],
  ]);
  assert.equal((await read(account, `articles/${both}`)).body.url, '/en/blog/news/hello');

  // Also where it is referenced, as by the links of a header that has no locales, published and in a preview.
  const to = { id: 'to', label: 'To', type: 'text', format: 'reference', collectionIds: [idOf(articles)] };
  const links = { id: 'links', label: 'Links', type: 'group', repeated: true, fields: [to] };
  const header = await newCollection(account, [links], {
    ...PUBLIC,
    key: 'header',
    previewUrl: 'https://shop.example/{token}',
  });
  const linking = await publish(account, header, { links: [{ to: both }, { to: none }] });
  const targetsOf = async (query: string) => {
    const response = await read(account, `header/${linking}?expand=links.to,links.to.category&${query}`);
    return response.body.values.links.map((link: { to: Record<string, unknown> }) => link.to);
  };
  const [hello, nowhere] = await targetsOf('locale=de');
  assert.deepEqual([hello.url, hello.alternates], [urls[0]?.[1], urls[0]?.[2]]);
  assert.deepEqual([nowhere.url, nowhere.alternates, 'url' in hello.values.category], [null, {}, false]);
  assert.equal((await targetsOf(''))[0].url, '/en/blog/news/hello');
  const preview = await ok(`POST ${header}/entries/${linking}/preview`, account, {});
  const token = new URL(preview.url).pathname.slice(1);
  assert.equal((await targetsOf(`locale=de&preview=${token}`))[0].url, '/de/blog/neues/gruesse');

  for (const [path, locale] of [
    ['/de/blog/neues/gruesse', 'de'],
    ['/en/blog/news/hello?utm_source=x#top', 'en'],
    ['/en/blog/news/hello/', 'en'],
  ] as const) {
    const found = await read(account, `resolve?path=${encodeURIComponent(path)}`);
    assert.deepEqual([found.status, found.body.locale, found.body.collection], [200, locale, 'articles'], path);
    assert.deepEqual([found.body.entry.id, found.body.collectionId], [both, idOf(articles)]);
    assert.equal(found.body.entry.values.title, locale === 'de' ? 'Grüße' : 'Hello');
  }
  for (const path of ['/de/blog/neues/nope', '/', '/blog', '/de/blog/neues/%E0%A4%A', `/${'a'.repeat(1_900)}`]) {
    assert.equal((await read(account, `resolve?path=${encodeURIComponent(path)}`)).status, 404, path);
  }
  assert.deepEqual(faultsOf(await call(`GET /v1/content/resolve?path=blog&key=${account.apiKey}`)), [
    '?path path_invalid',
  ]);
});

test('a preview has the paths that drafts would have if they were published, also those of references', async () => {
  const { account, categories, articles, news } = await site();
  await ok(`PATCH ${articles}`, account, { previewUrl: 'https://shop.example/{token}' });
  const { id: guides } = await createEntry(account, categories, { title: 'Guides', 'title@de': 'Ratgeber' });
  const published = await publish(account, articles, { title: 'Hello', category: news });
  await ok(`PATCH ${articles}/entries/${published}`, account, { values: { slug: 'hi', 'title@de': 'Hallo' } });
  const { id: draft } = await createEntry(account, articles, { title: 'Tents', 'title@de': 'Zelte', category: guides });
  const preview = await ok(`POST ${articles}/entries/${draft}/preview`, account, {});
  const token = new URL(preview.url).pathname.slice(1);
  const expected = [
    [published, '/de/blog/neues/hallo', { en: '/en/blog/news/hi', de: '/de/blog/neues/hallo' }],
    [draft, '/de/blog/ratgeber/zelte', { en: '/en/blog/guides/tents', de: '/de/blog/ratgeber/zelte' }],
  ];
  const urlsOf = ({ id, url, alternates }: Record<string, unknown>) => [id, url, alternates];
  const page = await read(account, `articles?locale=de&sort=createdAt:asc&preview=${token}`);
  assert.deepEqual(page.body.entries.map(urlsOf), expected);
  const one = await read(account, `articles/${draft}?locale=de&preview=${token}`);
  assert.deepEqual(urlsOf(one.body), expected[1]);
  assert.equal((await read(account, `articles/${published}`)).body.url, '/en/blog/news/hello');
});

test('earlier slugs and other ways to an entry lead to its path, and what is unpublished to nothing', async () => {
  const { account, articles, categories, news } = await site();
  const id = await publish(account, articles, { title: 'Hello', 'title@de': 'Hallo', category: news });
  await ok(`PATCH ${articles}/entries/${id}`, account, { values: { slug: 'goodbye', 'slug@de': 'tschuess' } });
  await ok(`POST ${articles}/entries/${id}/publish`, account, {});
  await ok(`PATCH ${categories}/entries/${news}`, account, { values: { slug: 'stories' } });
  await ok(`POST ${categories}/entries/${news}/publish`, account, {});
  const to = async (path: string) => (await read(account, `resolve?path=${path}`)).body.redirectTo;
  assert.equal(await to('/en/blog/news/hello'), '/en/blog/stories/goodbye');
  assert.equal(await to('/de/blog/neues/hallo'), '/de/blog/neues/tschuess');
  assert.equal(await to('/en/blog/stories/goodbye'), undefined);

  const all = [];
  for (let pageToken = ''; ; ) {
    const page = await read(account, `redirects?pageSize=1&pageToken=${pageToken}`);
    all.push(...page.body.redirects);
    if (page.body.nextPageToken === null) break;
    pageToken = page.body.nextPageToken;
  }
  assert.deepEqual(
    all.sort((a, b) => (a.from < b.from ? -1 : 1)),
    [
      { from: '/de/blog/neues/hallo', to: '/de/blog/neues/tschuess', status: 301 },
      { from: '/en/blog/stories/hello', to: '/en/blog/stories/goodbye', status: 301 },
    ],
  );
  // Whatever changes a path purges what shows it.
  const collections = [articles, categories].map(idOf);
  for (const [path, more] of [
    ['resolve?path=/en/blog/news/hello', [id]],
    ['redirects', []],
    ['sitemap.xml', []],
    ['sitemap.xml?collection=articles', []],
  ] as const) {
    const { headers } = await read(account, path);
    assert.deepEqual(String(headers['cache-tag']).split(',').sort(), [...collections, ...more].sort(), path);
    assert.equal(headers['surrogate-key'], String(headers['cache-tag']).replaceAll(',', ' '));
  }
  await ok(`POST ${articles}/entries/${id}/unpublish`, account, {});
  const gone = await read(account, 'resolve?path=/en/blog/stories/goodbye');
  assert.deepEqual([gone.status, gone.headers['cache-control']], [404, 'public, max-age=1, stale-if-error=0']);
  assert.deepEqual((await read(account, 'redirects')).body.redirects, []);
});

test('a sitemap has the URLs of all entries with their translations', async () => {
  const { account, articles, news } = await site();
  await publish(account, articles, { title: 'Q&A', 'title@de': 'Fragen', category: news });
  const answer = await call(`GET /v1/content/sitemap.xml?site=https://shop.example&key=${account.apiKey}`);
  assert.match(String(answer.headers['content-type']), /^application\/xml/);
  const xml = String(answer.body);
  assert.equal(xml.match(/<url>/g)?.length, 2);
  assert.ok(xml.includes('<loc>https://shop.example/de/blog/neues/fragen</loc>'), xml);
  assert.ok(
    xml.includes('<xhtml:link rel="alternate" hreflang="en" href="https://shop.example/en/blog/news/q-a"/>'),
    xml,
  );
  const fallback = '<xhtml:link rel="alternate" hreflang="x-default" href="https://shop.example/en/blog/news/q-a"/>';
  assert.equal(xml.split(fallback).length - 1, 2, xml);
  const part = await call(`GET /v1/content/sitemap.xml?collection=articles&page=1&key=${account.apiKey}`);
  assert.equal(String(part.body).includes('<url>'), false);
});

test('a path without a slug finds its entry by other values', async () => {
  const account = await newAccount();
  const fields = [
    { id: 'sku', label: 'SKU', type: 'text', unique: true },
    { id: 'kind', label: 'Kind', type: 'select', options: [{ value: 'a b', label: 'A' }] },
  ];
  const path = await newCollection(account, fields, { ...PUBLIC, urlPattern: '/p/{kind}/{sku}.html' });
  const id = await publish(account, path, { sku: 'Ä/7', kind: 'a b' });
  const { url, alternates } = (await read(account, `${idOf(path)}/${id}`)).body;
  assert.deepEqual([url, alternates], ['/p/a%20b/%C3%84%2F7.html', undefined]);
  const found = await read(account, `resolve?path=${encodeURIComponent(url)}`);
  assert.deepEqual([found.body.entry?.id, found.body.locale], [id, null]);
});

test('a pattern that cannot make paths is refused with every fault', async () => {
  const account = await newAccount();
  const fields = [
    { id: 'title', label: 'Title', type: 'text' },
    { id: 'secret', label: 'Secret', type: 'text', private: true, unique: true },
    { id: 'tags', label: 'Tags', type: 'text', repeated: true },
  ];
  const path = await newCollection(account, fields, PUBLIC);
  for (const [urlPattern, faults] of [
    ['blog/{id}', ['/urlPattern url_pattern_invalid']],
    ['/{id}{title}', ['/urlPattern url_pattern_invalid']],
    ['/{title}', ['/urlPattern url_not_unique']],
    ['/{nope}/{id}', ['/urlPattern field_unknown']],
    ['/{secret}', ['/urlPattern field_not_allowed']],
    ['/{tags}/{title.x}/{id}', ['/urlPattern field_not_allowed', '/urlPattern field_not_allowed']],
    ['/{locale}/{id}', ['/urlPattern not_localized']],
  ] as const) {
    const answer = await call(`PATCH ${path}`, { as: account, body: { urlPattern } });
    assert.deepEqual(faultsOf(answer), faults, urlPattern);
  }
  assert.equal((await ok(`PATCH ${path}`, account, { urlPattern: '/{id}' })).urlPattern, '/{id}');
  assert.equal('urlPattern' in (await ok(`PATCH ${path}`, account, { urlPattern: null })), false);
});
