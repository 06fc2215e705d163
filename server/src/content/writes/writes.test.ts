import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newUuid, publicId } from '../../shared/ids.ts';
import { contentService, faultsOf } from '../test-support.ts';

const service = await contentService();
const { call, ok, newAccount, newCollection, createEntry } = service;

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text', required: true },
  { id: 'views', label: 'Views', type: 'number' },
  { id: 'tags', label: 'Tags', type: 'text', repeated: true },
  { id: 'at', label: 'At', type: 'timestamp', repeated: true },
  {
    id: 'seo',
    label: 'SEO',
    type: 'group',
    fields: [
      { id: 'title', label: 'Title', type: 'text' },
      { id: 'description', label: 'Description', type: 'text' },
    ],
  },
  {
    id: 'parts',
    label: 'Parts',
    type: 'group',
    repeated: true,
    fields: [{ id: 'text', label: 'Text', type: 'text' }],
  },
];

const SKU = [
  { id: 'sku', label: 'SKU', type: 'text', unique: true },
  { id: 'price', label: 'Price', type: 'number' },
];

test('operations of a change build on the stored values, and one version has them all', async () => {
  const account = await newAccount();
  const path = await newCollection(account, FIELDS);
  const { id } = await createEntry(account, path, {
    title: 'A',
    views: 0.1,
    tags: ['a', 'b', 'a'],
    at: ['2026-11-01T10:00:00Z', '2026-11-02T10:00:00Z'],
    seo: { title: 'S', description: 'D' },
  });
  const changed = await ok(`PATCH ${path}/entries/${id}`, account, {
    values: { title: 'B' },
    increment: { views: 0.2 },
    append: { tags: ['c'] },
    remove: { at: ['2026-11-01T11:00:00+01:00'] },
    merge: { seo: { title: 'T' } },
  });
  assert.deepEqual(changed.values, {
    title: 'B',
    views: 0.3,
    tags: ['a', 'b', 'a', 'c'],
    at: ['2026-11-02T10:00:00.000Z'],
    seo: { title: 'T', description: 'D' },
  });
  assert.equal(changed.version, 2);
  const cleared = await ok(`PATCH ${path}/entries/${id}`, account, {
    remove: { tags: ['a', 'x'] },
    merge: { seo: { description: null } },
  });
  assert.deepEqual([cleared.values.tags, cleared.values.seo], [['b', 'c'], { title: 'T' }]);
  const both = await ok(`PATCH ${path}/entries/${id}`, account, {
    append: { tags: ['c', 'd'] },
    remove: { tags: ['b', 'c'] },
  });
  assert.deepEqual([both.values.tags, both.version], [['c', 'd'], 4], 'removed before it is appended');
});

test('concurrent increments and appends lose nothing', async () => {
  const account = await newAccount();
  const path = await newCollection(account, FIELDS);
  const { id } = await createEntry(account, path, { title: 'A' });
  const changes = Array.from({ length: 30 }, (_, i) =>
    ok(`PATCH ${path}/entries/${id}`, account, { increment: { views: 1 }, append: { tags: [String(i)] } }),
  );
  await Promise.all(changes);
  const { values, version } = await ok(`GET ${path}/entries/${id}`, account);
  assert.deepEqual([values.views, version], [30, 31]);
  assert.deepEqual(
    [...values.tags].sort((a, b) => a - b),
    Array.from({ length: 30 }, (_, i) => String(i)),
  );
});

test('every faulty operation of a change is named where it was sent, and nothing is changed', async () => {
  const account = await newAccount();
  const path = await newCollection(account, FIELDS);
  const { id } = await createEntry(account, path, { title: 'A', tags: ['a'] });
  const answer = await call(`PATCH ${path}/entries/${id}`, {
    as: account,
    body: {
      values: { views: 1 },
      increment: { title: 1, views: 1, none: 1 },
      append: { seo: [1], tags: ['ok', 5] },
      remove: { at: 'x' },
      merge: { parts: {}, seo: { unknown: 1 } },
      rows: [
        { field: 'title', insert: {} },
        { field: 'parts', id: 'row_none', values: {} },
        { field: 'parts' },
        { field: 'parts', id: 'row_none', values: {}, delete: true },
        { field: 'parts', id: 'row_none' },
        { field: 'parts', id: 'row_none', after: null },
      ],
    },
  });
  assert.deepEqual(
    faultsOf(answer),
    [
      '/append/seo operator_not_allowed',
      '/append/tags/1 type',
      '/increment/none unknown_property',
      '/increment/title operator_not_allowed',
      '/increment/views change_conflict',
      '/merge/parts operator_not_allowed',
      '/merge/seo/unknown unknown_property',
      '/remove/at type',
      '/rows/0/field operator_not_allowed',
      '/rows/1/id row_unknown',
      '/rows/2/id required',
      '/rows/3/delete change_conflict',
      '/rows/4/values required',
      '/rows/5/after not_allowed',
    ].sort(),
  );
  assert.equal((await ok(`GET ${path}/entries/${id}`, account)).version, 1);
});

test('the ETag of an entry is its version, and If-Match expects it', async () => {
  const account = await newAccount();
  const path = await newCollection(account, FIELDS);
  const created = await call(`POST ${path}/entries`, { as: account, body: { values: { title: '"version":9' } } });
  assert.equal(created.headers.etag, '"1"');
  const entry = `${path}/entries/${created.body.id}`;
  const patch = (title: string, tag: string, more = {}) =>
    call(`PATCH ${entry}`, { as: account, headers: { 'if-match': tag }, body: { values: { title }, ...more } });
  const changed = await patch('B', '"1"');
  assert.deepEqual([changed.status, changed.headers.etag], [200, '"2"']);
  for (const [tag, more] of [
    ['"1"', {}],
    ['x', {}],
    ['"2"', { version: 1 }],
  ] as const) {
    assert.deepEqual(faultsOf(await patch('C', tag, more)), ['/version version_conflict'], tag);
  }
  assert.equal((await patch('D', '*')).status, 200);
  assert.equal((await call(`GET ${entry}`, { as: account })).headers.etag, '"3"');
  const removal = await call(`DELETE ${entry}`, { as: account, headers: { 'if-match': '"1"' } });
  assert.equal(removal.body.code, 'version_conflict');
});

test('of racing upserts of one value, one creates the entry, and none is refused', async () => {
  const account = await newAccount();
  for (const more of [{}, { publishing: true }]) {
    const path = await newCollection(account, SKU, more);
    const upserts = Array.from({ length: 32 }, (_, i) =>
      ok(`PUT ${path}/entries/by/sku/4711%2Fa`, account, { values: { price: i } }),
    );
    const results = await Promise.all(upserts);
    assert.equal(results.filter(({ created }) => created).length, 1);
    const { entries } = await ok(`GET ${path}/entries`, account);
    assert.deepEqual([entries.length, entries[0].values.sku, entries[0].version], [1, '4711/a', 32]);
  }
});

test('an upsert that expects a version creates nothing, and updates no other one', async () => {
  const account = await newAccount();
  const path = await newCollection(account, SKU);
  const put = (tag: string, price: number) =>
    call(`PUT ${path}/entries/by/sku/a`, { as: account, headers: { 'if-match': tag }, body: { values: { price } } });
  assert.deepEqual(faultsOf(await put('"1"', 1)), ['/version version_conflict']);
  await ok(`PUT ${path}/entries/by/sku/a`, account, { values: { price: 2 } });
  const updated = await put('"1"', 3);
  assert.deepEqual([updated.body.created, updated.headers.etag], [false, '"2"']);
  assert.deepEqual(faultsOf(await put('"1"', 4)), ['/version version_conflict']);
  const { entries } = await ok(`GET ${path}/entries`, account);
  assert.deepEqual([entries.length, entries[0].values.price], [1, 3]);
});

test('an upsert needs a unique field, its value and no other one', async () => {
  const account = await newAccount();
  const path = await newCollection(account, SKU);
  const put = (by: string, values: unknown) => call(`PUT ${path}/entries/by/${by}`, { as: account, body: { values } });
  assert.equal((await put('none/1', {})).status, 404);
  assert.deepEqual(faultsOf(await put('price/1', {})), [' field_not_unique']);
  assert.deepEqual(faultsOf(await put('sku/1', { sku: '2' })), ['/values/sku key_conflict']);
  assert.deepEqual(faultsOf(await put('sku/1', { price: 'x', none: 1 })), [
    '/values/none unknown_property',
    '/values/price type',
  ]);
  const created = await ok(`PUT ${path}/entries/by/sku/1`, account, { values: { sku: '1' } });
  assert.deepEqual([created.created, created.version], [true, 1]);
});

test('a duplicate has the values of an entry, without those that are unique, and a slug of its own', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [
    ...SKU,
    { id: 'title', label: 'Title', type: 'text' },
    { id: 'slug', label: 'Slug', type: 'text', format: 'slug', slugSource: 'title', unique: true },
  ]);
  const { id } = await createEntry(account, path, { sku: '1', price: 5, title: 'Summer sale' });
  const copy = await ok(`POST ${path}/entries/${id}/duplicate`, account);
  assert.deepEqual(copy.values, { price: 5, title: 'Summer sale', slug: 'summer-sale-2' });
  const other = await ok(`POST ${path}/entries/${id}/duplicate`, account, { values: { title: 'Winter' } });
  assert.deepEqual(other.values, { price: 5, title: 'Winter', slug: 'winter' });
  await ok(`DELETE ${path}/entries/${id}`, account);
  assert.equal((await call(`POST ${path}/entries/${id}/duplicate`, { as: account, body: {} })).status, 404);
});

/** Authors, and articles that reference them. */
async function newBlog() {
  const account = await newAccount();
  const authors = await newCollection(account, [{ id: 'name', label: 'Name', type: 'text', required: true }]);
  const authorsId = authors.split('/').at(-1) ?? '';
  const articles = await newCollection(account, [
    { id: 'title', label: 'Title', type: 'text' },
    { id: 'author', label: 'Author', type: 'text', format: 'reference', collectionIds: [authorsId] },
    { id: 'others', label: 'Others', type: 'text', format: 'reference', collectionIds: [authorsId], repeated: true },
    ...SKU,
  ]);
  return { account, authors, authorsId, articles, articlesId: articles.split('/').at(-1) ?? '' };
}

test('new entries in references are created with the entry, or none is', async () => {
  const { account, authors, articles, articlesId } = await newBlog();
  const created = await ok(`POST ${articles}/entries`, account, {
    values: {
      title: 'A',
      author: { new: { name: 'Ada' } },
      others: [{ new: { name: 'Bob' } }, { new: { name: 'Cy' } }],
    },
  });
  const { entries } = await ok(`GET ${authors}/entries`, account);
  assert.deepEqual(
    entries.map(({ values }: { values: { name: string } }) => values.name),
    ['Ada', 'Bob', 'Cy'],
  );
  assert.equal(created.values.author, entries[0].id);
  assert.deepEqual(created.values.others, [entries[1].id, entries[2].id]);
  const refused = await call(`POST ${articles}/entries`, {
    as: account,
    body: { values: { price: 'x', author: { new: { name: 'Dan' } }, others: [{ new: {} }] } },
  });
  assert.deepEqual(faultsOf(refused), ['/values/others/0/new/name required', '/values/price type']);
  const wrong = await call(`POST ${articles}/entries`, {
    as: account,
    body: {
      values: {
        author: { new: { name: 'Eve' }, colection: 'authors' },
        others: [
          { new: { name: 'Eve' }, collection: 'nothing' },
          { new: { title: 'x' }, collection: articlesId },
        ],
      },
    },
  });
  assert.deepEqual(faultsOf(wrong), [
    '/values/author/colection unknown_property',
    '/values/others/0/collection reference_not_allowed',
    '/values/others/1/collection reference_not_allowed',
  ]);
  assert.equal((await ok(`GET ${authors}/entries`, account)).entries.length, 3);
});

test('a batch changes entries of several collections in order, or changes nothing', async () => {
  const { account, authors, authorsId, articles, articlesId } = await newBlog();
  const old = await createEntry(account, articles, { title: 'Old', sku: 'old' });
  const operations = [
    { op: 'create', collection: authorsId, values: { name: 'Ada' }, ref: 'ada' },
    { op: 'create', collection: articlesId, values: { title: 'New', author: '@ada', others: ['@ada'] }, ref: 'new' },
    { op: 'update', collection: articlesId, id: '@new', increment: { price: 2 } },
    { op: 'upsert', collection: articlesId, by: { sku: 'x' }, values: { title: 'X' } },
    { op: 'update', collection: articlesId, by: { sku: 'x' }, values: { title: 'Y' } },
    { op: 'delete', collection: articlesId, by: { sku: 'old' } },
    { op: 'restore', collection: articlesId, id: old.id },
  ];
  const dry = await ok('POST /v1/cms/batch', account, { operations, dryRun: true });
  assert.deepEqual(
    dry.results.map(({ id, version }: { id: string | null; version: number }) => [id === null, version]),
    [
      [true, 1],
      [true, 1],
      [false, 2],
      [true, 1],
      [false, 2],
      [false, 2],
      [false, 3],
    ],
  );
  assert.equal((await ok(`GET ${authors}/entries`, account)).entries.length, 0);
  const { results } = await ok('POST /v1/cms/batch', account, { operations });
  const article = await ok(`GET ${articles}/entries/${results[1].id}`, account);
  assert.deepEqual(article.values, { title: 'New', author: results[0].id, others: [results[0].id], price: 2 });
  assert.deepEqual((await ok(`GET ${articles}/entries/${results[3].id}`, account)).values, { title: 'Y', sku: 'x' });
  assert.equal((await ok(`GET ${articles}/entries/${old.id}`, account)).version, 3);
});

test('a batch names the faults of all its operations, and does nothing', async () => {
  const { account, authors, authorsId, articles, articlesId } = await newBlog();
  const publishedId = (await newCollection(account, FIELDS, { publishing: true })).split('/').at(-1);
  const { id } = await createEntry(account, articles, { sku: 'a' });
  const answer = await call('POST /v1/cms/batch', {
    as: account,
    body: {
      operations: [
        { op: 'create', collection: authorsId, values: { name: 'Ada' } },
        { op: 'create', collection: authorsId, values: {}, ref: 'none' },
        { op: 'create', collection: articlesId, values: { author: '@none', price: 'x' } },
        { op: 'create', collection: articlesId, values: { sku: 'a', author: '@later' } },
        { op: 'create', collection: articlesId, values: { sku: 'a' } },
        { op: 'update', collection: articlesId, id, version: 7, values: {} },
        { op: 'update', collection: articlesId, id: 'ent_none', values: {} },
        { op: 'update', collection: articlesId, by: { price: 1 }, values: {} },
        { op: 'publish', collection: articlesId, id },
        { op: 'create', collection: authorsId, values: { name: 'Bob' }, ref: 'none' },
        { op: 'delete', collection: articlesId, by: { sku: 'none' } },
        { op: 'delete', collection: articlesId, by: { none: 1 } },
        { op: 'delete', collection: 'none', id },
        { op: 'delete', collection: 'none', id: 'ent_none' },
        { op: 'publish', collection: publishedId, id: publicId('ent', newUuid()) },
        { op: 'publish', collection: publishedId, id: 'ent_none' },
      ],
    },
  });
  assert.deepEqual(faultsOf(answer), [
    '/operations/1/values/name required',
    '/operations/10/by/sku not_found',
    '/operations/11/by/none not_found',
    '/operations/12/collection not_found',
    '/operations/13/collection not_found',
    '/operations/14/id entry_unknown',
    '/operations/15/id not_found',
    '/operations/2/values/price type',
    '/operations/3/values/author ref_unknown',
    '/operations/4/values/sku value_taken',
    '/operations/5/version version_conflict',
    '/operations/6/id not_found',
    '/operations/7/by/price field_not_unique',
    '/operations/8 publishing_disabled',
    '/operations/9/ref ref_repeated',
  ]);
  assert.equal((await ok(`GET ${authors}/entries`, account)).entries.length, 0);
  const unknown = await call('POST /v1/cms/batch', {
    as: await newAccount(),
    body: { operations: [{ op: 'delete', collection: articlesId, id }] },
  });
  assert.deepEqual(faultsOf(unknown), ['/operations/0/collection not_found']);
});

test('an operation of a batch has what it needs, and nothing that would have no effect', async () => {
  const { account, articles, articlesId: collection } = await newBlog();
  const publishing = await newCollection(account, FIELDS, { publishing: true });
  const published = publishing.split('/').at(-1);
  const { id } = await createEntry(account, articles, { sku: 'a' });
  const { id: draft } = await createEntry(account, publishing, { title: 'x' });
  const by = { sku: 'a' };
  const operations = [
    { op: 'update', collection, values: {} },
    { op: 'update', collection, id, by, values: {} },
    { op: 'create', collection, id, by, version: 1, increment: { price: 1 } },
    { op: 'upsert', collection, id, values: {}, increment: { price: 1 } },
    { op: 'delete', collection, values: {} },
    { op: 'restore', collection },
    { op: 'publish', collection: published, rows: [], id: draft },
    { op: 'unpublish', collection: published, merge: {}, by },
    { op: 'publish', collection: published, id: draft, version: 2 },
    { op: 'upsert', collection, by: {}, values: {} },
  ];
  assert.deepEqual(faultsOf(await call('POST /v1/cms/batch', { as: account, body: { operations } })), [
    '/operations/0/id required',
    '/operations/1/by not_allowed',
    '/operations/2/by not_allowed',
    '/operations/2/id not_allowed',
    '/operations/2/increment not_allowed',
    '/operations/2/version not_allowed',
    '/operations/3/by required',
    '/operations/3/id not_allowed',
    '/operations/3/increment not_allowed',
    '/operations/4/id required',
    '/operations/4/values not_allowed',
    '/operations/5/id required',
    '/operations/6/rows not_allowed',
    '/operations/7/merge not_allowed',
    '/operations/8/version version_conflict',
    '/operations/9/by key_invalid',
  ]);
});

test('batches of creates, updates and deletes do what single requests do', async () => {
  const account = await newAccount();
  const [one, other] = [await newCollection(account, FIELDS), await newCollection(account, FIELDS)];
  const collection = one.split('/').at(-1);
  const operation = fc.record({
    op: fc.constantFrom('create', 'update', 'delete', 'restore'),
    at: fc.nat(4),
    n: fc.nat(9),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (all) => {
      const start = async (path: string) => (await createEntry(account, path, { title: 'start' })).id;
      const ids: [string[], string[]] = [[await start(one)], [await start(other)]];
      const statuses = ['active'];
      const operations: Record<string, unknown>[] = [];
      for (const { op, at, n } of all) {
        const target = at % statuses.length;
        if (op !== 'create' && (statuses[target] === 'active') !== (op !== 'restore')) continue;
        if (op === 'create') statuses.push('active');
        else statuses[target] = op === 'delete' ? 'deleted' : 'active';
        const name = target < 1 ? ids[0][target] : `@r${target}`;
        const change = op === 'update' ? { append: { tags: [String(n)] } } : {};
        const values =
          op === 'create' ? { values: { title: String(n) }, ref: `r${statuses.length - 1}` } : { id: name };
        operations.push({ op, collection, ...values, ...change });
        if (op === 'create') ids[1].push((await createEntry(account, other, { title: String(n) })).id);
        else if (op === 'delete') await ok(`DELETE ${other}/entries/${ids[1][target]}`, account);
        else
          await ok(
            `PATCH ${other}/entries/${ids[1][target]}`,
            account,
            op === 'update' ? change : { status: 'active' },
          );
      }
      const { results } = await ok('POST /v1/cms/batch', account, { operations });
      ids[0].push(
        ...results
          .filter((_: unknown, i: number) => operations[i]?.op === 'create')
          .map(({ id }: { id: string }) => id),
      );
      for (const [i, id] of ids[0].entries()) {
        const read = async (path: string, entry = '') => {
          const { values, status, version } = await ok(`GET ${path}/entries/${entry}?includeDeleted=true`, account);
          return { values, status, version };
        };
        assert.deepEqual(await read(one, id), await read(other, ids[1][i]));
      }
    }),
    { numRuns: 15 },
  );
});
