import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentService, seedEntries } from '../test-support.ts';

const service = await contentService();
const { ok, newCollection } = service;
const account = await service.newAccount();

const text = (id: string, more: object = {}) => ({ id, label: id, type: 'text', ...more });
const number = (id: string) => ({ id, label: id, type: 'number' });
const idOf = (path: string) => path.split('/').at(-1) ?? '';

const authors = await newCollection(account, [text('name'), number('age')], { publishing: true });
const reference = (id: string, more: object = {}) =>
  text(id, { format: 'reference', collectionIds: [idOf(authors)], ...more });
const seo = { id: 'seo', label: 'SEO', type: 'group', fields: [text('title')] };
const posts = await newCollection(
  account,
  [text('title'), number('price'), seo, reference('author'), reference('others', { repeated: true })],
  { publishing: true },
);
const people: string[] = [];
for (const [i, name] of ['Ada', 'Bob', 'Cy'].entries()) {
  people.push((await ok(`POST ${authors}/entries`, account, { values: { name, age: i % 2 } })).id);
}
const values = Array.from({ length: 40 }, (_, i) => ({
  ...(i % 5 > 0 && { title: ['Straße', 'strasse', 'Café', `${'x'.repeat(300)}${i}`][i % 4] }),
  ...(i % 7 > 0 && { price: [3, -1, 0.5][i % 3] }),
  ...(i % 3 > 0 && { seo: { title: `T ${i % 4}` } }),
  ...(i % 11 > 0 && { author: people[i % 2] }),
  others: i % 2 ? people : [people[2], people[0]],
}));
await seedEntries(service.db, account.uuid, await service.readCollection(account, posts), values);
const stored = (await ok(`GET ${posts}/entries?pageSize=100`, account)).entries as { id: string }[];
const published = stored.filter((_, i) => i % 3 === 0).map(({ id }) => id);
for (const id of people) await ok(`POST ${authors}/entries/${id}/publish`, account, {});
for (const id of published) await ok(`POST ${posts}/entries/${id}/publish`, account, {});

test('a join has what a list of each entry would have, in any order', async () => {
  const sorts = [
    ...[
      undefined,
      'price:asc',
      'price:desc',
      'title:asc',
      'title:desc,price:asc',
      'createdAt:desc',
      'price:asc,id:desc',
    ],
    // Neither is stored with the entries.
    ...['seo.title:desc', 'author.age:desc,price:asc'],
  ];
  for (const field of ['author', 'others']) {
    for (const sort of sorts) {
      for (const state of ['draft', 'published']) {
        for (const more of [{}, { where: { price: { lt: 3 } } }]) {
          const own = { ...more, ...(sort && { sort }) };
          const join = { posts: { collection: idOf(posts), field, limit: 4, ...own } };
          const { entries } = await ok(`POST ${authors}/entries/query`, account, { join, state });
          assert.equal(entries.length, people.length);
          for (const { id, joined } of entries) {
            const where = { and: [{ [field]: { eq: id } }, more.where ?? {}] };
            const list = { ...own, where, state, count: 'exact', pageSize: 4 };
            const wanted = await ok(`POST ${posts}/entries/query`, account, list);
            const what = `${field} ${sort} ${state} ${JSON.stringify(more)}`;
            assert.deepEqual(joined.posts, { entries: wanted.entries, total: wanted.total }, what);
          }
        }
      }
    }
  }
});

test('joins of one page have their names, also where nothing is joined', async () => {
  const join = {
    own: { collection: idOf(posts), field: 'author', limit: 1, select: 'price', sort: 'price:desc' },
    'the "others"': { collection: idOf(posts), field: 'others', where: { price: { gt: 100 } } },
  };
  const page = await ok(`POST ${authors}/entries/query`, account, {
    join,
    sort: 'name:asc',
    pageSize: 1,
    count: 'exact',
  });
  assert.deepEqual([page.total, page.entries.length], [3, 1]);
  const [{ values: ada, joined }] = page.entries;
  assert.equal(ada.name, 'Ada');
  assert.deepEqual(joined['the "others"'], { entries: [], total: 0 });
  assert.deepEqual(
    joined.own.entries.map((each: { values: object }) => each.values),
    [{ price: 3 }],
  );
});
