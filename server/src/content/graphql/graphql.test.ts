import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Account } from '../../../test/harness.ts';
import { service } from '../../../test/shared.ts';
import { createKey } from '../../accounts/index.ts';

type Body = Record<string, unknown>;

const SCHEMA = {
  collections: [
    {
      key: 'authors',
      name: 'Authors',
      publishing: true,
      public: true,
      fields: [
        { id: 'name', label: 'Name', type: 'text' },
        { id: 'secret', label: 'Secret', type: 'text', private: true },
      ],
    },
    { key: 'notes', name: 'Notes', publishing: true, fields: [{ id: 'text', label: 'Text', type: 'text' }] },
    {
      key: 'blog_posts',
      name: 'Posts',
      publishing: true,
      public: true,
      fields: [
        { id: 'title', label: 'Title', type: 'text' },
        { id: 'slug', label: 'Slug', type: 'text', format: 'slug' },
        { id: 'price', label: 'Price', type: 'number' },
        { id: 'steamid', label: 'Steam ID', type: 'number', format: 'integer' },
        { id: 'tags', label: 'Tags', type: 'text', repeated: true },
        { id: 'seo', label: 'SEO', type: 'group', fields: [{ id: 'meta-title', label: 'Title', type: 'text' }] },
        { id: 'author', label: 'Author', type: 'text', format: 'reference', collectionIds: ['authors'] },
        {
          id: 'related',
          label: 'Related',
          type: 'text',
          format: 'reference',
          repeated: true,
          collectionIds: ['blog_posts', 'authors'],
        },
        {
          id: 'blocks',
          label: 'Blocks',
          type: 'group',
          repeated: true,
          format: 'blocks',
          blocks: [
            { id: 'quote', label: 'Quote', fields: [{ id: 'text', label: 'Text', type: 'text' }] },
            {
              id: 'bio',
              label: 'Bio',
              fields: [{ id: 'who', label: 'Who', type: 'text', format: 'reference', collectionIds: ['authors'] }],
            },
          ],
        },
      ],
    },
  ],
};

async function ok(account: Account, request: string, body?: unknown) {
  const answer = await service.call(request, { as: account, ...(body !== undefined && { body }) });
  assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function publish(account: Account, collection: string, values: Body): Promise<string> {
  const { id } = await ok(account, `POST /v1/cms/collections/${collection}/entries`, { values });
  await ok(account, `POST /v1/cms/collections/${collection}/entries/${id}/publish`, {});
  return id;
}

const account = await service.newAccount();
await ok(account, 'PUT /v1/schema', SCHEMA);
const ann = await publish(account, 'authors', { name: 'Ann', secret: 'hidden' });
const first = await publish(account, 'blog_posts', {
  title: 'First',
  slug: 'first',
  price: 1,
  steamid: '76561198009194284',
  author: ann,
});
const second = await publish(account, 'blog_posts', {
  title: 'Second',
  slug: 'second',
  price: 2,
  tags: ['a', 'b'],
  seo: { 'meta-title': 'Meta' },
  author: ann,
  related: [first, ann],
  blocks: [
    { _block: 'quote', text: 'q' },
    { _block: 'bio', who: ann },
  ],
});

async function query(text: string, variables?: Body, as: Account | string = account) {
  const answer = await service.call('POST /v1/graphql', { as, body: { query: text, ...(variables && { variables }) } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.body.errors, undefined, JSON.stringify(answer.body.errors));
  return answer.body.data;
}

async function refused(text: string, variables?: Body, as: Account | string = account): Promise<string[]> {
  const answer = await service.call('POST /v1/graphql', { as, body: { query: text, ...(variables && { variables }) } });
  assert.equal(answer.status, 400, JSON.stringify(answer.body));
  return answer.body.errors.map(({ message }: { message: string }) => message);
}

test('values, groups, lists, references to one and to several collections, and blocks have types', async () => {
  const data = await query(
    `query ($id: ID!) {
      blog_posts_by_id(id: $id) {
        id title price tags seo { meta_title } author { id name } _meta { publishedAt }
        related { __typename ... on BlogPosts { title author { name } } ...A }
        blocks { __typename ... on BlogPosts_blocks_quote { text } ... on BlogPosts_blocks_bio { who { name } } }
      }
    }
    fragment A on Authors { name }`,
    { id: 'second' },
  );
  const post = data.blog_posts_by_id;
  assert.match(post._meta.publishedAt, /^20/);
  delete post._meta;
  assert.deepEqual(post, {
    id: second,
    title: 'Second',
    price: 2,
    tags: ['a', 'b'],
    seo: { meta_title: 'Meta' },
    author: { id: ann, name: 'Ann' },
    related: [
      { __typename: 'BlogPosts', title: 'First', author: { name: 'Ann' } },
      { __typename: 'Authors', name: 'Ann' },
    ],
    blocks: [
      { __typename: 'BlogPosts_blocks_quote', text: 'q' },
      { __typename: 'BlogPosts_blocks_bio', who: { name: 'Ann' } },
    ],
  });
});

test('conditions are input types, through groups, references and blocks', async () => {
  const titles = async (where: string) =>
    (await query(`{ blog_posts(where: ${where}, sort: [title_desc]) { items { title } total } }`)).blog_posts.items.map(
      ({ title }: Body) => title,
    );
  assert.deepEqual(await titles('{}'), ['Second', 'First']);
  assert.deepEqual(await titles('{ title: { startsWith: "sec" } }'), ['Second']);
  assert.deepEqual(await titles('{ or: [{ price: { lt: 2 } }, { tags: { all: ["a", "b"] } }] }'), ['Second', 'First']);
  assert.deepEqual(await titles('{ not: { price: { gte: 2 } } }'), ['First']);
  assert.deepEqual(await titles('{ steamid: { eq: 76561198009194284 } }'), ['First'], 'with all of its digits');
  assert.deepEqual(await titles('{ steamid: { in: [76561198009194285, "76561198009194283"] } }'), []);
  assert.deepEqual(await titles('{ seo: { meta_title: { eq: "Meta" } } }'), ['Second']);
  assert.deepEqual(await titles('{ author: { where: { name: { ieq: "ANN" } } }, price: { eq: 1 } }'), ['First']);
  assert.deepEqual(await titles('{ blocks: { quote: { text: { contains: "q" } } } }'), ['Second']);
  assert.deepEqual(await titles(`{ id: { in: ["${first}"] } }`), ['First']);
});

test('pages, totals, order and conditions of references', async () => {
  const page = await query('{ blog_posts(first: 1, sort: [title_asc]) { items { title } nextPageToken total } }');
  assert.deepEqual([page.blog_posts.items, page.blog_posts.total], [[{ title: 'First' }], 2]);
  const next = await query(
    'query ($after: String) { blog_posts(first: 1, sort: [title_asc], after: $after) { items { title } } }',
    {
      after: page.blog_posts.nextPageToken,
    },
  );
  assert.deepEqual(next.blog_posts.items, [{ title: 'Second' }]);
  const limited = await query(
    '{ blog_posts(where: { slug: { eq: "second" } }) { items { author(where: { name: { eq: "Bob" } }) { name } related(first: 1) { __typename } } } }',
  );
  assert.deepEqual(limited.blog_posts.items, [{ author: null, related: [{ __typename: 'BlogPosts' }] }]);
});

test('what is not public is no part of the schema', async () => {
  assert.match((await refused('{ notes { items { text } } }'))[0] ?? '', /Cannot query field "notes"/);
  assert.match((await refused('{ authors { items { secret } } }'))[0] ?? '', /Cannot query field "secret"/);
  assert.match((await refused('{ authors(where: { secret: { eq: "hidden" } }) { total } }'))[0] ?? '', /"secret"/);
  const other = await service.newAccount();
  assert.match((await refused('{ blog_posts { total } }', {}, other))[0] ?? '', /Cannot query field "blog_posts"/);
});

test('a change of the model changes the schema at once', async () => {
  const changing = await service.newAccount();
  await ok(changing, 'PUT /v1/schema', { collections: [{ ...SCHEMA.collections[0], key: 'a' }] });
  await query('{ a { items { name } } }', {}, changing);
  await ok(changing, 'PATCH /v1/cms/collections/a', { key: 'b', fields: [{ id: 'name', private: true }] });
  await query('{ b { items { id } } }', {}, changing);
  assert.match((await refused('{ b { items { name } } }', {}, changing))[0] ?? '', /"name"/);
});

test('only secret tokens introspect, nothing is written, and what may cost too much is refused', async () => {
  const { key } = await createKey(service.control, account.id, 'publishable', 'site');
  assert.ok(key);
  const introspection = '{ __schema { queryType { name } } }';
  assert.deepEqual(await query(introspection), { __schema: { queryType: { name: 'Query' } } });
  assert.match((await refused(introspection, {}, key))[0] ?? '', /introspection/i);
  await query('{ blog_posts { total } }', {}, key);
  assert.match((await refused('mutation { x }'))[0] ?? '', /read only|not configured/);
  const deep =
    '{ blog_posts(first: 100) { items { related(first: 100) { ... on BlogPosts { related(first: 100) { __typename } } } } } }';
  assert.match((await refused(deep))[0] ?? '', /may read more than/);
  const wide = `{ ${Array.from({ length: 21 }, (_, i) => `a${i}: blog_posts { total }`).join(' ')} }`;
  assert.match((await refused(wide))[0] ?? '', /at most 20/);
  assert.match((await refused('{ blog_posts(first: 101) { total } }'))[0] ?? '', /between 1 and 100/);
  assert.match((await refused('{ blog_posts {'))[0] ?? '', /cannot be parsed/);
  assert.match((await refused('{ blog_posts(sort: [title_up]) { total } }'))[0] ?? '', /title_up/);
});

test('a persisted query is sent by its hash, and a GET has an ETag and cache tags', async () => {
  const text = '{ blog_posts(sort: [title_asc]) { items { title author { name } } } }';
  const sha256Hash = createHash('sha256').update(text).digest('hex');
  const extensions = encodeURIComponent(JSON.stringify({ persistedQuery: { version: 1, sha256Hash } }));
  const unknown = await service.call(`GET /v1/graphql?extensions=${extensions}`, { as: account });
  assert.deepEqual([unknown.status, unknown.body.errors[0].message], [400, 'PersistedQueryNotFound']);
  const sent = await service.call(`GET /v1/graphql?extensions=${extensions}&query=${encodeURIComponent(text)}`, {
    as: account,
  });
  assert.equal(sent.status, 200);
  const byHash = await service.call(`GET /v1/graphql?extensions=${extensions}`, { as: account });
  assert.deepEqual(byHash.body, sent.body);
  const etag = String(byHash.headers.etag);
  assert.match(String(byHash.headers['cache-tag']), /col_/);
  for (const known of [etag, '*']) {
    const headers = { 'if-none-match': known };
    assert.equal(
      (await service.call(`GET /v1/graphql?extensions=${extensions}`, { as: account, headers })).status,
      304,
    );
  }
  const wrong = { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } };
  const answer = await service.call('POST /v1/graphql', { as: account, body: { query: text, extensions: wrong } });
  assert.deepEqual([answer.status, answer.body.code], [400, 'hash_wrong']);
});

test('a list with references takes as many statements however many entries there are, and no more than the list of REST has', async () => {
  const count = async (run: () => Promise<unknown>) => {
    const { query: original } = service.db;
    let sent = 0;
    service.db.query = ((...args: Parameters<typeof original>) => {
      sent++;
      return original.apply(service.db, args);
    }) as typeof original;
    try {
      await run();
    } finally {
      service.db.query = original;
    }
    return sent;
  };
  /** The least of several runs: what the service does meanwhile uses the same database. */
  const statements = async (run: () => Promise<unknown>) => {
    const counts: number[] = [];
    for (let i = 0; i < 4; i++) counts.push(await count(run));
    return Math.min(...counts);
  };
  const list = (first: number) => () => query(`{ blog_posts(first: ${first}) { items { title author { name } } } }`);
  const rest = (pageSize: number) => () =>
    ok(account, 'POST /v1/content/blog_posts/query', { pageSize, expand: 'author', select: 'title,author' });
  for (let i = 0; i < 6; i++) await publish(account, 'blog_posts', { title: `Post ${i}`, author: ann });
  const few = await statements(list(3));
  assert.equal(await statements(list(6)), few);
  // And the versions of the public collections.
  assert.ok(few <= (await statements(rest(3))) + 1, `${few} statements`);
});
