import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workOf } from '../../../test/event-loop.ts';
import { PATIENCE_MS } from '../../../test/machine.ts';
import { CollectionCache } from '../collections/collection-cache.ts';
import { contentService, seedEntries } from '../test-support.ts';
import { refuseExpensive } from './aggregate-cost.ts';
import { lateQuery } from './too-expensive.ts';

const service = await contentService();
const { ok, newCollection } = service;
const account = await service.newAccount();

const text = (id: string, more: object = {}) => ({ id, label: id, type: 'text', ...more });
const number = (id: string) => ({ id, label: id, type: 'number' });
const idOf = (path: string) => path.split('/').at(-1) ?? '';

const countries = await newCollection(account, [text('name'), number('people')]);
const authors = await newCollection(account, [
  text('name'),
  number('age'),
  text('country', { format: 'reference', collectionIds: [idOf(countries)] }),
]);
const posts = await newCollection(account, [
  text('title'),
  number('price'),
  text('tags', { repeated: true }),
  { id: 'place', label: 'Place', type: 'text', format: 'point' },
  { id: 'seo', label: 'SEO', type: 'group', fields: [text('title'), number('weight')] },
  { id: 'lines', label: 'Lines', type: 'group', repeated: true, fields: [text('sku'), number('qty')] },
  {
    id: 'blocks',
    label: 'Blocks',
    type: 'group',
    repeated: true,
    format: 'blocks',
    blocks: [
      { id: 'hero', label: 'Hero', fields: [text('title'), number('size')] },
      { id: 'quote', label: 'Quote', fields: [text('text')] },
    ],
    fields: [],
  },
  text('author', { format: 'reference', collectionIds: [idOf(authors)] }),
  text('related', { format: 'reference', collectionIds: [idOf(authors)], repeated: true }),
]);
const create = async (path: string, values: object): Promise<string> =>
  (await ok(`POST ${path}/entries`, account, { values })).id;

const de = await create(countries, { name: 'Deutschland', people: 83 });
const fr = await create(countries, { name: 'France', people: 68 });
const ada = await create(authors, { name: 'Ada', age: 36, country: de });
const bob = await create(authors, { name: 'Bob', age: 50, country: fr });
const cy = await create(authors, { name: 'Cy', age: 20 });

const VALUES: Record<string, object> = {
  a: {
    title: 'Straße',
    price: 10,
    tags: ['red', 'Rosé'],
    place: { lat: 52.52, lng: 13.405 },
    seo: { title: 'Alpha', weight: 3 },
    lines: [
      { sku: 'x1', qty: 1 },
      { sku: 'y1', qty: 9 },
    ],
    blocks: [
      { _block: 'hero', title: 'Big', size: 2 },
      { _block: 'quote', text: 'To be' },
    ],
    author: ada,
    related: [bob, cy],
  },
  b: {
    title: 'strasse',
    price: 10,
    tags: ['blue'],
    place: { lat: 48.137, lng: 11.575 },
    seo: { title: 'beta' },
    lines: [{ sku: 'x1', qty: 9 }],
    blocks: [{ _block: 'hero', title: 'Small', size: 1 }],
    author: bob,
    related: [bob],
  },
  c: { title: 'Café', price: 30, tags: ['red', 'blue'], lines: [], author: cy },
  d: { title: 'cafe noir', price: 5, blocks: [{ _block: 'quote', text: 'Big' }] },
  e: {},
};
const ids = new Map<string, string>();
for (const [name, values] of Object.entries(VALUES)) ids.set(await create(posts, values), name);
const names = (body: { entries: { id: string }[] }) => body.entries.map(({ id }) => ids.get(id)).join('');

const find = async (where: unknown, more = '') =>
  names(await ok(`GET ${posts}/entries?where=${encodeURIComponent(JSON.stringify(where))}${more}`, account));

test('conditions are combined, and negations are exact complements', async () => {
  const cases: [where: unknown, expected: string][] = [
    [{}, 'abcde'],
    [{ and: [] }, 'abcde'],
    [{ or: [] }, ''],
    [{ price: { eq: 10 } }, 'ab'],
    [{ price: { ne: 10 } }, 'cde'],
    [{ price: { nin: [10, 5] } }, 'ce'],
    [{ price: { between: [5, 10] } }, 'abd'],
    [{ price: { gt: 5, lt: 30 } }, 'ab'],
    [{ or: [{ price: { eq: 5 } }, { title: { ieq: 'CAFE' } }] }, 'cd'],
    [{ not: { or: [{ price: { eq: 5 } }, { title: { ieq: 'CAFE' } }] } }, 'abe'],
    [{ title: { ieq: 'STRASSE' } }, 'ab'],
    [{ title: { eq: 'strasse' } }, 'b'],
    [{ title: { startsWith: 'CAF' } }, 'cd'],
    [{ title: { endsWith: 'NOIR' } }, 'd'],
    [{ title: { contains: 'raß' } }, 'ab'],
    [{ not: { title: { contains: 'ra' } } }, 'cde'],
    [{ tags: { eq: 'red' } }, 'ac'],
    [{ tags: { ne: 'red' } }, 'bde'],
    [{ tags: { all: ['red', 'blue'] } }, 'c'],
    [{ tags: { none: { eq: 'red' } } }, 'bde'],
    [{ tags: { some: { startsWith: 'ro', endsWith: 'se' } } }, 'a'],
    [{ tags: { some: { startsWith: 'ro', endsWith: 'ed' } } }, ''],
    [{ tags: { every: { eq: 'blue' } } }, 'bde'],
    [{ tags: { exists: false } }, 'de'],
    [{ place: { near: '52.5,13.4,10000' } }, 'a'],
    [{ not: { place: { near: '52.5,13.4,10000' } } }, 'bcde'],
    [{ id: { in: [[...ids.keys()][0], [...ids.keys()][3]] } }, 'ad'],
    [{ version: { gte: 1 } }, 'abcde'],
    [{ createdAt: { lt: '2000-01-01T00:00:00Z' } }, ''],
  ];
  for (const [where, expected] of cases) assert.equal(await find(where), expected, JSON.stringify(where));
});

test('paths lead through groups, rows, blocks and references', async () => {
  const cases: [where: unknown, expected: string][] = [
    [{ 'seo.title': { ieq: 'ALPHA' } }, 'a'],
    [{ 'seo.title': { startsWith: 'b' } }, 'b'],
    [{ 'seo.weight': { exists: true } }, 'a'],
    [{ 'seo.weight': { ne: 3 } }, 'bcde'],
    [{ 'lines.sku': { eq: 'x1' } }, 'ab'],
    [{ 'lines.sku': { ne: 'x1' } }, 'cde'],
    [{ 'lines.sku': { eq: 'x1' }, 'lines.qty': { eq: 9 } }, 'ab'],
    [{ lines: { some: { sku: { eq: 'x1' }, qty: { eq: 9 } } } }, 'b'],
    [{ lines: { some: { sku: { endsWith: '1' }, qty: { lt: 5 } } } }, 'a'],
    [{ lines: { every: { qty: { gt: 5 } } } }, 'bcde'],
    [{ lines: { none: { qty: { eq: 1 } } } }, 'bcde'],
    [{ lines: { exists: true } }, 'ab'],
    [{ 'blocks.hero.title': { eq: 'Big' } }, 'a'],
    [{ 'blocks.quote.text': { contains: 'big' } }, 'd'],
    [{ 'blocks.hero': { some: { title: { ieq: 'small' }, size: { eq: 1 } } } }, 'b'],
    [{ 'blocks.hero': { exists: true } }, 'ab'],
    [{ blocks: { exists: false } }, 'ce'],
    [{ author: { eq: ada } }, 'a'],
    [{ 'author.name': { eq: 'Ada' } }, 'a'],
    [{ 'author.name': { ne: 'Ada' } }, 'bcde'],
    [{ 'author.age': { gte: 21, lte: 60 } }, 'ab'],
    [{ 'author.country.name': { contains: 'land' } }, 'a'],
    [{ author: { some: { name: { eq: 'Bob' } } } }, 'b'],
    [{ 'related.name': { eq: 'Cy' } }, 'a'],
    [{ related: { every: { name: { eq: 'Bob' } } } }, 'bcde'],
    [{ related: { none: { age: { lt: 30 } } } }, 'bcde'],
    [{ or: [{ 'author.name': { eq: 'Cy' } }, { 'lines.qty': { gt: 5 } }] }, 'abc'],
  ];
  for (const [where, expected] of cases) assert.equal(await find(where), expected, JSON.stringify(where));
  const filtered = await ok(
    `GET ${posts}/entries?filter[author.country.name][eq]=France&filter[seo.title][exists]=true`,
    account,
  );
  assert.equal(names(filtered), 'b');
});

test('several sort keys, of paths and references, on every page', async () => {
  const cases: [sort: string, expected: string][] = [
    ['price:asc,title:desc', 'dbace'],
    ['price:desc,seo.title:desc', 'cbade'],
    ['author.name:asc', 'abcde'],
    ['author.age:desc', 'bacde'.replace('de', 'ed')],
    ['seo.title:asc', 'abcde'],
    ['title:asc', 'cdabe'],
    ['title:desc', 'badce'],
    ['version:asc,createdAt:desc', 'edcba'],
    ['author.createdAt:desc', 'cbaed'],
    ['author.id:asc,price:desc', 'abcde'],
  ];
  for (const [sort, expected] of cases) {
    for (const pageSize of [1, 2, 100]) {
      let found = '';
      for (let pageToken: string | null = ''; pageToken !== null; ) {
        const page = await ok(`GET ${posts}/entries?sort=${sort}&pageSize=${pageSize}&pageToken=${pageToken}`, account);
        found += names(page);
        pageToken = page.nextPageToken;
      }
      assert.equal(found, expected, `${sort} ${pageSize}`);
    }
  }
});

test('a selection of values, and an exact count', async () => {
  const of = async (query: string) =>
    ok(`GET ${posts}/entries?where=${encodeURIComponent('{"price":{"eq":10}}')}&${query}`, account);
  const { entries, total } = await of('select=title,seo.title,blocks.hero.title&count=exact&pageSize=1');
  assert.equal(total, 2);
  const [{ values, id }] = entries;
  assert.ok(id);
  assert.deepEqual(
    { ...values, blocks: values.blocks.map((row: object) => ({ ...row, _id: 'row' })) },
    {
      title: 'Straße',
      seo: { title: 'Alpha' },
      blocks: [
        { _block: 'hero', _id: 'row', title: 'Big' },
        { _block: 'quote', _id: 'row' },
      ],
    },
  );
  const without = (await of('select=-blocks,-seo.weight')).entries[0].values;
  assert.equal(without.blocks, undefined);
  assert.deepEqual(without.seo, { title: 'Alpha' });
  const expanded = (await of('select=author.name&expand=author')).entries[0].values;
  assert.deepEqual(Object.keys(expanded), ['author']);
  assert.deepEqual(expanded.author.values, { name: 'Ada' });
  assert.equal((await ok(`GET ${posts}/entries?count=exact`, account)).total, 5);
});

test('every fault of a query is named at once, with the nearest name', async () => {
  const where = {
    or: [{ titel: { eq: 'x' } }, { price: { startsWith: 'x' } }, { price: { equals: 1 } }, { price: { near: 'x' } }],
    and: [{ 'author.nam': { eq: 'x' } }, { 'blocks.her.title': { eq: 'x' } }, { title: 5 }],
  };
  const answer = await service.call(
    `GET ${posts}/entries?where=${encodeURIComponent(JSON.stringify(where))}&sort=pirce:asc&select=titl`,
    { as: account },
  );
  assert.equal(answer.status, 400);
  const faults = answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
  assert.deepEqual(faults, [
    '?sort field_unknown',
    '?where/or/0/titel field_unknown',
    '?where/or/1/price/startsWith operator_not_allowed',
    '?where/or/2/price/equals operator_unknown',
    '?where/or/3/price/near operator_not_allowed',
    '?where/and/0/author.nam field_unknown',
    '?where/and/1/blocks.her.title field_unknown',
    '?where/and/2/title where_invalid',
    '?select field_unknown',
  ]);
  assert.match(answer.body.errors[1].detail, /"title"/);
  let deep: unknown = { price: { eq: 10 } };
  for (let i = 0; i < 6; i++) deep = { and: [deep] };
  assert.equal(await find(deep), 'ab');
  const code = async (each: unknown) =>
    (await service.call(`GET ${posts}/entries?where=${encodeURIComponent(JSON.stringify(each))}`, { as: account })).body
      .code;
  assert.equal(await code({ and: [deep] }), 'too_deep');
  assert.equal(await code({ or: Array.from({ length: 101 }, () => ({ price: { eq: 1 } })) }), 'too_many');
  assert.equal(await code({ price: { in: Array.from({ length: 101 }, (_, i) => i) } }), 'too_many');
  assert.equal(await code('x'), 'where_invalid');
  const unreadable = await service.call(`GET ${posts}/entries?where=%7B`, { as: account });
  assert.deepEqual([unreadable.body.code, unreadable.body.errors[0].pointer], ['where_invalid', '?where']);
});

test('a query in the body: references by queries of their own, and joins', async () => {
  const query = async (body: object) => ok(`POST ${posts}/entries/query`, account, body);
  const where = { price: { in: [10, 30] } };
  assert.equal(names(await query({ where, sort: 'price:desc,title:asc', pageSize: 2 })), 'ca');
  const { entries } = await query({
    where: { title: { eq: 'Straße' } },
    expand: {
      related: {
        where: { age: { gt: 10 } },
        sort: 'age:asc',
        limit: 1,
        select: 'name,country',
        expand: { country: {} },
      },
      author: { where: { name: { eq: 'nobody' } } },
    },
  });
  const [{ values }] = entries;
  assert.equal(values.author, undefined);
  assert.deepEqual(
    values.related.map((each: { values: object }) => each.values),
    [{ name: 'Cy' }],
  );
  const bobs = await query({
    where: { title: { eq: 'strasse' } },
    expand: { related: { expand: { country: { select: 'name' } } } },
  });
  assert.deepEqual(bobs.entries[0].values.related[0].values.country.values, { name: 'France' });

  const join = { posts: { collection: idOf(posts), field: 'author', sort: 'price:desc', limit: 1, select: 'title' } };
  const people = await ok(`POST ${authors}/entries/query`, account, { join, sort: 'name:asc' });
  assert.deepEqual(
    people.entries.map((each: { joined: { posts: { entries: { values: object }[]; total: number } } }) => [
      each.joined.posts.total,
      each.joined.posts.entries.map(({ values: own }) => own),
    ]),
    [
      [1, [{ title: 'Straße' }]],
      [1, [{ title: 'strasse' }]],
      [1, [{ title: 'Café' }]],
    ],
  );
  const faulty = { expand: { title: {} }, join: { x: { collection: 'nothing', field: 'y' } } };
  const answer = await service.call(`POST ${posts}/entries/query`, { as: account, body: faulty });
  assert.deepEqual([answer.status, answer.body.code], [400, 'expand_invalid']);
});

test('a join reads each entry once, however many of the page it references', async () => {
  const many = await newCollection(account, [
    number('n'),
    text('authors', { format: 'reference', collectionIds: [idOf(authors)], repeated: true }),
  ]);
  const { entries } = await ok(`GET ${authors}/entries`, account);
  const ids = entries.map(({ id }: { id: string }) => id);
  const count = Math.ceil(20_001 / ids.length);
  const values = Array.from({ length: count }, (_, n) => ({ n, authors: ids }));
  await seedEntries(service.db, account.uuid, await service.readCollection(account, many), values);
  const join = { many: { collection: idOf(many), field: 'authors', sort: 'n:desc', limit: 2, select: 'n' } };
  const page = await ok(`POST ${authors}/entries/query`, account, { join });
  for (const { joined } of page.entries) {
    const found = joined.many.entries.map((each: { values: { n: number } }) => each.values.n);
    assert.deepEqual([joined.many.total, found], [count, [count - 1, count - 2]]);
  }
});

test('entries are grouped and measured exactly', async () => {
  const aggregate = async (body: object) => ok(`POST ${posts}/entries/aggregate`, account, body);
  const all = await aggregate({
    measures: { n: { count: true }, sum: { sum: 'price' }, avg: { avg: 'price' }, least: { min: 'price' } },
  });
  assert.deepEqual(all, { groups: [{ key: {}, n: 5, sum: 55, avg: 13.75, least: 5 }], nextPageToken: null });
  const byPrice = await aggregate({ groupBy: ['price'], measures: { n: { count: true } }, sort: 'n:desc,price:asc' });
  assert.deepEqual(
    byPrice.groups.map(({ key, n }: { key: object; n: number }) => [key, n]),
    [
      [{ price: 10 }, 2],
      [{ price: 5 }, 1],
      [{ price: 30 }, 1],
      [{ price: null }, 1],
    ],
  );
  const byTag = await aggregate({
    groupBy: ['tags'],
    measures: { n: { count: true }, authors: { countDistinct: 'author' } },
  });
  assert.deepEqual(
    Object.fromEntries(
      byTag.groups.map(({ key, n, authors }: { key: { tags: string }; n: number; authors: number }) => [
        key.tags,
        [n, authors],
      ]),
    ),
    { blue: [2, 2], red: [2, 2], Rosé: [1, 1], null: [2, 0] },
  );
  const byCountry = await aggregate({
    groupBy: ['author.name'],
    measures: { sum: { sum: 'price' } },
    having: { sum: { gte: 10 } },
  });
  assert.deepEqual(byCountry.groups, [
    { key: { 'author.name': 'Ada' }, sum: 10 },
    { key: { 'author.name': 'Bob' }, sum: 10 },
    { key: { 'author.name': 'Cy' }, sum: 30 },
  ]);
  const inRows = await aggregate({ measures: { total: { sum: 'lines.qty' }, skus: { countDistinct: 'lines.sku' } } });
  assert.deepEqual(inRows.groups, [{ key: {}, total: 19, skus: 2 }]);
  const today = new Date(service.clock.now).toISOString();
  const byDay = await aggregate({ groupBy: [{ path: 'createdAt', by: 'year' }], measures: { n: { count: true } } });
  assert.deepEqual(byDay.groups, [{ key: { createdAt: `${today.slice(0, 4)}-01-01` }, n: 5 }]);
  const first = await aggregate({ groupBy: ['price'], measures: { n: { count: true } }, limit: 3 });
  const second = await aggregate({
    groupBy: ['price'],
    measures: { n: { count: true } },
    limit: 3,
    pageToken: first.nextPageToken,
  });
  assert.deepEqual([first.groups.length, second.groups.length, second.nextPageToken], [3, 1, null]);
  const faulty = {
    groupBy: ['nothing', { path: 'title', by: 'day' }, { path: 'createdAt', by: 'day', timeZone: 'Mars' }],
    measures: { a: { sum: 'title' }, b: { avg: 'unknown' }, n: { count: false }, key: { count: true } },
    having: { c: { gt: 1 } },
    sort: 'd:asc',
  };
  const answer = await service.call(`POST ${posts}/entries/aggregate`, { as: account, body: faulty });
  assert.deepEqual(
    answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
    [
      '/groupBy/0 field_unknown',
      '/groupBy/1/by operator_not_allowed',
      '/groupBy/2/timeZone time_zone_unknown',
      '/measures/a/sum operator_not_allowed',
      '/measures/b/avg field_unknown',
      '/measures/n/count not_allowed',
      '/measures/key not_allowed',
      '/sort field_unknown',
      '/having/c field_unknown',
    ],
  );
});

test('groups are formed by keys as by values, and numbers are summed exactly', async () => {
  const path = await newCollection(account, [
    text('name'),
    number('n'),
    { id: 'kind', label: 'Kind', type: 'select', options: ['a', 'B'].map((value) => ({ value, label: value })) },
    { id: 'on', label: 'On', type: 'boolean' },
    { id: 'day', label: 'Day', type: 'date' },
  ]);
  const numbers = [
    0.1, 0.2, -0.3, 1e21, -1e-7, 5e-324, -2.5e-310, 1.7976931348623157e308, 9_007_199_254_740_991, -1, 0, 3,
  ];
  const long = 'x'.repeat(300);
  const values = numbers.map((n, i) => ({
    n,
    ...(i % 4 > 0 && { name: ['Straße', 'strasse', `${long}${i % 2}`][i % 3] }),
    ...(i % 5 > 0 && { kind: i % 2 ? 'a' : 'B', on: i % 2 === 0, day: `2026-0${1 + (i % 3)}-11` }),
  }));
  await seedEntries(service.db, account.uuid, await service.readCollection(account, path), values);
  const aggregate = async (body: object) => (await ok(`POST ${path}/entries/aggregate`, account, body)).groups;
  for (const n of numbers) {
    const measures = { sum: { sum: 'n' }, min: { min: 'n' }, max: { max: 'n' } };
    const [{ key: _, ...each }] = await aggregate({ where: { n: { eq: n } }, measures });
    assert.deepEqual(Object.values(each).map(Number), [n, n, n], String(n));
  }
  const few = { n: { in: [0.1, 0.2, -0.3] } };
  assert.deepEqual(await aggregate({ where: few, measures: { sum: { sum: 'n' } } }), [{ sum: 0, key: {} }]);
  for (const id of ['name', 'kind', 'on', 'day', 'n'] as const) {
    const of = (all: Record<string, unknown>) => all[id] ?? null;
    const wanted = Map.groupBy(values, of);
    const measures = { n: { count: true }, kinds: { countDistinct: 'kind' } };
    for (const more of [{}, { measures }, { where: { n: { gte: -1e300 } } }]) {
      const found = await aggregate({ groupBy: [id], measures: { n: { count: true } }, ...more });
      const counts = found.map((each: { key: Record<string, unknown>; n: number }) => [each.key[id], each.n]);
      assert.deepEqual(new Map(counts), new Map([...wanted].map(([key, all]) => [key, all.length])), id);
    }
  }
  const { strategies } = (
    await ok(`POST ${path}/entries/aggregate`, account, {
      groupBy: ['kind'],
      measures: { n: { count: true } },
      explain: true,
    })
  ).explain;
  assert.equal(strategies.at(-1), 'aggregate: the rows of an index');
  const counted = { where: { n: { gt: 0 } }, count: 'exact' };
  assert.equal((await ok(`POST ${path}/entries/query`, account, counted)).total, numbers.filter((n) => n > 0).length);
});

test('an aggregation that would take too long is refused before it runs', async () => {
  const { id: collectionId, version } = await service.readCollection(account, posts);
  const scope = { accountId: account.uuid, collectionId, version };
  await service.db.query('analyze entries');
  await refuseExpensive(service.db, scope, 0);
  await assert.rejects(refuseExpensive(service.db, scope, 1, 0.03), { code: 'query_too_expensive' });
});

test('a query that takes long is too expensive only where it reaches many entries, also by references and joins', async () => {
  const [account, other] = [await service.newAccount(), await service.newAccount()];
  const [products, pages] = [
    await newCollection(account, [text('title')]),
    await newCollection(account, [text('title')]),
  ];
  const reference = text('product', { format: 'reference', collectionIds: [idOf(products)] });
  const offers = await newCollection(account, [reference]);
  for (const path of [products, products, products, pages]) {
    await ok(`POST ${path}/entries`, account, { values: { title: 'x' } });
  }
  const late = lateQuery(service.db, new CollectionCache(), 3, PATIENCE_MS);
  const codeOf = async ({ uuid }: { uuid: string }, params: object, body: unknown = undefined) =>
    (await late({ caller: { accountId: uuid }, params, body }))?.code;
  const expensive = 'query_too_expensive';
  assert.equal(await codeOf(account, { collectionId: idOf(products) }), expensive);
  assert.equal(await codeOf(account, { collectionId: idOf(pages) }, { join: undefined }), undefined);
  assert.equal(await codeOf(account, { collectionId: idOf(pages) }, { join: { offers: {} } }), expensive);
  assert.equal(await codeOf(account, { collectionId: idOf(offers) }), expensive);
  assert.deepEqual([await codeOf(account, {}), await codeOf(other, {})], [expensive, undefined], 'as GraphQL');
});

test('a search is sorted by relevance: whole texts, then words, then the starts and parts of words', async () => {
  const path = await newCollection(account, [text('title'), text('body')], { displayFieldId: 'title' });
  const made = new Map<string, string>();
  const texts = { d: 'Decaf', c: 'Caffeine', b: 'A café noir', a: 'Café' };
  for (const [name, title] of Object.entries(texts)) made.set(await create(path, { title }), name);
  made.set(await create(path, { title: 'Tea', body: 'A café' }), 'e');
  const order = (body: { entries: { id: string }[] }) => body.entries.map(({ id }) => made.get(id)).join('');
  assert.equal(order(await ok(`GET ${path}/entries?q=CAF%C3%89&sort=relevance`, account)), 'abe');
  let found = '';
  for (let pageToken: string | null = ''; pageToken !== null; ) {
    const page = await ok(`GET ${path}/entries?q=caf&sort=relevance&pageSize=2&pageToken=${pageToken}`, account);
    found += order(page);
    pageToken = page.nextPageToken;
  }
  assert.equal(found, 'abcde');
  const without = await service.call(`GET ${path}/entries?sort=relevance`, { as: account });
  assert.deepEqual([without.body.code, without.body.errors[0].pointer], ['sort_invalid', '?sort']);
});

test('a body names its members in faults, and pages of both kinds of requests continue each other', async () => {
  const body = {
    where: { nothing: { eq: 1 } },
    sort: 'pirce:asc',
    select: 'titl',
    expand: { title: {}, authr: {}, author: { where: { nam: { eq: 1 } } } },
    join: { x: { collection: 'nothing', field: 'y' }, y: { collection: idOf(posts), field: 'authr' } },
  };
  const { body: answer } = await service.call(`POST ${posts}/entries/query`, { as: account, body });
  assert.deepEqual(
    answer.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
    [
      '/sort field_unknown',
      '/where/nothing field_unknown',
      '/select field_unknown',
      '/expand/title expand_invalid',
      '/expand/authr expand_invalid',
      '/expand/author/where/nam field_unknown',
      '/join/x/collection collection_unknown',
      '/join/y/field field_unknown',
    ],
  );
  for (const at of ['/expand/authr', '/join/y/field']) {
    assert.match(answer.errors.find(({ pointer }: { pointer: string }) => pointer === at).detail, /"author"/);
  }
  const where = { price: { exists: true } };
  const encoded = encodeURIComponent(JSON.stringify(where));
  const first = await ok(`GET ${posts}/entries?where=${encoded}&sort=price:asc&pageSize=2`, account);
  const { nextPageToken: pageToken } = first;
  const next = await ok(`POST ${posts}/entries/query`, account, { where, sort: 'price:asc', pageSize: 2, pageToken });
  assert.equal(names(first) + names(next), 'dabc');
  // As the last page has it.
  assert.equal(
    names(await ok(`POST ${posts}/entries/query`, account, { where, sort: 'price:asc', pageToken: null })),
    'dabc',
  );
});

test('a query is explained: how entries were found, and by which indexes', async () => {
  const { explain } = await ok(`POST ${posts}/entries/query`, account, {
    where: { or: [{ price: { eq: 10 } }, { 'author.name': { eq: 'Ada' } }] },
    explain: true,
  });
  assert.match(explain.strategies.at(-1), /few/);
  assert.ok(explain.statements.every(({ plan }: { plan: string[] }) => plan.length > 0));
  assert.ok(explain.statements.some(({ indexes }: { indexes: string[] }) => indexes.includes('entry_index_pkey')));
  const listed = await ok(`GET ${posts}/entries?explain=true&pageSize=1`, account);
  assert.deepEqual(listed.explain.strategies, ['page: in the order of time']);
  assert.equal(listed.entries.length, 1);
  const grouped = await ok(`POST ${posts}/entries/aggregate`, account, {
    measures: { n: { count: true } },
    explain: true,
  });
  assert.equal(grouped.groups[0].n, 5);
  assert.equal(grouped.explain.statements.length, 2, 'what it costs is known before');
});

test('periods of dates, paths through several references, and conditions on measures', async () => {
  const days = await newCollection(account, [{ id: 'day', label: 'Day', type: 'date' }]);
  for (const day of ['2026-01-31', '2026-02-01', '2026-02-02']) await create(days, { day });
  const byWeek = {
    groupBy: [{ path: 'day', by: 'week' }],
    measures: { n: { count: true }, last: { max: 'createdAt' } },
  };
  const weeks = await ok(`POST ${days}/entries/aggregate`, account, byWeek);
  assert.deepEqual(
    weeks.groups.map(({ key, n }: { key: object; n: number }) => [key, n]),
    [
      [{ day: '2026-01-26' }, 2],
      [{ day: '2026-02-02' }, 1],
    ],
  );
  assert.match(weeks.groups[0].last, /^\d{4}-.*\.\d{3}Z$/);

  const groups = async (body: object) => (await ok(`POST ${posts}/entries/aggregate`, account, body)).groups;
  const n = { n: { count: true } };
  assert.deepEqual(await groups({ groupBy: ['author.country.name'], measures: n }), [
    { key: { 'author.country.name': 'Deutschland' }, n: 1 },
    { key: { 'author.country.name': 'France' }, n: 1 },
    { key: { 'author.country.name': null }, n: 3 },
  ]);
  assert.deepEqual(await groups({ groupBy: ['related.name'], measures: n }), [
    { key: { 'related.name': 'Bob' }, n: 2 },
    { key: { 'related.name': 'Cy' }, n: 1 },
    { key: { 'related.name': null }, n: 3 },
  ]);
  const measures = {
    sum: { sum: 'related.age' },
    avg: { avg: 'related.age' },
    names: { countDistinct: 'related.name' },
    people: { max: 'author.country.people' },
  };
  assert.deepEqual(await groups({ measures }), [{ key: {}, sum: 120, avg: 40, names: 2, people: 83 }]);
  const having = async (condition: unknown) =>
    (await groups({ groupBy: ['price'], measures: { ...n, least: { min: 'title' } }, having: condition })).map(
      ({ key }: { key: { price: number | null } }) => key.price,
    );
  assert.deepEqual(
    await having({ or: [{ n: { gt: 1 } }, { least: { startsWith: 'x' } }] }).catch(() => 'refused'),
    'refused',
  );
  assert.deepEqual(await having({ or: [{ n: { gt: 1 } }, { least: { eq: 'Café' } }] }), [10, 30]);
  assert.deepEqual(await having({ not: { n: { between: [2, 3] } } }), [5, 30, null]);
  assert.deepEqual(await having({ least: { exists: false } }), [null]);
  assert.deepEqual(await having({ n: { nin: [1] } }), [10]);
});

test('conditions through references of many collections cost no more than their limit', async () => {
  const hostile = await service.newAccount();
  const paths: string[] = [];
  for (let i = 0; i < 30; i++) paths.push(await newCollection(hostile, [text('title')]));
  const to = { format: 'reference', collectionIds: paths.map(idOf) };
  for (const path of paths) await ok(`PATCH ${path}`, hostile, { fields: [text('title'), text('ref', to)] });
  const query = (where: object) => service.call(`POST ${paths[0]}/entries/query`, { as: hostile, body: { where } });
  assert.equal((await query({ 'ref.title': { eq: 'x' } })).status, 200);
  // No collection is left out, however many conditions lead to them.
  const last = (await ok(`POST ${paths.at(-1)}/entries`, hostile, { values: { title: 'x' } })).id;
  const found = (await ok(`POST ${paths[0]}/entries`, hostile, { values: { title: 'y', ref: last } })).id;
  const four = await query({ and: Array.from({ length: 4 }, () => ({ 'ref.title': { eq: 'x' } })) });
  assert.deepEqual(
    four.body.entries.map(({ id }: { id: string }) => id),
    [found],
  );
  const took = await workOf(async () => {
    for (const where of [
      { 'ref.ref.ref.title': { eq: 'x' } },
      { or: Array.from({ length: 90 }, () => ({ 'ref.title': { contains: 'x' } })) },
      { ref: { some: { ref: { every: { ref: { none: { title: { eq: 'x' } } } } } } } },
      { not: { 'ref.ref.title': { nin: ['x', 'y'] } }, 'ref.ref.ref.title': { exists: false } },
    ]) {
      const { status, body } = await query(where);
      assert.deepEqual([status, body.code], [400, 'query_too_expensive'], JSON.stringify(body));
    }
  });
  assert.ok(took < 2_000, `${took} units`);
});

test('in a locale, many equal texts of it are not mixed with those that stand in for others', async () => {
  const account = await service.newAccount();
  await ok('PUT /v1/cms/locales', account, { default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }] });
  const path = await newCollection(account, [
    text('title', { localized: true }),
    { id: 'n', label: 'N', type: 'number' },
  ]);
  // Every second one is shown by its English title, which is not one of the locale.
  const values = Array.from({ length: 1_400 }, (_, n) => ({ n, [n % 2 === 0 ? 'title@de' : 'title']: 'Zelt' }));
  await seedEntries(service.db, account.uuid, await service.readCollection(account, path), values);
  const where = { title: { between: ['a', 'zz'] } };
  for (const [direction, first] of [
    ['asc', 0],
    ['desc', 1_398],
  ] as const) {
    const body = { locale: 'de', where, sort: `title:desc,n:${direction}`, pageSize: 100, count: 'exact' };
    const { entries, total } = await ok(`POST ${path}/entries/query`, account, body);
    const step = direction === 'asc' ? 2 : -2;
    assert.equal(total, 1_400);
    assert.deepEqual(
      entries.map((entry: { values: { n: number } }) => entry.values.n),
      Array.from({ length: 100 }, (_, i) => first + i * step),
    );
  }
});
