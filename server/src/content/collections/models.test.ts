import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { filePart, PNG } from '../../../test/furnished-account.ts';
import { contentService, faultsOf } from '../test-support.ts';

const { call, ok, newAccount, newCollection, createEntry } = await contentService();
const COMPONENTS = '/v1/cms/components';
const text = (id: string, more: object = {}) => ({ id, label: id, type: 'text', ...more });
const group = (id: string, fields: object[], more: object = {}) => ({ id, label: id, type: 'group', fields, ...more });
const blocks = (id: string, list: object[], more: object = {}) => ({
  ...{ id, label: id, type: 'group', repeated: true, format: 'blocks', blocks: list },
  ...more,
});
const HERO = { id: 'hero', label: 'Hero', fields: [text('title', { required: true }), text('note')] };
const QUOTE = { id: 'quote', label: 'Quote', fields: [text('text'), { id: 'stars', label: 'Stars', type: 'number' }] };

type Row = Record<string, unknown> & { _id: string };

test('groups nest to depth 4, repeated or not, and their fields take the settings of other fields', async () => {
  const account = await newAccount();
  const link = group('link', [text('label', { required: true }), { id: 'url', label: 'URL', type: 'url' }]);
  const column = group(
    'columns',
    [text('heading', { defaultValue: 'Menu' }), { ...link, repeated: true, id: 'links' }],
    {
      repeated: true,
    },
  );
  const path = await newCollection(account, [
    text('title'),
    group('footer', [group('menu', [column, text('tags', { repeated: true, validation: { maxLength: 3 } })])]),
    group('seo', [text('robots', { defaultValue: 'index' }), text('og', { private: true })], { defaultValue: {} }),
  ]);
  const footer = {
    menu: {
      columns: [{ links: [{ label: 'Home', url: 'https://a.example/' }] }, { heading: 'More', links: [] }],
      tags: ['abc'],
    },
  };
  const entry = await createEntry(account, path, { title: 'Site', footer });
  assert.deepEqual(entry.values, {
    title: 'Site',
    footer: {
      menu: { ...footer.menu, columns: [{ ...footer.menu.columns[0], heading: 'Menu' }, footer.menu.columns[1]] },
    },
    seo: { robots: 'index' },
  });
  const patch = (values: object) => call(`PATCH ${path}/entries/${entry.id}`, { as: account, body: { values } });
  assert.deepEqual((await patch(entry.values)).body.values, entry.values, 'what was read is accepted');
  assert.deepEqual(faultsOf(await patch({ footer: { menu: { columns: [{ links: [{}] }], tags: ['long'] } } })), [
    '/values/footer/menu/columns/0/links/0/label required',
    '/values/footer/menu/tags/0 too_long',
  ]);
  assert.deepEqual(faultsOf(await patch({ footer: { menu: { colums: [] }, more: 1 } })), [
    '/values/footer/menu/colums unknown_property',
    '/values/footer/more unknown_property',
  ]);
  const cleared = await patch({ seo: {} });
  assert.equal(cleared.body.values.seo.robots, undefined, 'a default is for what is new');
  const found = await ok(`GET ${path}/entries?q=home`, account);
  assert.equal(found.entries.length, 1, 'texts are searched at any depth');
  const collection = await ok(`GET ${path}`, account);
  assert.deepEqual((await ok(`PATCH ${path}`, account, collection)).fields, collection.fields);
});

test('rows of blocks and of groups with rowIds keep their IDs, which are unique in the entry', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [
    blocks('body', [HERO, QUOTE]),
    group('links', [text('label')], { repeated: true, rowIds: true }),
  ]);
  const { id, values } = await createEntry(account, path, {
    body: [
      { _block: 'hero', title: 'One' },
      { _block: 'quote', _id: 'mine', stars: 5 },
    ],
    links: [{ label: 'a' }],
  });
  const [first, second] = values.body as [Row, Row];
  const [link] = values.links as [Row];
  assert.match(first._id, /^row_[0-9a-z]{26}$/);
  assert.match(link._id, /^row_/);
  assert.equal(second._id, 'mine');
  const patch = (sent: object) => call(`PATCH ${path}/entries/${id}`, { as: account, body: { values: sent } });
  const moved = (await patch({ body: [{ ...second, text: 'x' }, first, { _block: 'hero', title: 'New' }] })).body.values
    .body;
  assert.deepEqual(moved.slice(0, 2), [{ ...second, text: 'x' }, first]);
  const refused: [object, string[]][] = [
    [{ body: [first, first] }, ['/values/body/1/_id duplicate']],
    [{ body: [{ _block: 'hero', _id: link._id, title: 'x' }] }, ['/values/body/0/_id duplicate']],
    [{ body: [{ title: 'x' }] }, ['/values/body/0/_block required']],
    [{ body: [{ _block: 'hreo' }] }, ['/values/body/0/_block block_unknown']],
    [{ body: [{ _block: 'hero' }] }, ['/values/body/0/title required']],
    [{ body: [{ _block: 'hero', title: 'x', stars: 1 }] }, ['/values/body/0/stars unknown_property']],
    [{ body: [{ _block: 'hero', _id: '../x', title: 'x' }] }, ['/values/body/0/_id row_id_invalid']],
    [{ links: [{ _block: 'hero' }] }, ['/values/links/0/_block unknown_property']],
    [{ body: 'x' }, ['/values/body type']],
  ];
  for (const [sent, faults] of refused) assert.deepEqual(faultsOf(await patch(sent)), faults, JSON.stringify(sent));
});

test('a collection with blocks says what is wrong with its definition', async () => {
  const account = await newAccount();
  const create = (field: object) =>
    call('POST /v1/cms/collections', { as: account, body: { name: 'C', fields: [field] } });
  const refused: [object, string[]][] = [
    [blocks('a', [HERO], { repeated: false }), ['/fields/0/format format_not_allowed']],
    [blocks('a', []), ['/fields/0/blocks blocks_required']],
    [blocks('a', [HERO, HERO]), ['/fields/0/blocks/1/id duplicate']],
    [blocks('a', [{ id: 'x', label: 'X' }]), ['/fields/0/blocks/0/fields fields_required']],
    [blocks('a', [{ id: 'x', fields: [text('y')] }]), ['/fields/0/blocks/0/label required']],
    [blocks('a', [HERO], { fields: [text('b')] }), ['/fields/0/fields fields_not_allowed']],
    [group('a', [text('b')], { blocks: [HERO] }), ['/fields/0/blocks blocks_not_allowed']],
    [text('a', { format: 'blocks' }), ['/fields/0/format format_not_allowed']],
    [text('a', { rowIds: true }), ['/fields/0/rowIds row_ids_not_allowed']],
    [group('a', [text('b')], { rowIds: true }), ['/fields/0/rowIds row_ids_not_allowed']],
    [group('a', [text('b')], { componentId: 'cmp_x' }), ['/fields/0/componentId component_unknown']],
  ];
  for (const [field, faults] of refused) assert.deepEqual(faultsOf(await create(field)), faults, JSON.stringify(field));
});

test('deleting a block that rows have is refused with their number, and loses nothing', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [text('title'), blocks('body', [HERO, QUOTE])]);
  const rows = [
    { _block: 'quote', _id: 'q1', text: 'first' },
    { _block: 'hero', _id: 'h1', title: 'a' },
    { _block: 'quote', _id: 'q2', text: 'second' },
    { _block: 'hero', _id: 'h2', title: 'b', note: 'n' },
  ];
  const { id } = await createEntry(account, path, { body: rows });
  await createEntry(account, path, { body: rows.filter(({ _block }) => _block === 'hero') });
  const change = { fields: [{ id: 'body', blocks: [{ id: 'quote', status: 'deleted' }] }] };
  const refused = await call(`PATCH ${path}`, { as: account, body: change });
  assert.equal(refused.body.code, 'data_loss');
  assert.match(refused.body.detail, /"Quote" in 1 entry of "Things"/);
  const ofField = { fields: [{ id: 'body', blocks: [{ id: 'hero', fields: [{ id: 'note', status: 'deleted' }] }] }] };
  assert.equal((await call(`PATCH ${path}`, { as: account, body: ofField })).body.code, 'data_loss');
  await ok(`PATCH ${path}`, account, { ...change, allowDataLoss: true });
  await ok(`PATCH ${path}`, account, { ...ofField, allowDataLoss: true });
  const read = async () => (await ok(`GET ${path}/entries/${id}`, account)).values.body as Row[];
  assert.deepEqual(await read(), [rows[1], { _block: 'hero', _id: 'h2', title: 'b' }]);
  // What is hidden keeps its place when the list is written.
  const list = [{ _block: 'hero', _id: 'h2', title: 'b2' }, { _block: 'hero', _id: 'new', title: 'c' }, rows[1]];
  await ok(`PATCH ${path}/entries/${id}`, account, { values: { body: list } });
  await ok(`PATCH ${path}/entries/${id}`, account, { values: { title: 'x' } });
  assert.deepEqual(await read(), list);
  const restore = [
    { id: 'quote', status: 'active' },
    { id: 'hero', fields: [{ id: 'note', status: 'active' }] },
  ];
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'body', blocks: restore }] });
  assert.deepEqual(await read(), [rows[0], { ...list[0], note: 'n' }, list[1], rows[1], rows[2]]);
  const cleared = await ok(`PATCH ${path}/entries/${id}`, account, { values: { body: null } });
  assert.equal(cleared.values.body, undefined);
});

test('a component is shared: its fields are those of every group and block that has it, and stay in step', async () => {
  const account = await newAccount();
  const seo = await ok(`POST ${COMPONENTS}`, account, { key: 'seo', name: 'SEO', fields: [text('title')] });
  assert.deepEqual(Object.keys(seo), ['id', 'key', 'name', 'fields']);
  const card = await ok(`POST ${COMPONENTS}`, account, {
    name: 'Card',
    fields: [text('heading'), { id: 'meta', label: 'Meta', type: 'group', componentId: seo.id }],
  });
  assert.deepEqual(card.fields[1].fields, seo.fields, 'returned filled');
  const path = await newCollection(account, [
    { id: 'seo', label: 'SEO', type: 'group', componentId: seo.id },
    blocks('body', [{ id: 'card', label: 'Card', componentId: card.id }, HERO]),
  ]);
  const other = await newCollection(
    account,
    [{ id: 'cards', label: 'Cards', type: 'group', repeated: true, componentId: card.id }],
    {
      name: 'Others',
    },
  );
  const { id } = await createEntry(account, path, {
    seo: { title: 'Page' },
    body: [{ _block: 'card', _id: 'c', heading: 'h', meta: { title: 'm' } }],
  });
  await createEntry(account, other, { cards: [{ heading: 'x', meta: { title: 'y' } }] });
  const changed = await ok(`PATCH ${COMPONENTS}/${seo.id}`, account, {
    fields: [{ id: 'robots', label: 'Robots', type: 'text', required: true }],
  });
  assert.deepEqual(
    changed.fields.map((field: { id: string }) => field.id),
    ['robots', 'title'],
  );
  const fields = async () => (await ok(`GET ${path}`, account)).fields;
  const [group_, body] = await fields();
  assert.deepEqual(group_.fields, changed.fields);
  assert.deepEqual(body.blocks[0].fields[1].fields, changed.fields);
  assert.deepEqual(
    faultsOf(await call(`POST ${path}/entries`, { as: account, body: { values: { seo: { title: 'x' } } } })),
    ['/values/seo/robots required'],
  );
  assert.equal((await ok(`GET ${path}/entries?q=page`, account)).entries.length, 1, 'stored values keep their index');
  const collection = await ok(`GET ${path}`, account);
  assert.deepEqual(
    (await ok(`PATCH ${path}`, account, collection)).fields,
    collection.fields,
    'filled fields are ignored',
  );

  const loss = { fields: [{ id: 'title', status: 'deleted' }] };
  const refused = await call(`PATCH ${COMPONENTS}/${seo.id}`, { as: account, body: loss });
  assert.equal(refused.body.code, 'data_loss');
  assert.match(
    refused.body.detail,
    /"title" in 1 entry of "Things", "title" in 1 entry of "Things", "title" in 1 entry of "Others"/,
  );
  await ok(`PATCH ${COMPONENTS}/${seo.id}`, account, { ...loss, allowDataLoss: true });
  assert.deepEqual((await ok(`GET ${path}/entries/${id}`, account)).values, {
    seo: {},
    body: [{ _block: 'card', _id: 'c', heading: 'h', meta: {} }],
  });
  await ok(`PATCH ${COMPONENTS}/${seo.id}`, account, { fields: [{ id: 'title', status: 'active' }] });
  assert.equal((await ok(`GET ${path}/entries/${id}`, account)).values.seo.title, 'Page');

  const cycle = { fields: [{ id: 'card', label: 'Card', type: 'group', componentId: card.id }] };
  assert.deepEqual(
    faultsOf(await call(`PATCH ${COMPONENTS}/${seo.id}`, { as: account, body: cycle })).map(
      (each) => each.split(' ')[1],
    ),
    ['component_cycle'],
  );
  const inUse = await call(`DELETE ${COMPONENTS}/${seo.id}`, { as: account });
  assert.deepEqual(faultsOf(inUse), [' component_in_use']);
  assert.match(inUse.body.detail, /component "Card", the collection "Things"/);
  const detached = await ok(`PATCH ${path}`, account, { fields: [{ id: 'seo', componentId: null }] });
  assert.equal('componentId' in detached.fields[0], false);
  assert.equal(detached.fields[0].fields.length, 2, 'it keeps the fields as its own');
  assert.equal((await ok(`GET ${path}/entries/${id}`, account)).values.seo.title, 'Page');
  const unused = await ok(`POST ${COMPONENTS}`, account, { name: 'Unused', fields: [text('a')] });
  await ok(`DELETE ${COMPONENTS}/${unused.id}`, account);
  assert.equal((await call(`GET ${COMPONENTS}/${unused.id}`, { as: account })).status, 404);
  assert.deepEqual(
    (await ok(`GET ${COMPONENTS}`, account)).components.map(({ name }: { name: string }) => name),
    ['SEO', 'Card'],
  );
  const taken = await call(`POST ${COMPONENTS}`, { as: account, body: { key: 'seo', name: 'B', fields: [text('a')] } });
  assert.deepEqual(faultsOf(taken), ['/key key_taken']);
});

test('two changes of a component and its collections at the same time are both made', async () => {
  const account = await newAccount();
  const { id } = await ok(`POST ${COMPONENTS}`, account, { name: 'Seo', fields: [text('a')] });
  const path = await newCollection(account, [{ id: 'seo', label: 'SEO', type: 'group', componentId: id }]);
  await Promise.all([
    ...['b', 'c'].map((field) => ok(`PATCH ${COMPONENTS}/${id}`, account, { fields: [text(field)] })),
    ...['x', 'y'].map((field) => ok(`PATCH ${path}`, account, { fields: [text(field)] })),
  ]);
  const { fields } = await ok(`GET ${path}`, account);
  assert.deepEqual(fields.map((field: { id: string }) => field.id).sort(), ['seo', 'x', 'y']);
  const seo = fields.find((field: { id: string }) => field.id === 'seo');
  assert.deepEqual(seo.fields.map((field: { id: string }) => field.id).sort(), ['a', 'b', 'c']);
});

test('blocks are published, delivered without private fields, expanded, searched and restored', async () => {
  const account = await newAccount();
  const authors = await newCollection(account, [text('name')], { name: 'Authors', publishing: true, public: true });
  const author = await createEntry(account, authors, { name: 'Ada' });
  await ok(`POST ${authors}/entries/${author.id}/publish`, account, {});
  const { payload, headers } = filePart('file', 'a.png', PNG);
  const image = (await call('POST /v1/files/upload', { as: account, body: payload, headers })).body;
  const reference = { format: 'reference', collectionIds: [authors.split('/').at(-1)] };
  const card = {
    id: 'card',
    label: 'Card',
    fields: [
      text('title'),
      text('secret', { private: true }),
      text('author', reference),
      { id: 'picture', label: 'Picture', type: 'asset' },
      text('body', { format: 'richtext' }),
      group('inner', [text('hidden', { private: true }), text('shown'), text('by', reference)], {
        repeated: true,
        rowIds: true,
      }),
    ],
  };
  const path = await newCollection(account, [text('title'), blocks('body', [card, HERO])], {
    publishing: true,
    public: true,
  });
  const row = {
    ...{
      _block: 'card',
      _id: 'r1',
      title: 'Blue',
      secret: 'classified',
      author: author.id,
      body: { markdown: '**bold**' },
    },
    picture: { assetId: image.assetId },
    inner: [{ _id: 'i1', hidden: 'classified', shown: 'yes', by: author.id }],
  };
  const entry = await createEntry(account, path, { title: 'Page', body: [row] });
  const { body } = entry.values as { body: Row[] };
  assert.match(JSON.stringify(body[0]?.picture), /"url":"http/, 'whole assets');
  await ok(`POST ${path}/entries/${entry.id}/publish`, account, {});
  const id = path.split('/').at(-1);
  const shown = (
    await ok(`GET /v1/content/${id}/${entry.id}?expand=body.card.author,body.card.inner.by&richtext=html`, account)
  ).values;
  const [card_] = shown.body;
  assert.deepEqual(Object.keys(card_), ['_block', '_id', 'title', 'author', 'picture', 'body', 'inner']);
  assert.deepEqual([card_.author.values.name, card_.inner[0].by.values.name], ['Ada', 'Ada']);
  assert.equal(card_.body, '<p><strong>bold</strong></p>');
  assert.deepEqual(Object.keys(card_.inner[0]), ['_id', 'shown', 'by']);
  assert.doesNotMatch(JSON.stringify(shown), /classified/);
  assert.equal((await ok(`GET /v1/content/${id}?q=classified`, account)).entries.length, 0);
  assert.equal((await ok(`GET /v1/content/${id}?q=bold`, account)).entries.length, 1);
  const [usage] = (await ok(`GET ${authors}/entries/${author.id}/usages`, account)).usages;
  assert.deepEqual(usage.fields, ['body.card.author', 'body.card.inner.by']);
  const changed = await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: { body: [] } });
  assert.deepEqual(changed.values.body, []);
  const restored = await ok(`POST ${path}/entries/${entry.id}/versions/1/restore`, account, {});
  assert.deepEqual(restored.values, entry.values, 'rows keep their IDs');
  await ok(`DELETE ${authors}/entries/${author.id}`, account);
  const draft = await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: entry.values });
  assert.deepEqual(draft.values, entry.values, 'what was read is accepted, as after its author was deleted');
});

test('lists have a least and a largest number of values', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [
    text('tags', { repeated: true, validation: { minItems: 1, maxItems: 2 } }),
    blocks('body', [HERO], { validation: { maxItems: 1 } }),
  ]);
  const post = (values: object) => call(`POST ${path}/entries`, { as: account, body: { values } });
  assert.equal((await post({})).status, 200, 'not required');
  assert.deepEqual(faultsOf(await post({ tags: [] })), ['/values/tags too_few']);
  const hero = { _block: 'hero', title: 'x' };
  assert.deepEqual(faultsOf(await post({ tags: ['a', 'b', 'c'], body: [hero, hero] })), [
    '/values/body too_many',
    '/values/tags too_many',
  ]);
  const old = await post({ tags: ['a', 'b'] });
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'tags', validation: { maxItems: 1 } }] });
  const patch = (values: object) => call(`PATCH ${path}/entries/${old.body.id}`, { as: account, body: { values } });
  assert.equal((await patch({ tags: ['a', 'x'] })).status, 200, 'an entry keeps its number of values');
  assert.deepEqual(faultsOf(await patch({ tags: ['a', 'x', 'y'] })), ['/values/tags too_many']);
  const drafted = await newCollection(account, [text('tags', { repeated: true, validation: { minItems: 2 } })], {
    publishing: true,
  });
  const draft = await ok(`POST ${drafted}/entries`, account, { values: { tags: ['a'] } });
  const publish = () => call(`POST ${drafted}/entries/${draft.id}/publish`, { as: account });
  assert.deepEqual(faultsOf(await publish()), ['/values/tags too_few'], 'drafts may be incomplete');
  await ok(`PATCH ${drafted}/entries/${draft.id}`, account, { append: { tags: ['b'] } });
  assert.equal((await publish()).status, 200);
  const wrong: [object, string][] = [
    [text('a', { validation: { minItems: 1 } }), '/fields/0/validation/minItems rule_not_allowed'],
    [
      text('a', { repeated: true, validation: { minItems: 2, maxItems: 1 } }),
      '/fields/0/validation/maxItems range_invalid',
    ],
  ];
  for (const [field, fault] of wrong) {
    const answer = await call('POST /v1/cms/collections', { as: account, body: { name: 'C', fields: [field] } });
    assert.deepEqual(faultsOf(answer), [fault]);
  }
});

test('a required text refuses an empty one, unless it was made before or is told otherwise', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [
    text('title', { required: true }),
    text('code', { required: true, validation: { minLength: 0 } }),
    text('note', { required: true, validation: null }),
  ]);
  assert.deepEqual(
    (await ok(`GET ${path}`, account)).fields.map((field: { validation?: object }) => field.validation),
    [{ minLength: 1 }, { minLength: 0 }, undefined],
  );
  const answer = await call(`POST ${path}/entries`, {
    as: account,
    body: { values: { title: '', code: '', note: '' } },
  });
  assert.deepEqual(faultsOf(answer), ['/values/title too_short']);
});

test('whatever rows are written, those that a request names are stored as sent, and hidden ones stay in place', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [text('title'), blocks('body', [HERO, QUOTE])]);
  const { id } = await createEntry(account, path, {});
  const row = fc.oneof(
    fc.record(
      { _block: fc.constant('hero'), title: fc.constantFrom('a', 'b'), note: fc.constantFrom('n', 'm') },
      { requiredKeys: ['_block', 'title'] },
    ),
    fc.record({ _block: fc.constant('quote'), stars: fc.nat(5) }, { requiredKeys: ['_block'] }),
  );
  const setQuote = (status: string) =>
    ok(`PATCH ${path}`, account, { allowDataLoss: true, fields: [{ id: 'body', blocks: [{ id: 'quote', status }] }] });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 6 }), fc.infiniteStream(fc.nat()), async (rows, picks) => {
      const patch = async (body: unknown): Promise<Row[]> =>
        (await ok(`PATCH ${path}/entries/${id}`, account, { values: { body } })).values.body ?? [];
      const made = await patch(rows);
      const sent = JSON.parse(JSON.stringify(rows));
      assert.deepEqual(
        made.map(({ _id, ...rest }) => rest),
        sent,
      );
      assert.deepEqual(await patch(made), made, 'what was read is accepted');
      await setQuote('deleted');
      const visible = made.filter(({ _block }) => _block === 'hero');
      assert.deepEqual((await ok(`GET ${path}/entries/${id}`, account)).values.body, visible);
      // Some rows are removed, the others stay in order.
      const kept = visible.filter(() => (picks.next().value ?? 0) % 2 === 0);
      assert.deepEqual(await patch(kept), kept);
      await setQuote('active');
      const all: Row[] = (await ok(`GET ${path}/entries/${id}`, account)).values.body;
      assert.deepEqual(
        all,
        made.filter((each) => each._block === 'quote' || kept.includes(each)),
      );
    }),
    { numRuns: 25 },
  );
});

test('localized blocks are read, searched and expanded in their locale, and follow changes of their component', async () => {
  const account = await newAccount();
  await ok('PUT /v1/cms/locales', account, { default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }] });
  const card = await ok(`POST ${COMPONENTS}`, account, { name: 'Card', fields: [text('heading')] });
  const block = { id: 'card', label: 'Card', componentId: card.id };
  const path = await newCollection(account, [blocks('body', [block, HERO], { localized: true })]);
  const english = [{ _block: 'card', _id: 'a', heading: 'Boots' }];
  const german = [
    { _block: 'card', _id: 'b', heading: 'Stiefel' },
    { _block: 'hero', _id: 'c', title: 'Winter' },
  ];
  const { id } = await createEntry(account, path, { body: english, 'body@de': german });
  await createEntry(account, path, { body: english.map((row) => ({ ...row, heading: 'Tents' })) });
  await ok(`PATCH ${COMPONENTS}/${card.id}`, account, { fields: [text('link')] });
  const found = async (query: string) =>
    (await ok(`GET ${path}/entries?${query}`, account)).entries.map(
      (entry: { values: { body: Row[] } }) => entry.values.body,
    );
  assert.deepEqual(await found('q=stiefel&locale=de'), [german]);
  assert.deepEqual(await found('q=boots&locale=de'), [], 'the German body is shown instead');
  assert.equal((await found('q=tents&locale=de')).length, 1, 'a fallback is searched');
  const link = [{ ...german[0], link: 'x' }, german[1]];
  const changed = await ok(`PATCH ${path}/entries/${id}`, account, { values: { 'body@de': link } });
  assert.deepEqual([changed.values['body@de'], changed.values.body], [link, english]);
});
