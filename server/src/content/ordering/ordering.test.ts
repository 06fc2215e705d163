import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTestUser } from '../../../test/users.ts';
import { contentService, faultsOf } from '../test-support.ts';
import { positionBetween } from './position.ts';

const service = await contentService();
const { call, ok, newAccount, newCollection, createEntry, listAll } = service;
const TITLE = { id: 'title', label: 'Title', type: 'text' };

test('there is always a position between two others, and it stays short when entries are added at the end', () => {
  const positions = [positionBetween(undefined, undefined)];
  fc.assert(
    fc.property(fc.nat(), (n) => {
      const at = n % (positions.length + 1);
      const made = positionBetween(positions[at - 1], positions[at]);
      positions.splice(at, 0, made);
      assert.ok((positions[at - 1] ?? '') < made && (positions[at + 1] ?? '~') > made, positions.join());
      assert.doesNotMatch(made.slice(6), /0$/);
    }),
    { numRuns: 3_000 },
  );
  let last = positionBetween(undefined, undefined);
  let first = last;
  for (let i = 0; i < 10_000; i++) {
    last = positionBetween(last, undefined);
    first = positionBetween(undefined, first);
  }
  assert.deepEqual([last.length, first.length], [6, 6]);
  let [low, high] = ['V00000', 'V00001'];
  for (let i = 0; i < 200; i++) {
    high = positionBetween(low, high);
    assert.ok(low < high);
    low = i % 2 ? low : positionBetween(low, high);
    assert.ok(low < high);
  }
});

test('entries have the order in which they were created, and the one that they are moved to, without a new version', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [TITLE]);
  const [a, b] = [await createEntry(account, path, { title: 'a' }), await createEntry(account, path, { title: 'b' })];
  assert.equal('position' in a, false);
  const answer = await call(`POST ${path}/entries/${a.id}/move`, { as: account, body: { last: true } });
  assert.deepEqual(faultsOf(answer), [' ordering_disabled']);
  const collection = await ok(`PATCH ${path}`, account, { ordering: 'manual' });
  assert.deepEqual([collection.ordering, collection.defaultSort, collection.fields.length], ['manual', null, 1]);
  const c = await createEntry(account, path, { title: 'c' });
  const d = await createEntry(account, path, { title: 'd' });
  const titles = async () => (await listAll(account, path, [])).map(({ values }) => values.title).join('');
  assert.equal(await titles(), 'abcd');
  const before = (await ok(`GET ${path}/entries`, account)).entries;
  assert.deepEqual(Object.keys(before[0].values), ['title']);
  const move = (id: string, body: object) => ok(`POST ${path}/entries/${id}/move`, account, body);
  await move(a.id, { last: true });
  assert.equal(await titles(), 'bcda');
  await move(d.id, { first: true });
  assert.equal(await titles(), 'dbca');
  await move(a.id, { before: b.id });
  assert.equal(await titles(), 'dabc');
  const moved = await move(d.id, { after: b.id });
  assert.equal(await titles(), 'abdc');
  assert.deepEqual([moved.version, moved.values], [1, { title: 'd' }]);
  assert.deepEqual((await ok(`GET ${path}/entries/${d.id}`, account)).position, moved.position);
  const positions = new Map(before.map((entry: { id: string; position: string }) => [entry.id, entry.position]));
  const now = (await ok(`GET ${path}/entries`, account)).entries as { id: string; position: string }[];
  assert.deepEqual(
    now.filter(({ id, position }) => positions.get(id) === position).map(({ id }) => id),
    [b.id, c.id],
  );
  assert.deepEqual(
    await listAll(account, path, [['sort', 'position:desc']], 2).then((all) => all.map(({ values }) => values.title)),
    [...'cdba'],
  );
  const changed = await ok(`PATCH ${path}/entries/${d.id}`, account, { ...moved, values: { title: 'D' } });
  assert.deepEqual([changed.version, changed.position], [2, moved.position]);
  for (const [body, code] of [
    [{}, 'move_invalid'],
    [{ first: true, last: true }, 'move_invalid'],
    [{ before: d.id }, 'move_invalid'],
    [{ before: 'ent_x' }, 'entry_unknown'],
    [{ last: true, parentId: a.id }, 'tree_disabled'],
  ] as const) {
    const refused = await call(`POST ${path}/entries/${d.id}/move`, { as: account, body });
    assert.equal(refused.body.code, code, JSON.stringify(body));
  }
});

test('moves and creations at the same time give every entry a position of its own', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [TITLE], { ordering: 'manual' });
  const first = await createEntry(account, path, { title: '0' });
  const others = await Promise.all(
    Array.from({ length: 12 }, (_, i) => createEntry(account, path, { title: String(i) })),
  );
  await Promise.all(others.map(({ id }) => ok(`POST ${path}/entries/${id}/move`, account, { after: first.id })));
  const all = (await ok(`GET ${path}/entries`, account)).entries as { id: string; position: string }[];
  assert.equal(new Set(all.map(({ position }) => position)).size, 13);
  assert.equal(all[0]?.id, first.id);
});

test('a tree nests entries below others, without cycles, also as it is published', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [TITLE], { tree: true, publishing: true, public: true, key: 'pages' });
  const make = async (title: string) => {
    const { id } = await createEntry(account, path, { title });
    await ok(`POST ${path}/entries/${id}/publish`, account, {});
    return id;
  };
  const [a, b, c, d] = [await make('a'), await make('b'), await make('c'), await make('d')];
  const move = (id: string, body: object) => call(`POST ${path}/entries/${id}/move`, { as: account, body });
  assert.equal((await move(b, { parentId: a })).body.parentId, a);
  await move(c, { parentId: b });
  await move(d, { before: b });
  interface Node {
    values: { title: string };
    children?: Node[];
  }
  const draw = (nodes: Node[] = []): string =>
    nodes.map(({ values, children }) => values.title + (children?.length ? `(${draw(children)})` : '')).join(' ');
  const tree = async (query = 'tree=true&depth=4') => draw((await ok(`GET ${path}/entries?${query}`, account)).entries);
  assert.equal(await tree(), 'a(d b(c))');
  assert.equal(await tree('tree=true&depth=2'), 'a(d b)');
  assert.equal(await tree('tree=true&depth=4&select=title'), 'a(d b(c))');
  assert.equal(await tree('tree=true&state=published'), 'a(d b(c))', 'a move applies to what is published');
  for (const [id, parentId] of [
    [a, a],
    [a, c],
    [b, c],
  ] as const) {
    assert.deepEqual(faultsOf(await move(id, { parentId })), ['/parentId tree_cycle']);
  }
  assert.deepEqual(faultsOf(await move(a, { parentId: 'ent_none' })), ['/parentId entry_unknown']);
  assert.deepEqual(faultsOf(await move(c, { after: a, parentId: b })), ['/parentId move_invalid']);
  const delivered = (await ok('GET /v1/content/pages?sort=position:asc', account)).entries;
  assert.deepEqual(
    delivered.map((each: { values: { title: string } }) => each.values.title),
    ['a', 'd', 'b', 'c'],
  );
  assert.deepEqual([delivered[0].parentId, delivered[1].parentId], [null, a]);
  const selected = (await ok('GET /v1/content/pages?sort=position:asc&select=title', account)).entries;
  assert.deepEqual(selected, delivered);
  assert.deepEqual(Object.keys(delivered[1].values), ['title']);
  await move(d, { after: a });
  assert.equal(await tree(), 'a(b(c)) d');
  assert.deepEqual(
    (await ok('GET /v1/content/pages', account)).entries
      .map((each: { parentId: string }) => each.parentId)
      .filter(Boolean),
    [a, b],
  );
  await move(c, { first: true, parentId: null });
  assert.equal(await tree(), 'c a(b) d');
  const flat = await newCollection(account, [TITLE]);
  const { body } = await call(`GET ${flat}/entries?tree=true`, { as: account });
  assert.deepEqual([body.code, body.errors[0].pointer], ['tree_disabled', '?tree']);
  const off = await ok(`PATCH ${path}`, account, { tree: false, ordering: null });
  assert.deepEqual(['tree' in off, 'ordering' in off], [false, false]);
  assert.equal('position' in (await ok(`GET ${path}/entries/${a}`, account)), false);
  await ok(`PATCH ${path}`, account, { tree: true });
  assert.equal(await tree(), 'c a(b) d', 'positions and parents are kept');
});

test('an entry below one that its reader cannot see is at the top of the tree', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [TITLE], { tree: true, publishing: true, public: true });
  const ids: Record<string, string> = {};
  for (const title of 'abcde') {
    ids[title] = (await createEntry(account, path, { title })).id;
    await ok(`POST ${path}/entries/${ids[title]}/publish`, account, {});
  }
  for (const [child, parent] of ['ba', 'cb', 'da', 'ec']) {
    await ok(`POST ${path}/entries/${ids[child ?? '']}/move`, account, { parentId: ids[parent ?? ''] });
  }
  interface Node {
    values: { title: string };
    children?: Node[];
  }
  const draw = (nodes: Node[] = []): string =>
    nodes.map(({ values, children }) => values.title + (children?.length ? `(${draw(children)})` : '')).join(' ');
  const tree = async (query = '') => draw((await ok(`GET ${path}/entries?tree=true&depth=5${query}`, account)).entries);
  assert.equal(await tree(), 'a(b(c(e)) d)');
  const permission = { collection: path.split('/').at(-1), actions: ['read'], where: { title: { nin: ['a', 'c'] } } };
  const { id: roleId } = await ok('POST /v1/roles', account, { name: 'Some', permissions: [permission] });
  const by = await createTestUser(service, account, 'owner');
  const { token } = (await call('POST /v1/keys', { by, body: { type: 'secret', name: 'Some', roleId } })).body;
  assert.equal(draw((await call(`GET ${path}/entries?tree=true`, { as: token })).body.entries), 'b d e');
  await ok(`POST ${path}/entries/${ids.c}/unpublish`, account, {});
  assert.equal(await tree('&state=published'), 'a(b d) e');
  await ok(`DELETE ${path}/entries/${ids.b}`, account);
  assert.equal(await tree(), 'a(d) c(e)');
  assert.equal(await tree('&state=published'), 'a(d) e');
  assert.equal(await tree('&filter[title][in]=c,d&sort=title:desc'), 'c');
  const page = await ok(`GET ${path}/entries?tree=true&pageSize=1`, account);
  const next = await ok(`GET ${path}/entries?tree=true&pageSize=1&pageToken=${page.nextPageToken}`, account);
  assert.deepEqual([draw(page.entries), draw(next.entries), next.nextPageToken], ['a(d)', 'c(e)', null]);
  const roots = await ok(`GET /v1/content/${path.split('/').at(-1)}?filter[parentId][exists]=false`, account);
  assert.equal(draw(roots.entries), 'a e', 'as what everyone reads tells');
});

test('a singleton has one entry, which the first read or write makes', async () => {
  const account = await newAccount();
  const fields = [
    { ...TITLE, required: true },
    { id: 'note', label: 'Note', type: 'text', defaultValue: 'x' },
  ];
  const path = await newCollection(account, fields, { singleton: true, key: 'header', publishing: true, public: true });
  const reads = await Promise.all(Array.from({ length: 8 }, () => ok(`GET ${path}/entry`, account)));
  assert.equal(new Set(reads.map(({ id }) => id)).size, 1);
  assert.deepEqual([reads[0].values, reads[0].version], [{ note: 'x' }, 1]);
  assert.equal((await ok(`GET ${path}/entries`, account)).entries.length, 1);
  const changed = await ok('PATCH /v1/cms/collections/header/entry', account, {
    values: { title: 'Hello' },
    version: 1,
  });
  assert.deepEqual([changed.id, changed.version], [reads[0].id, 2]);
  const stale = await call(`PATCH ${path}/entry`, { as: account, body: { values: {}, version: 1 } });
  assert.equal(stale.body.code, 'version_conflict');
  const second = await call(`POST ${path}/entries`, { as: account, body: { values: { title: 'Two' } } });
  assert.equal(second.body.code, 'singleton_exists');
  assert.equal((await call('GET /v1/content/header/entry', { as: account })).status, 404);
  await ok(`POST ${path}/entries/${changed.id}/publish`, account, {});
  assert.equal((await ok('GET /v1/content/header/entry', account)).values.title, 'Hello');
  await ok(`DELETE ${path}/entries/${changed.id}`, account);
  const next = await ok(`PATCH ${path}/entry`, account, { values: { title: 'New' } });
  assert.notEqual(next.id, changed.id);
  const restored = await call(`PATCH ${path}/entries/${changed.id}`, { as: account, body: { status: 'active' } });
  assert.equal(restored.body.code, 'singleton_exists');
  const many = await newCollection(account, [TITLE]);
  assert.equal((await call(`GET ${many}/entry`, { as: account })).status, 404);
  await createEntry(account, many, {});
  await createEntry(account, many, {});
  const refused = await call(`PATCH ${many}`, { as: account, body: { singleton: true } });
  assert.deepEqual(faultsOf(refused), ['/singleton entries_exist']);
  const slugs = await newCollection(account, [{ id: 'slug', label: 'Slug', type: 'text', format: 'slug' }], {
    ...{ publishing: true, public: true, key: 'slugs' },
  });
  const entry = await createEntry(account, slugs, { slug: 'entry' });
  await ok(`POST ${slugs}/entries/${entry.id}/publish`, account, {});
  assert.equal(
    (await ok('GET /v1/content/slugs/entry', account)).id,
    entry.id,
    'an entry with this slug is still read by it',
  );
});
