import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importService, rowErrors } from '../../imports/test-support.ts';
import { CollectionCache } from '../collections/collection-cache.ts';
import type { Entry } from '../entries/contract.ts';
import { faultsOf } from '../test-support.ts';
import { EXPANSIONS, expandEntries } from './expand-entries.ts';

const service = await importService();
const { call, ok, newAccount, newCollection, createEntry, exported, dryRun, runStage } = service;

const TITLE = { id: 'title', label: 'Title', type: 'text' };
const idOf = (path: string) => path.split('/').at(-1) ?? '';
const reference = (id: string, paths: string[], more: object = {}) => ({
  ...{ id, label: id, type: 'text', format: 'reference', collectionIds: paths.map(idOf) },
  ...more,
});
const PUBLIC = { publishing: true, public: true };

/** Articles that reference authors, each other, and images in repeated groups; authors reference companies. */
async function setup(more: Record<string, unknown> = {}) {
  const account = await newAccount();
  const companies = await newCollection(account, [TITLE], more);
  const authors = await newCollection(account, [TITLE, reference('company', [companies])], more);
  const articles = await newCollection(account, [TITLE, reference('author', [authors])], more);
  await ok(`PATCH ${articles}`, account, {
    fields: [
      reference('related', [articles, authors], { repeated: true }),
      { id: 'parts', label: 'Parts', type: 'group', repeated: true, fields: [TITLE, reference('by', [authors])] },
    ],
  });
  const publish = (path: string, ...entries: Entry[]) =>
    ok(`POST ${path}/publish`, account, { entryIds: entries.map(({ id }) => id) });
  const change = (path: string, { id }: Entry, values: unknown): Promise<Entry> =>
    ok(`PATCH ${path}/entries/${id}`, account, { values });
  const get = async (path: string, entry: Entry, query = ''): Promise<Entry> =>
    ok(`GET ${path}/entries/${entry.id}${query}`, account);
  const read = async (path: string, query = '') => {
    const answer = await call(
      `GET /v1/content/${idOf(path)}${query}${query.includes('?') ? '&' : '?'}key=${account.apiKey}`,
    );
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  return { account, companies, authors, articles, publish, change, get, read };
}

test('a reference holds the ID of an entry of its collections, of the same account', async () => {
  const { account, authors, articles, companies } = await setup();
  const other = await setup();
  const [author, company] = [
    await createEntry(account, authors, { title: 'A' }),
    await createEntry(account, companies, {}),
  ];
  const foreign = await createEntry(other.account, other.authors, { title: 'B' });
  const deleted = await createEntry(account, authors, {});
  const article = await createEntry(account, articles, { author: deleted.id, related: [author.id, author.id] });
  await ok(`DELETE ${authors}/entries/${deleted.id}`, account);
  const faults = async (values: unknown) =>
    faultsOf(await call(`POST ${articles}/entries`, { as: account, body: { values } }));
  for (const id of [foreign.id, deleted.id, 'ent_x', article.id.replace('ent', 'col')]) {
    assert.deepEqual(await faults({ author: id }), ['/values/author reference_unknown'], id);
  }
  assert.deepEqual(
    await faults({ author: 5, parts: [{ by: company.id }, {}, { by: foreign.id }], related: [company.id] }),
    [
      '/values/author type',
      '/values/parts/0/by reference_not_allowed',
      '/values/parts/2/by reference_unknown',
      '/values/related/0 reference_not_allowed',
    ],
  );
  // What was stored can be sent back, though its target is deleted; so can what was expanded.
  const { values } = await ok(`GET ${articles}/entries/${article.id}?expand=related`, account);
  assert.equal(values.related[0].values.title, 'A');
  const sentBack = await ok(`PATCH ${articles}/entries/${article.id}`, account, { values });
  assert.deepEqual(sentBack.values, article.values);

  const change = (fields: unknown[]) => call(`PATCH ${articles}`, { as: account, body: { fields } });
  const add = async (more: object) => faultsOf(await change([reference('x', [authors], more)]));
  assert.deepEqual(await add({ collectionIds: [idOf(other.authors), 'x'] }), [
    '/fields/0/collectionIds/0 collection_unknown',
    '/fields/0/collectionIds/1 collection_unknown',
  ]);
  assert.deepEqual(await add({ defaultValue: author.id }), ['/fields/0/defaultValue default_value_not_allowed']);
  assert.deepEqual(await add({ unique: true }), ['/fields/0/unique unique_not_allowed']);
  const { collectionIds: _, ...incomplete } = reference('x', []);
  assert.deepEqual(faultsOf(await change([incomplete])), ['/fields/0/collectionIds required']);
  const listed = await ok(`GET ${articles}/entries?filter[related][eq]=${author.id}`, account);
  assert.deepEqual(
    listed.entries.map(({ id }: Entry) => id),
    [article.id],
  );
});

test('expand returns entries in the place of references, up to three levels deep, and around cycles', async () => {
  const { account, companies, authors, articles, change, get } = await setup();
  const company = await createEntry(account, companies, { title: 'C' });
  const author = await createEntry(account, authors, { title: 'A', company: company.id });
  const first = await createEntry(account, articles, { title: '1', author: author.id, parts: [{ by: author.id }, {}] });
  const second = await createEntry(account, articles, { title: '2', related: [first.id, author.id] });
  await change(articles, first, { related: [second.id, first.id] });
  const [one, two] = [await get(articles, first), await get(articles, second)];

  const withCompany = { ...author, values: { ...author.values, company } };
  const { values } = await get(articles, first, '?expand=author.company,parts.by');
  assert.deepEqual(values, { ...one.values, author: withCompany, parts: [{ by: author }, {}] });
  const cycle = await get(articles, first, '?expand=related.related.related');
  const third = (id: string) => (id === first.id ? one : id === second.id ? two : author);
  const nested = (entry: Entry, depth: number): Entry => ({
    ...entry,
    values: {
      ...entry.values,
      ...(depth > 0 &&
        entry.values.related !== undefined && {
          related: (entry.values.related as string[]).map((id) => nested(third(id), depth - 1)),
        }),
    },
  });
  assert.deepEqual(cycle, nested(one, 3));
  const list = await ok(`GET ${articles}/entries?expand=related.company,author&sort=title:asc`, account);
  assert.deepEqual(list.entries[0].values.author, author);
  assert.deepEqual(list.entries[1].values.related, [one, withCompany]);

  const faults = async (expand: string) =>
    faultsOf(await call(`GET ${articles}/entries?expand=${expand}`, { as: account }));
  assert.deepEqual(await faults('title,nothing,author.title,parts'), Array(4).fill('?expand expand_invalid'));
  assert.deepEqual(await faults('related.related.related.related'), ['?expand expand_too_deep']);
  assert.deepEqual(await faults(Array(21).fill('author').join(',')), ['?expand too_many']);
  // Each of 100 entries would contain 100, which contain 100.
  await change(articles, first, { related: Array(100).fill(first.id) });
  for (let i = 0; i < 2; i++) await createEntry(account, articles, { related: Array(100).fill(first.id) });
  assert.deepEqual(await faults('related.related'), ['?expand expand_too_large']);
  await ok(`DELETE ${companies}/entries/${company.id}`, account);
  const [, kept] = (await get(articles, second, '?expand=related.company')).values.related as Entry[];
  assert.equal(kept?.values.company, company.id, 'a deleted entry remains an ID');
  await ok(`PATCH ${companies}/entries/${company.id}`, account, { status: 'active' });
  assert.deepEqual((await get(authors, author, '?expand=company')).values.company, {
    ...company,
    version: 3,
    updatedAt: (await get(companies, company)).updatedAt,
  });
});

test('nothing is lost when an entry is published before those it references (strapi#25361), in either order or at once', async () => {
  const { account, authors, articles, publish, change, get, read } = await setup(PUBLIC);
  const [b, c] = [
    await createEntry(account, articles, { title: 'B' }),
    await createEntry(account, authors, { title: 'C' }),
  ];
  const values = { title: 'A', related: [b.id, c.id], author: c.id, parts: [{ title: 'p', by: c.id }] };
  const a = await createEntry(account, articles, values);
  const self = await createEntry(account, articles, { title: 'self' });
  await change(articles, self, { related: [self.id] });
  const draft = () => get(articles, a).then((entry) => entry.values);
  const publicA = () => read(articles, `/${a.id}`).then((entry) => entry.values);

  await publish(articles, a, self);
  assert.deepEqual(await draft(), values, 'the draft keeps its references');
  assert.deepEqual((await get(articles, a, '?state=published')).values, values, 'so does what is published');
  assert.deepEqual(await publicA(), { title: 'A', related: [], parts: [{ title: 'p' }] });
  assert.deepEqual((await read(articles, `/${self.id}`)).values.related, [self.id]);
  const byC = async () => (await read(articles, `?filter[author][eq]=${c.id}`)).entries.length;
  assert.equal(await byC(), 0, 'a filter does not reveal what is left out');
  const others = (await read(articles, `?filter[author][ne]=${c.id}`)).entries;
  assert.deepEqual(others.map(({ id }: { id: string }) => id).sort(), [a.id, self.id].sort());
  const withAuthor = async () => (await read(articles, '?filter[author][exists]=true')).entries.length;
  assert.equal(await withAuthor(), 0, 'what is left out does not exist');
  await publish(articles, b);
  assert.deepEqual(await publicA(), { title: 'A', related: [b.id], parts: [{ title: 'p' }] });
  await publish(authors, c);
  assert.deepEqual(await publicA(), values, 'they appear without publishing A again');
  assert.deepEqual([await byC(), await withAuthor()], [1, 1]);
  const { values: expanded } = await read(articles, `/${a.id}?expand=related,parts.by`);
  assert.deepEqual(
    expanded.related.map(({ id }: Entry) => id),
    [b.id, c.id],
  );
  assert.deepEqual(Object.keys(expanded.related[1]).sort(), [
    'collectionId',
    'createdAt',
    'id',
    'publishedAt',
    'values',
  ]);

  // A preview shows drafts.
  const draftOfB = await change(articles, b, { title: 'B2', related: [a.id] });
  await ok(`PATCH ${articles}`, account, { previewUrl: 'https://shop.example/{token}' });
  const { token } = await ok(`POST ${articles}/entries/${a.id}/preview`, account);
  const preview = await read(articles, `/${a.id}?preview=${token}&expand=related`);
  assert.deepEqual(preview.values.related[0].values, draftOfB.values);

  // Unpublishing and publishing again (strapi#23460), and discarding a draft (strapi#24280), keep them as well.
  await ok(`POST ${authors}/entries/${c.id}/unpublish`, account, {});
  assert.deepEqual(await publicA(), { title: 'A', related: [b.id], parts: [{ title: 'p' }] });
  await publish(authors, c);
  await change(articles, a, { title: 'changed', related: [b.id] });
  assert.deepEqual((await ok(`POST ${articles}/entries/${a.id}/discard-draft`, account, {})).values, values);
  // Entries that reference each other are published at the same time, each in a request of its own.
  const ring = await Promise.all(
    Array.from({ length: 20 }, (_, i) => createEntry(account, articles, { title: `r${i}` })),
  );
  const linked = await Promise.all(
    ring.map((entry, i) => change(articles, entry, { related: [ring[(i + 1) % 20]?.id, ring[(i + 7) % 20]?.id] })),
  );
  await Promise.all(linked.map((entry) => publish(articles, entry)));
  for (const entry of linked) assert.deepEqual((await read(articles, `/${entry.id}`)).values, entry.values);
});

test('a public reference shows what is published of a changed entry (payload#4931), and its private fields never', async () => {
  const { account, authors, articles, companies, publish, change, read } = await setup(PUBLIC);
  const author = await createEntry(account, authors, { title: 'Published' });
  const article = await createEntry(account, articles, { author: author.id });
  await publish(authors, author);
  await publish(articles, article);
  await change(authors, author, { title: 'Draft' });
  const expanded = () => read(articles, `/${article.id}?expand=author`).then((entry) => entry.values.author);
  assert.equal((await expanded()).values.title, 'Published');
  await publish(authors, author);
  assert.equal((await expanded()).values.title, 'Draft', 'the response of before is not sent again');
  await ok(`PATCH ${authors}`, account, { fields: [{ id: 'title', private: true }] });
  assert.deepEqual((await expanded()).values, {});
  const company = await createEntry(account, companies, { title: 'C' });
  await publish(companies, company);
  await change(authors, author, { company: company.id });
  await publish(authors, author);
  assert.deepEqual((await expanded()).values, { company: company.id });
  await ok(`PATCH ${companies}`, account, { public: false });
  assert.deepEqual((await expanded()).values, {}, 'not even the ID of an entry of a collection that is not public');
  const deeper = await call(`GET /v1/content/${idOf(articles)}?expand=author.company.x&key=${account.apiKey}`);
  assert.deepEqual(faultsOf(deeper), ['?expand expand_invalid']);
  await ok(`PATCH ${authors}`, account, { public: false });
  assert.equal(await expanded(), undefined);
  await ok(`PATCH ${authors}`, account, { public: true });
  assert.deepEqual((await expanded()).values, {});
  await ok(`DELETE ${authors}/entries/${author.id}`, account);
  assert.equal(await expanded(), undefined);
});

test('a long path through collections that reference each other is refused at once', async () => {
  const { account, articles, authors } = await setup(PUBLIC);
  await ok(`PATCH ${authors}`, account, { fields: [reference('related', [articles, authors], { repeated: true })] });
  const path = Array(100).fill('related').join('.');
  const refused = await call(`GET /v1/content/${idOf(articles)}?expand=${path}&key=${account.apiKey}`);
  assert.deepEqual(faultsOf(refused), ['?expand expand_too_deep']);
});

test('a reference with the ID of a group of another collection is expanded to the same depth as any other', async () => {
  const { account, articles, authors } = await setup();
  const notes = await newCollection(account, [reference('by', [authors])]);
  const others = await newCollection(account, [reference('parts', [notes])]);
  const { fields } = await ok(`GET ${articles}`, account);
  const related = fields.find(({ id }: { id: string }) => id === 'related');
  await ok(`PATCH ${articles}`, account, {
    fields: [{ ...related, collectionIds: [...related.collectionIds, idOf(others)] }],
  });
  const expand = (path: string) => call(`GET ${articles}/entries?expand=${path}`, { as: account });
  assert.equal(
    (await expand('related.parts.by')).status,
    200,
    'in the group at depth 2, behind the reference at depth 3',
  );
  assert.deepEqual(faultsOf(await expand('related.parts.nothing')), ['?expand expand_invalid']);
  assert.deepEqual(faultsOf(await expand('related.related.parts.by')), ['?expand expand_too_deep']);
});

test('a page with too many different references is refused before they are read', async () => {
  const { account, authors, articles } = await setup();
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push((await createEntry(account, authors, {})).id);
  const cache = new CollectionCache().everything;
  const [collection] = await cache.loadCurrent(service.db, account.uuid, [idOf(articles)], true);
  assert.ok(collection);
  const expand = (maxLookedUp: number, omitsUnknown: boolean) => {
    const deps = { tx: service.db, cache, accountId: account.uuid, publicUrl: '', maxLookedUp };
    const all = [{ related: ids.slice(0, 3) }, { related: [ids[0], ids[3]] }];
    return expandEntries(deps, { ...EXPANSIONS.draft, omitsUnknown }, collection, all, undefined);
  };
  await assert.rejects(expand(3, true), { code: 'expand_too_large' });
  await expand(4, true);
  await expand(3, false);
});

test('a preview is not filtered by references that it leaves out', async () => {
  const { account, authors, articles, read } = await setup(PUBLIC);
  const author = await createEntry(account, authors, {});
  const article = await createEntry(account, articles, { author: author.id });
  await ok(`PATCH ${articles}`, account, { previewUrl: 'https://shop.example/{token}' });
  const { token } = await ok(`POST ${articles}/entries/${article.id}/preview`, account);
  const found = async () =>
    (await read(articles, `?preview=${token}&filter[author][eq]=${author.id}`)).entries.map(({ id }: Entry) => id);
  assert.deepEqual(await found(), [article.id]);
  await ok(`PATCH ${authors}`, account, { public: false });
  assert.deepEqual(await found(), []);
});

test('usages name who references an entry, and a field can refuse its deletion', async () => {
  const { account, authors, articles, publish, change } = await setup({ publishing: true });
  const author = await createEntry(account, authors, { title: 'A' });
  const usages = async () => {
    const all: unknown[] = [];
    for (let pageToken = ''; ; ) {
      const query = `pageSize=1&includeDeleted=true&pageToken=${pageToken}`;
      const page = await ok(`GET ${authors}/entries/${author.id}/usages?${query}`, account);
      for (const { entryId, title, fields } of page.usages) all.push([entryId, title, fields]);
      if (page.nextPageToken === null) return all;
      pageToken = page.nextPageToken;
    }
  };
  assert.deepEqual(await usages(), []);
  const first = await createEntry(account, articles, { title: '1', author: author.id, parts: [{ by: author.id }] });
  const second = await createEntry(account, articles, { title: '2', related: [author.id] });
  const both = [
    [first.id, '1', ['parts.by', 'author']],
    [second.id, '2', ['related']],
  ];
  assert.deepEqual(await usages(), both);
  await publish(articles, second);
  await change(articles, second, { related: null, title: 'draft' });
  assert.deepEqual(await usages(), [both[0], [second.id, 'draft', ['related']]], 'what is published counts');
  const titles = await ok(`GET /v1/cms/entry-titles?ids=${second.id},${author.id},ent_x`, account);
  assert.deepEqual(
    titles.titles.map(({ id, title, isPublished }: Record<string, unknown>) => [id, title, isPublished]).sort(),
    [
      [author.id, 'A', false],
      [second.id, 'draft', true],
    ].sort(),
  );

  const remove = () => call(`DELETE ${authors}/entries/${author.id}`, { as: account });
  const protect = (id: string, onDelete: string) => ok(`PATCH ${articles}`, account, { fields: [{ id, onDelete }] });
  await protect('related', 'refuse');
  const refused = await remove();
  assert.deepEqual(faultsOf(refused), [' entry_referenced']);
  assert.ok(refused.body.detail.includes(second.id));
  await ok(`POST ${articles}/entries/${second.id}/unpublish`, account, {});
  const writers = Array.from({ length: 20 }, (_, i) =>
    i === 10 ? remove() : call(`POST ${articles}/entries`, { as: account, body: { values: { related: [author.id] } } }),
  );
  const answers = await Promise.all(writers);
  const isDeleted = answers[10]?.status === 200;
  const written = answers.filter(({ status, body }) => status === 200 && body.status === 'active').length;
  assert.ok(isDeleted ? written === 0 : written === 19, `${isDeleted} ${written}`);
  await protect('related', 'keep');
  if (!isDeleted) assert.equal((await remove()).status, 200);
  assert.ok((await usages()).length >= 1, 'references to a deleted entry are kept');
  await ok(`PATCH ${authors}/entries/${author.id}`, account, { status: 'active' });
  await ok(`DELETE ${articles}`, account);
  assert.deepEqual(await usages(), [], 'a deleted collection references nothing');
});

test('CSV files have references as IDs, and name unknown ones', async () => {
  const { account, authors, articles } = await setup();
  const author = await createEntry(account, authors, { title: 'A' });
  await createEntry(account, articles, {
    title: '1',
    author: author.id,
    related: [author.id],
    parts: [{ by: author.id }],
  });
  const file = await exported(account, articles);
  assert.equal((await dryRun(account, articles, file)).dryRun?.unchanged, 1);
  const foreign = await setup();
  const other = await createEntry(foreign.account, foreign.authors, {});
  const sent = await dryRun(account, articles, `title,author\n2,${author.id}\n3,${other.id}\n4,x\n`);
  assert.deepEqual(rowErrors(sent), ['3 author reference_unknown', '4 author reference_unknown']);
  await runStage(account, articles, sent.id, 'start');
  const { entries } = await ok(`GET ${articles}/entries?filter[author][eq]=${author.id}`, account);
  assert.equal(entries.length, 2);
  await ok(`PATCH ${articles}`, account, { fields: [reference('self', [articles], { onDelete: 'refuse' })] });
  await createEntry(account, articles, { self: entries[1].id });
  const { undone } = await runStage(account, articles, sent.id, 'undo');
  assert.deepEqual([undone?.deleted, undone?.skipped], [0, 1], 'an undo does not delete what must stay');
});
