import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentService } from '../test-support.ts';

const service = await contentService();
const { ok, newCollection, call } = service;
const account = await service.newAccount();

const PUBLIC = { publishing: true, public: true };
const text = (id: string, more: object = {}) => ({ id, label: id, type: 'text', ...more });
const idOf = (path: string) => path.split('/').at(-1) ?? '';

const hidden = await newCollection(account, [text('name')], { publishing: true });
const authors = await newCollection(account, [text('name'), text('salary', { private: true })], PUBLIC);
const posts = await newCollection(
  account,
  [
    text('title'),
    text('notes', { private: true }),
    { id: 'seo', label: 'SEO', type: 'group', fields: [text('title'), text('draft', { private: true })] },
    text('author', { format: 'reference', collectionIds: [idOf(authors)] }),
    text('editor', { format: 'reference', collectionIds: [idOf(hidden)] }),
  ],
  PUBLIC,
);
const create = async (path: string, values: object, isPublished = true): Promise<string> => {
  const { id } = await ok(`POST ${path}/entries`, account, { values });
  if (isPublished) await ok(`POST ${path}/entries/${id}/publish`, account, {});
  return id;
};
const secret = await create(hidden, { name: 'Secret' });
const ada = await create(authors, { name: 'Ada', salary: '100' });
const draft = await create(authors, { name: 'Draft' }, false);
const one = await create(posts, {
  title: 'One',
  notes: 'x',
  seo: { title: 'A', draft: 'x' },
  author: ada,
  editor: secret,
});
const two = await create(posts, { title: 'Two', author: draft });
await create(posts, { title: 'Three' }, false);

const query = (path: string, body: object) =>
  call(`POST /v1/content/${idOf(posts)}/${path}?key=${account.apiKey}`, { body });
const found = async (where: unknown): Promise<string[]> => {
  const url = `/v1/content/${idOf(posts)}?key=${account.apiKey}&where=${encodeURIComponent(JSON.stringify(where))}`;
  const listed = await call(`GET ${url}`);
  const { status, body } = await query('query', { where });
  assert.deepEqual([listed.status, status], [200, 200], JSON.stringify([listed.body, body]));
  assert.deepEqual(listed.body, body);
  return body.entries.map(({ id }: { id: string }) => id);
};

test('everyone can query what is public, along public paths alone', async () => {
  assert.deepEqual(await found({ title: { startsWith: 't' } }), [two]);
  assert.deepEqual(await found({ 'author.name': { eq: 'Ada' } }), [one]);
  assert.deepEqual(await found({ 'seo.title': { exists: true } }), [one]);
  assert.deepEqual(await found({ author: { eq: ada } }), [one]);
  // A reference that cannot be followed does not exist.
  assert.deepEqual(await found({ author: { exists: true } }), [one]);
  assert.deepEqual(await found({ author: { exists: false } }), [two]);
  assert.deepEqual(await found({ editor: { exists: false } }).catch(() => 'unknown'), 'unknown');
  // The entry is not public: nothing depends on it.
  assert.deepEqual(await found({ author: { eq: draft } }), []);
  assert.deepEqual(await found({ author: { ne: draft } }), [one, two]);
  assert.deepEqual(await found({ not: { 'author.name': { exists: true } } }), [two]);
});

test('a private path is an unknown field everywhere', async () => {
  const paths = ['notes', 'seo.draft', 'author.salary', 'editor.name', 'version'];
  for (const path of paths) {
    const bodies: [string, object][] = [
      ['query', { where: { [path]: { eq: 'x' } } }],
      ['query', { where: { not: { or: [{ [path]: { exists: true } }] } } }],
      ['query', { sort: `${path}:asc` }],
      ['aggregate', { groupBy: [path], measures: { n: { count: true } } }],
      ['aggregate', { measures: { n: { countDistinct: path } } }],
      ...(path === 'version' ? [] : ([['query', { select: path }]] as [string, object][])),
    ];
    for (const [route, body] of bodies) {
      const answer = await query(route, body);
      assert.deepEqual(
        [answer.status, answer.body.code],
        [400, 'field_unknown'],
        `${JSON.stringify(body)} ${JSON.stringify(answer.body)}`,
      );
    }
  }
  const join = (collection: string, field: string) => query('query', { join: { x: { collection, field } } });
  assert.equal((await join(idOf(hidden), 'name')).body.code, 'collection_unknown');
});

test('a change of a referenced entry changes a list that is filtered by it', async () => {
  const where = encodeURIComponent(JSON.stringify({ 'author.name': { eq: 'Ada' } }));
  const read = () => call(`GET /v1/content/${idOf(posts)}?key=${account.apiKey}&where=${where}`);
  const before = await read();
  assert.equal(before.body.entries.length, 1);
  await ok(`PATCH ${authors}/entries/${ada}`, account, { values: { name: 'Ada Lovelace' } });
  await ok(`POST ${authors}/entries/${ada}/publish`, account, {});
  const after = await read();
  assert.deepEqual(after.body.entries, []);
  assert.notEqual(after.headers.etag, before.headers.etag);
});

test('public aggregates and joins count published entries alone', async () => {
  const { body } = await query('aggregate', { groupBy: ['author.name'], measures: { n: { count: true } } });
  assert.deepEqual(body.groups, [
    { key: { 'author.name': 'Ada Lovelace' }, n: 1 },
    { key: { 'author.name': null }, n: 1 },
  ]);
  // As a value, a reference to an entry that is not published does not exist either.
  const byAuthor = await query('aggregate', {
    groupBy: ['author'],
    measures: { n: { count: true }, x: { countDistinct: 'author' } },
    sort: 'x:desc',
    pageToken: null,
  });
  assert.deepEqual(byAuthor.body.groups, [
    { key: { author: ada }, n: 1, x: 1 },
    { key: { author: null }, n: 1, x: 0 },
  ]);
  assert.equal(
    (await query('aggregate', { groupBy: ['editor'], measures: { n: { count: true } } })).body.code,
    'field_unknown',
  );
  const joined = await call(`POST /v1/content/${idOf(authors)}/query?key=${account.apiKey}`, {
    body: { join: { posts: { collection: idOf(posts), field: 'author' } } },
  });
  assert.equal(joined.status, 200, JSON.stringify(joined.body));
  const [{ joined: of }] = joined.body.entries;
  assert.deepEqual([of.posts.total, of.posts.entries[0].id, of.posts.entries[0].values.notes], [1, one, undefined]);
});
