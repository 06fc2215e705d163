import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../../test/harness.ts';
import { contentService, faultsOf } from '../test-support.ts';

const service = await contentService();
const { call, ok, newAccount, newCollection, createEntry } = service;

const PUBLIC = { publishing: true, public: true };
const localesWith = (main: string) => ({
  default: main,
  locales: [{ locale: 'en' }, { locale: 'de' }, { locale: 'fr', fallback: 'en' }, { locale: 'de-AT', fallback: 'de' }],
});
const idOf = (path: string) => path.split('/').at(-1) ?? '';
type Values = Record<string, unknown>;

async function site(isTitleRequired: boolean) {
  const account = await newAccount();
  await ok('PUT /v1/cms/locales', account, localesWith('en'));
  const articles = await newCollection(
    account,
    [
      { id: 'title', label: 'Title', type: 'text', required: isTitleRequired, localized: true },
      { id: 'slug', label: 'Slug', type: 'text', format: 'slug', slugSource: 'title', localized: true },
      { id: 'code', label: 'Code', type: 'text', localized: true, unique: true },
      { id: 'price', label: 'Price', type: 'number', required: true },
    ],
    { ...PUBLIC, urlPattern: '/{locale}/{slug}' },
  );
  const lists = await newCollection(
    account,
    [
      { id: 'name', label: 'Name', type: 'text' },
      { id: 'article', label: 'Article', type: 'text', format: 'reference', collectionIds: [idOf(articles)] },
    ],
    PUBLIC,
  );
  return { account, articles, lists };
}

const getPublic = (account: Account, path: string) =>
  call(`GET /v1/content/${path}${path.includes('?') ? '&' : '?'}key=${account.apiKey}`);

async function graphql(account: Account, collection: string, locale: string | undefined) {
  const argument = locale === undefined ? '' : `(locale: "${locale}")`;
  const { body } = await call('POST /v1/graphql', {
    as: account,
    body: { query: `{ ${collection}${argument} { items { id title } } }` },
  });
  assert.equal(body.errors, undefined, JSON.stringify(body.errors));
  const items = body.data[collection].items as { id: string; title: string | null }[];
  return items.map(({ id, title }): [string, unknown] => [id, title ?? undefined]);
}

test('a German entry is published without the English one, and exists in German alone', async () => {
  const { account, articles, lists } = await site(true);
  const entry = await createEntry(account, articles, { 'title@de': 'Schuhe', price: 5 });
  const of = `${articles}/entries/${entry.id}`;
  const list = await createEntry(account, lists, { name: 'L', article: entry.id });
  await ok(`POST ${lists}/entries/${list.id}/publish`, account, {});
  assert.deepEqual(faultsOf(await call(`POST ${of}/publish`, { as: account, body: { locales: ['en'] } })), [
    '/values/title required',
  ]);
  const published = await ok(`POST ${of}/publish`, account, { locales: ['de'] });
  assert.deepEqual([published.publishedLocales, published.publishedVersion], [{ de: 1 }, 1]);

  const { titles } = await ok(`GET /v1/cms/entry-titles?ids=${entry.id}`, account);
  assert.equal(titles[0].title, 'Schuhe');

  const id = idOf(articles);
  const count = async (locale: string) =>
    (await getPublic(account, `${id}?count=exact&locale=${locale}`)).body.total as number;
  const seen = async (locale: string) => {
    const page = (await getPublic(account, `${id}?locale=${locale}&sort=price:asc`)).body.entries;
    const own = await getPublic(account, `${id}/${entry.id}?locale=${locale}`);
    const bySlug = await getPublic(account, `${id}/schuhe?locale=${locale}`);
    const groups = await call(`POST /v1/content/${id}/aggregate?key=${account.apiKey}`, {
      body: { measures: { n: { count: true }, p: { max: 'price' } }, locale },
    });
    const lister = await getPublic(account, `${idOf(lists)}/${list.id}?expand=article&locale=${locale}`);
    const through = await getPublic(account, `${idOf(lists)}?filter[article.price][eq]=5&locale=${locale}`);
    assert.equal(await count(locale), page.length);
    return {
      page: page.map(({ values }: { values: Values }) => values),
      own: own.body.values?.title,
      bySlug: bySlug.body.values?.title,
      groups: groups.body.groups?.[0]?.n ?? 0,
      article: lister.body.values.article?.values.title,
      through: through.body.entries.length,
      graphql: (await graphql(account, id, locale)).length,
    };
  };
  const german = {
    page: [{ title: 'Schuhe', slug: 'schuhe', price: 5 }],
    own: 'Schuhe',
    bySlug: 'Schuhe',
    ...{ groups: 1, article: 'Schuhe', through: 1, graphql: 1 },
  };
  const nothing = {
    page: [],
    ...{ own: undefined, bySlug: undefined },
    ...{ groups: 0, article: undefined, through: 0, graphql: 0 },
  };
  assert.deepEqual(await seen('de'), german);
  assert.deepEqual(await seen('de-AT'), german);
  assert.deepEqual(await seen('en'), nothing);
  assert.deepEqual(await seen('fr'), nothing);
  assert.equal((await getPublic(account, `${id}/${entry.id}`)).status, 404);

  const { body } = await getPublic(account, `${id}?locale=de`);
  assert.deepEqual([body.entries[0].url, body.entries[0].alternates], ['/de/schuhe', { de: '/de/schuhe' }]);
  const resolved = await getPublic(account, 'resolve?path=/de/schuhe');
  assert.deepEqual([resolved.body.entry?.id, resolved.body.locale], [entry.id, 'de']);
  assert.equal((await getPublic(account, 'resolve?path=/en/schuhe')).body.entry, undefined);
  const { changes } = (await getPublic(account, 'changes')).body;
  const own = changes.filter(({ entryId }: { entryId: string }) => entryId === entry.id);
  assert.deepEqual(
    own.map(({ type, locale, slug }: Record<string, string>) => [type, locale, slug]),
    [['publish', 'de', 'schuhe']],
  );

  // Values that are not localized are published with it while English is not, and checked.
  await ok(`PATCH ${of}`, account, { values: { price: null } });
  assert.deepEqual(faultsOf(await call(`POST ${of}/publish`, { as: account, body: { locales: ['de'] } })), [
    '/values/price required',
  ]);
  await ok(`PATCH ${of}`, account, { values: { price: 6 } });
  // What has no English title is published in German alone.
  assert.deepEqual((await ok(`POST ${of}/publish`, account, {})).publishedLocales, { de: 3 });
  assert.equal((await seen('de')).page[0]?.price, 6);

  await ok(`PATCH ${of}`, account, { values: { title: 'Shoes', price: 7 } });
  await ok(`POST ${of}/publish`, account, { locales: ['en'] });
  assert.deepEqual((await seen('en')).page, [{ title: 'Shoes', slug: 'shoes', price: 7 }]);
  assert.equal((await seen('fr')).own, 'Shoes');
  await ok(`PATCH ${of}`, account, { values: { price: 8 } });
  await ok(`POST ${of}/publish`, account, { locales: ['de'] });
  assert.equal((await seen('de')).page[0]?.price, 7, 'now they belong to the default locale');

  const left = await ok(`POST ${of}/unpublish`, account, { locales: ['en'] });
  assert.deepEqual(left.publishedLocales, { de: 5 });
  assert.deepEqual(await seen('en'), nothing);
  assert.equal((await seen('de')).page[0]?.price, 7);
  assert.deepEqual((await ok(`POST ${of}/discard-draft`, account, {})).values.price, 7);
  await ok(`POST ${of}/unpublish`, account, {});
  assert.deepEqual(await seen('de'), nothing);
});

/** Entries with values in any set of locales, and published in some of those. */
async function various() {
  const { account, articles, lists } = await site(false);
  const made: { id: string; values: Values; published: string[] }[] = [];
  const sets = [['en'], ['de'], ['en', 'de'], ['en', 'de', 'fr'], ['fr'], ['de', 'de-AT']];
  for (const [i, present] of sets.entries()) {
    for (const published of new Set([present, present.slice(0, 1)])) {
      const values: Values = { price: made.length };
      for (const locale of present) {
        const suffix = locale === 'en' ? '' : `@${locale}`;
        values[`title${suffix}`] = `Title ${i} ${made.length} ${locale}`;
        values[`code${suffix}`] = `c${made.length}`;
      }
      const { id } = await createEntry(account, articles, values);
      await ok(`POST ${articles}/entries/${id}/publish`, account, { locales: published });
      made.push({ id, values, published });
    }
  }
  return { account, articles, lists, made };
}

type Made = Awaited<ReturnType<typeof various>>['made'];

/** The titles that readers see, by ID. @param chain the locale and its fallbacks */
function expectedTitles(made: Made, chain: readonly string[], isPublic: boolean): Map<string, unknown> {
  const seen = made.filter(({ published }) => !isPublic || chain.some((locale) => published.includes(locale)));
  return new Map(
    seen.map(({ id, values, published }) => {
      const found = chain
        .filter((locale) => !isPublic || published.includes(locale))
        .map((locale) => values[locale === 'en' ? 'title' : `title@${locale}`]);
      return [id, found.find((title) => title !== undefined)];
    }),
  );
}

async function checkReads({ account, articles, made }: Awaited<ReturnType<typeof various>>, main: string) {
  const id = idOf(articles);
  const fallbacks: Record<string, string> = { en: main, de: main, fr: 'en', 'de-AT': 'de' };
  for (const locale of [undefined, 'en', 'de', 'fr', 'de-AT']) {
    const chain: string[] = [];
    for (let at: string | undefined = locale ?? main; at && !chain.includes(at); at = fallbacks[at]) chain.push(at);
    const expected = expectedTitles(made, chain, true);
    const query = locale === undefined ? '' : `locale=${locale}`;
    const at = `${main} ${locale}`;
    const titlesOf = (entries: { id: string; values: Values }[]) =>
      new Map(entries.map((entry) => [entry.id, entry.values.title]));
    const page = (await getPublic(account, `${id}?sort=price:asc&${query}`)).body;
    assert.deepEqual(titlesOf(page.entries), expected, at);
    const sorted = (await getPublic(account, `${id}?sort=title:asc&${query}`)).body.entries;
    const own = (locale ?? main) === 'en' ? 'title' : `title@${locale ?? main}`;
    const inLocale = made.filter(({ published }) => published.includes(locale ?? main));
    const inOrder = inLocale.map(({ values }) => String(values[own])).sort();
    assert.deepEqual(
      sorted.slice(0, inOrder.length).map(({ values }: { values: Values }) => values.title),
      inOrder,
      `${at}: sorted`,
    );
    assert.deepEqual(new Map(await graphql(account, id, locale)), expected, at);
    for (const [each, title] of expected) {
      const [found] = page.entries.filter((entry: { id: string }) => entry.id === each);
      const single = (await getPublic(account, `${id}/${each}?${query}`)).body;
      assert.deepEqual(single, found, at);
      const bySlug = await getPublic(account, `${id}/${found.values.slug}?${query}`);
      assert.equal(bySlug.body.id, each, at);
      const filter = `filter[title][eq]=${encodeURIComponent(String(title))}`;
      assert.deepEqual(
        [...titlesOf((await getPublic(account, `${id}?${filter}&${query}`)).body.entries).keys()],
        [each],
        `${at}: ${title}`,
      );
    }
    const hidden = made.filter((each) => !expected.has(each.id));
    for (const each of hidden) assert.equal((await getPublic(account, `${id}/${each.id}?${query}`)).status, 404, at);
    const found = (await getPublic(account, `${id}?q=title&count=exact&${query}`)).body;
    assert.equal(found.total, expected.size, at);
    if (locale === undefined) continue;
    const drafts = await ok(`GET ${articles}/entries?sort=price:asc&${query}`, account);
    assert.deepEqual(titlesOf(drafts.entries), expectedTitles(made, chain, false), at);
  }
  const stored = await ok(`GET ${articles}/entries?sort=price:asc`, account);
  for (const [i, { values, publishedLocales }] of stored.entries.entries()) {
    const { slug: _, ...sent } = values;
    const titles = Object.fromEntries(Object.entries(sent).filter(([name]) => !name.startsWith('slug@')));
    assert.deepEqual(titles, made[i]?.values, 'values keep their names');
    assert.deepEqual(Object.keys(publishedLocales).sort(), made[i]?.published.toSorted());
  }
}

test('another default locale decides what is read without a locale, and back again', async () => {
  const all = await various();
  const { account, articles } = all;
  const before = await ok(`GET ${articles}`, account);
  const etags = await getPublic(account, idOf(articles));
  await checkReads(all, 'en');
  await ok('PUT /v1/cms/locales', account, localesWith('de'));
  assert.deepEqual(await ok(`GET ${articles}`, account), { ...before, baseLocale: 'en' });
  await checkReads(all, 'de');
  await ok('PUT /v1/cms/locales', account, localesWith('en'));
  assert.deepEqual(await ok(`GET ${articles}`, account), before);
  await checkReads(all, 'en');
  assert.deepEqual((await getPublic(account, idOf(articles))).body, etags.body);
});

test('with another default locale, rules of writing and publishing are those of that locale', async () => {
  const { account, articles } = await site(true);
  const plain = await newCollection(account, [
    { id: 'title', label: 'Title', type: 'text', required: true, localized: true },
  ]);
  const entry = await createEntry(account, articles, { title: 'Shoes', 'title@de': 'Schuhe', price: 1 });
  await ok(`POST ${articles}/entries/${entry.id}/publish`, account, { locales: ['en'] });
  await ok('PUT /v1/cms/locales', account, localesWith('de'));

  const create = (path: string, values: Values) => call(`POST ${path}/entries`, { as: account, body: { values } });
  assert.deepEqual(faultsOf(await create(plain, { title: 'x' })), ['/values/title@de required']);
  assert.equal((await create(plain, { 'title@de': 'x' })).status, 200);

  // A later field has the names of the others; what a later collection stores without a locale is German.
  await ok(`PATCH ${articles}`, account, { fields: [{ id: 'note', label: 'Note', type: 'text', localized: true }] });
  const later = await newCollection(
    account,
    [{ id: 'title', label: 'Title', type: 'text', required: true, localized: true }],
    PUBLIC,
  );
  assert.equal((await ok(`GET ${later}`, account)).baseLocale, undefined);
  const german = await createEntry(account, later, { title: 'Neu', 'title@en': 'New' });
  await ok(`POST ${later}/entries/${german.id}/publish`, account, {});
  assert.equal((await getPublic(account, `${idOf(later)}/${german.id}`)).body.values.title, 'Neu');
  assert.equal((await getPublic(account, `${idOf(later)}/${german.id}?locale=fr`)).body.values.title, 'New');

  const of = `${articles}/entries/${entry.id}`;
  assert.equal((await getPublic(account, `${idOf(articles)}/${entry.id}`)).status, 404, 'German is not published');
  await ok(`PATCH ${of}`, account, { values: { 'note@de': 'Notiz', price: 2 } });
  const published = await ok(`POST ${of}/publish`, account, { locales: ['de'] });
  assert.deepEqual([published.publishedVersion, published.publishedLocales], [2, { en: 1, de: 2 }]);
  const read = async (locale: string) =>
    (await getPublic(account, `${idOf(articles)}/${entry.id}${locale}`)).body.values as Values;
  assert.deepEqual(await read(''), { title: 'Schuhe', slug: 'schuhe', price: 2, note: 'Notiz' });
  assert.deepEqual(await read('?locale=en'), { title: 'Shoes', slug: 'shoes', price: 2, note: 'Notiz' });

  const put = (body: unknown) => call('PUT /v1/cms/locales', { as: account, body });
  assert.deepEqual(faultsOf(await put({ default: 'de', locales: [{ locale: 'de' }] })), [
    '/locales base_locale_in_use',
  ]);
  assert.deepEqual(faultsOf(await put({ default: null, locales: [] })), ['/locales base_locale_in_use']);
});
