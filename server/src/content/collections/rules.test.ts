import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentService, faultsOf } from '../test-support.ts';

const { call, ok, newAccount, newCollection, createEntry, listAll } = await contentService();
const text = (id: string, more: object = {}) => ({ id, label: id, type: 'text', ...more });
const select = (id: string, ...values: string[]) => ({
  ...{ id, label: id, type: 'select' },
  options: values.map((value) => ({ value, label: value })),
});

test('fields are unique together among active entries, whoever writes them, and among published ones with drafts', async () => {
  const account = await newAccount();
  for (const publishing of [false, true]) {
    const fields = [text('slug', { validation: null }), select('kind', 'a', 'b'), text('other')];
    const path = await newCollection(account, fields, { publishing, uniqueTogether: [['slug', 'kind']] });
    const publish = async (id: string) => {
      if (publishing) return call(`POST ${path}/entries/${id}/publish`, { as: account, body: {} });
      return { status: 200 };
    };
    const post = (values: object) => call(`POST ${path}/entries`, { as: account, body: { values } });
    const one = await post({ slug: 'x', kind: 'a' });
    await publish(one.body.id);
    for (const values of [{ slug: 'x', kind: 'b' }, { slug: 'y', kind: 'a' }, { slug: 'x' }, { slug: 'x' }, {}]) {
      const { status, body } = await post(values);
      assert.equal(status, 200, JSON.stringify(values));
      assert.equal((await publish(body.id)).status, 200, JSON.stringify(values));
    }
    const same = await post({ slug: 'x', kind: 'a' });
    const refused = publishing
      ? await call(`POST ${path}/entries/${same.body.id}/publish`, { as: account, body: {} })
      : same;
    assert.deepEqual(faultsOf(refused), ['/values/slug value_taken']);
    assert.match(
      refused.body.detail,
      new RegExp(`"slug" with "kind" is unique. The entry ${one.body.id} has this value`),
    );
    await ok(`DELETE ${path}/entries/${one.body.id}`, account);
    const next = publishing ? same : await post({ slug: 'x', kind: 'a' });
    assert.equal((await publish(next.body.id)).status, 200, 'the values of a deleted entry are free');
  }
});

test('fields become unique together if their values are, and of many writers of the same values one wins', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [text('a'), text('b'), text('list', { repeated: true })]);
  const twin = await createEntry(account, path, { a: '1', b: '2' });
  await createEntry(account, path, { a: '1', b: '2' });
  const set = (uniqueTogether: unknown) => call(`PATCH ${path}`, { as: account, body: { uniqueTogether } });
  assert.deepEqual(faultsOf(await set([['a', 'b']])), ['/uniqueTogether/0 values_not_unique']);
  await ok(`DELETE ${path}/entries/${twin.id}`, account);
  assert.deepEqual((await set([['a', 'b']])).body.uniqueTogether, [['a', 'b']]);
  const values = { a: 'x', b: 'y' };
  const posts = Array.from({ length: 12 }, () => call(`POST ${path}/entries`, { as: account, body: { values } }));
  const answers = await Promise.all(posts);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(11).fill(400)]);
  assert.deepEqual(
    faultsOf(await set([['a'], ['a', 'none'], ['a', 'list'], ['a', 'a'], ['b', 'a'], ['a', 'b']])).map(
      (each) => each.split(' ')[0],
    ),
    ['/uniqueTogether/0'],
    'the schema comes first',
  );
  assert.deepEqual(
    faultsOf(
      await set([
        ['a', 'none'],
        ['a', 'list'],
        ['a', 'a'],
        ['b', 'a'],
        ['a', 'b'],
      ]),
    ),
    [
      '/uniqueTogether/0/1 field_unknown',
      '/uniqueTogether/1/1 unique_not_allowed',
      '/uniqueTogether/2 duplicate',
      '/uniqueTogether/4 duplicate',
    ],
  );
  // A deleted field takes its lists out of force until it is restored.
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'b', status: 'deleted' }] });
  await createEntry(account, path, { a: 'x' });
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'b', status: 'active' }] });
  assert.deepEqual(faultsOf(await call(`POST ${path}/entries`, { as: account, body: { values } })), [
    '/values/a value_taken',
  ]);
  assert.equal('uniqueTogether' in (await set(null)).body, false);
  await createEntry(account, path, values);
});

test('a deleted unique field blocks neither writing nor publishing, and is claimed again when it is restored', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [text('title'), text('code', { unique: true })], { publishing: true });
  const [one, two] = [await createEntry(account, path, { code: 'x' }), await createEntry(account, path, { code: 'x' })];
  await ok(`POST ${path}/entries/${one.id}/publish`, account, {});
  const publish = () => call(`POST ${path}/entries/${two.id}/publish`, { as: account, body: {} });
  assert.deepEqual(faultsOf(await publish()), ['/values/code value_taken']);
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'code', status: 'deleted' }] });
  assert.equal((await publish()).status, 200);
  const restore = { fields: [{ id: 'code', status: 'active' }] };
  assert.deepEqual(
    faultsOf(await call(`PATCH ${path}`, { as: account, body: restore })).map((each) => each.split(' ')[1]),
    ['values_not_unique'],
  );
  await ok(`POST ${path}/entries/${two.id}/unpublish`, account, {});
  await ok(`PATCH ${path}`, account, restore);
  assert.deepEqual(faultsOf(await publish()), ['/values/code value_taken']);
});

test('a field that is not visible is neither required nor checked, and keeps its value', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [
    select('kind', 'video', 'text'),
    { id: 'minutes', label: 'Minutes', type: 'number' },
    text('url', { required: true, visibleWhen: { kind: { eq: 'video' } }, validation: { minLength: 5 } }),
    text('long', {
      required: true,
      visibleWhen: {
        and: [{ kind: { ne: 'text' } }, { or: [{ minutes: { gt: 10 } }, { not: { minutes: { exists: true } } }] }],
      },
    }),
    {
      ...{ id: 'g', label: 'G', type: 'group' },
      fields: [text('a'), text('b', { required: true, visibleWhen: { a: { eq: 'x' } } })],
    },
  ]);
  const post = (values: object) => call(`POST ${path}/entries`, { as: account, body: { values } });
  assert.deepEqual(faultsOf(await post({ kind: 'video', minutes: 5 })), ['/values/url required']);
  assert.deepEqual(faultsOf(await post({ kind: 'video', minutes: 11, url: 'abcde' })), ['/values/long required']);
  assert.deepEqual(faultsOf(await post({ kind: 'text', g: { a: 'x' } })), ['/values/g/b required']);
  assert.deepEqual(faultsOf(await post({ kind: 'text', url: 5 })), ['/values/url type'], 'still of its type');
  const { body } = await post({ kind: 'text', url: 'abc', g: { a: 'y' } });
  assert.equal(body.values.url, 'abc');
  const patch = (values: object) => call(`PATCH ${path}/entries/${body.id}`, { as: account, body: { values } });
  assert.equal((await patch({ minutes: 3 })).body.values.url, 'abc', 'kept');
  assert.deepEqual(faultsOf(await patch({ kind: 'video', url: 'ab' })), ['/values/url too_short']);
  assert.deepEqual((await ok(`GET ${path}`, account)).fields[2].visibleWhen, { kind: { eq: 'video' } });
  const wrong: [unknown, string][] = [
    [{}, 'where_invalid'],
    [{ none: { eq: 1 } }, 'field_unknown'],
    [{ kind: { near: 1 } }, 'operator_unknown'],
    [{ kind: { gt: 'video' } }, 'operator_not_allowed'],
    [{ kind: { eq: 'image' } }, 'option_unknown'],
    [{ minutes: { eq: 'x' } }, 'value_invalid'],
    [{ and: {} }, 'where_invalid'],
    [{ not: { not: { not: { not: { kind: { exists: true } } } } } }, 'too_deep'],
  ];
  for (const [visibleWhen, code] of wrong) {
    const answer = await call(`PATCH ${path}`, { as: account, body: { fields: [{ id: 'url', visibleWhen }] } });
    assert.deepEqual(
      faultsOf(answer).map((each) => each.split(' ')[1]),
      [code],
      JSON.stringify(visibleWhen),
    );
  }
  const cleared = await ok(`PATCH ${path}`, account, { fields: [{ id: 'url', visibleWhen: null }] });
  assert.equal('visibleWhen' in cleared.fields[0], false);
});

test('defaults are the time of creation, the user who creates the entry, and those of a group', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [
    { id: 'day', label: 'Day', type: 'date', defaultValue: { now: true } },
    { id: 'at', label: 'At', type: 'timestamp', defaultValue: { now: true } },
    text('time', { format: 'time', defaultValue: { now: true } }),
    text('by', { defaultValue: { currentUser: true } }),
    { ...{ id: 'g', label: 'G', type: 'group', defaultValue: {} }, fields: [text('a', { defaultValue: 'x' })] },
  ]);
  const { values } = await createEntry(account, path, {});
  assert.match(String(values.at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(String(values.at).slice(0, 10), values.day);
  assert.match(String(values.day), /^\d{4}-\d\d-\d\d$/);
  assert.match(String(values.time), /^\d\d:\d\d:\d\d$/);
  assert.deepEqual([values.by, values.g], [undefined, { a: 'x' }], 'a key is no user');
  const none = await createEntry(account, path, { day: null, g: null });
  assert.deepEqual([none.values.day, none.values.g], [undefined, undefined]);
  for (const field of [text('x'), { id: 'x', label: 'X', type: 'number' }, text('x', { repeated: true })]) {
    const body = { name: 'C', fields: [{ ...field, defaultValue: { now: true } }] };
    const answer = await call('POST /v1/cms/collections', { as: account, body });
    assert.deepEqual(faultsOf(answer), ['/fields/0/defaultValue default_value_not_allowed']);
  }
});

test('exact numbers are stored as they are sent, sorted and compared by their value, and never rounded', async () => {
  const account = await newAccount();
  const number = (id: string, format: string, more: object = {}) => ({
    id,
    label: id,
    type: 'number',
    format,
    ...more,
  });
  const path = await newCollection(account, [
    number('price', 'decimal', { scale: 2 }),
    number('exact', 'decimal'),
    number('count', 'integer', { validation: { min: -5 }, unique: true }),
  ]);
  const big = '123456789012345678901234567890.05';
  const sent = ['10', '9.5', '-1.2', '-1.23', '0', big, '0.001', '1e2', '-0.0', '007.50'];
  for (const exact of sent) await createEntry(account, path, { exact });
  const inOrder = (await listAll(account, path, [['sort', 'exact:asc']])).map(({ values }) => values.exact);
  assert.deepEqual(inOrder, ['-1.23', '-1.2', '0', '0.0', '0.001', '7.50', '9.5', '10', '100', big]);
  const found = await listAll(account, path, [['filter[exact][eq]', '7.5']]);
  assert.deepEqual(
    found.map(({ values }) => values.exact),
    ['7.50'],
  );
  assert.equal((await listAll(account, path, [['filter[exact][gt]', '123456789012345678901234567890']])).length, 1);
  const post = (values: object) => call(`POST ${path}/entries`, { as: account, body: { values } });
  const stored = async (values: object) => (await post(values)).body.values;
  assert.deepEqual(await stored({ price: 12.5, count: 7 }), { price: '12.5', count: 7 });
  assert.deepEqual(await stored({ price: '12.50', count: '9007199254740993' }), {
    price: '12.50',
    count: '9007199254740993',
  });
  assert.deepEqual(await stored({ count: '12.0' }), { count: 12 });
  assert.deepEqual(await stored({ count: 2 ** 53 }), { count: '9007199254740992' });
  const refused: [object, string][] = [
    [{ price: '1.234' }, '/values/price too_many_places'],
    [{ price: 'x' }, '/values/price type'],
    [{ exact: '1'.repeat(61) }, '/values/exact too_long'],
    [{ count: 1.5 }, '/values/count type'],
    [{ count: -6 }, '/values/count too_small'],
    [{ count: '9007199254740993.0' }, '/values/count value_taken'],
  ];
  for (const [values, fault] of refused)
    assert.deepEqual(faultsOf(await post(values)), [fault], JSON.stringify(values));
  const wrong = await call('POST /v1/cms/collections', {
    as: account,
    body: {
      name: 'C',
      fields: [text('a', { format: 'decimal' }), number('b', 'integer', { scale: 2 }), { ...text('c'), scale: 1 }],
    },
  });
  assert.deepEqual(faultsOf(wrong), [
    '/fields/0/format format_not_allowed',
    '/fields/1/scale scale_not_allowed',
    '/fields/2/scale scale_not_allowed',
  ]);
});

test('lengths count characters, not UTF-16 units', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [
    text('short', { validation: { minLength: 3, maxLength: 5 } }),
    text('long'),
    { id: 'cover', label: 'Cover', type: 'asset' },
  ]);
  const post = (values: object) => call(`POST ${path}/entries`, { as: account, body: { values } });
  for (const short of ['👍👍👍', '👍👍👍👍👍', 'a👍c', 'e\u0301xx'])
    assert.equal((await post({ short })).status, 200, short);
  const faultOf = async (values: object) => faultsOf(await post(values));
  assert.deepEqual(await faultOf({ short: '👍👍' }), ['/values/short too_short']);
  assert.deepEqual(await faultOf({ short: '👍👍👍👍👍👍' }), ['/values/short too_long']);
  assert.equal((await post({ long: '👍'.repeat(100_000) })).status, 200);
  assert.deepEqual(await faultOf({ long: '👍'.repeat(100_001) }), ['/values/long too_long']);
  assert.deepEqual(await faultOf({ long: 'a'.repeat(100_001) }), ['/values/long too_long']);
});

test('times of day and places have one form each', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [text('opens', { format: 'time' }), text('place', { format: 'point' })]);
  for (const opens of ['23:59', '09:30:15', '09:30', '00:00']) await createEntry(account, path, { opens });
  const times = (await listAll(account, path, [['sort', 'opens:asc']])).map(({ values }) => values.opens);
  assert.deepEqual(times, ['00:00', '09:30', '09:30:15', '23:59']);
  assert.equal((await listAll(account, path, [['filter[opens][eq]', '09:30:00']])).length, 1);
  const post = (values: object) => call(`POST ${path}/entries`, { as: account, body: { values } });
  const place = { lat: 52.52, lng: -13.4 };
  assert.deepEqual((await post({ place })).body.values, { place });
  const refused: [object, string[]][] = [
    [{ opens: '24:00' }, ['/values/opens time_invalid']],
    [{ opens: '9:30' }, ['/values/opens time_invalid']],
    [{ place: { lat: 91, lng: 181 } }, ['/values/place/lat lat_invalid', '/values/place/lng lng_invalid']],
    [{ place: { lat: '1', lng: 1, alt: 5 } }, ['/values/place/alt unknown_property', '/values/place/lat lat_invalid']],
    [{ place: [1, 2] }, ['/values/place type']],
  ];
  for (const [values, faults] of refused)
    assert.deepEqual(faultsOf(await post(values)), faults, JSON.stringify(values));
});

test('a computed text follows the values it is made of, also of entries that are older than it', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [
    text('firstName'),
    text('lastName'),
    { ...{ id: 'seo', label: 'SEO', type: 'group' }, fields: [text('title')] },
    text('secret', { private: true }),
  ]);
  const old = await createEntry(account, path, { firstName: 'Ada', lastName: 'Lovelace' });
  const computed = (template: string, more: object = {}) => ({
    fields: [{ ...text('fullName'), computed: template, ...more }],
  });
  const wrong: [string, string][] = [
    ['no field', 'computed_invalid'],
    ['{none}', 'field_unknown'],
    ['{seo}', 'computed_invalid'],
    ['{fullName}', 'computed_invalid'],
    ['{secret}', 'computed_private'],
  ];
  for (const [template, code] of wrong) {
    const answer = await call(`PATCH ${path}`, { as: account, body: computed(template) });
    assert.deepEqual(faultsOf(answer), [`/fields/0/computed ${code}`], template);
  }
  await ok(`PATCH ${path}`, account, computed('{firstName} {lastName}'));
  const read = async () => (await ok(`GET ${path}/entries/${old.id}`, account)).values.fullName;
  assert.equal(await read(), 'Ada Lovelace');
  assert.equal((await listAll(account, path, [['filter[fullName][eq]', 'Ada Lovelace']])).length, 1);
  assert.equal((await listAll(account, path, [['q', 'lovelace']])).length, 1);
  const changed = await ok(`PATCH ${path}/entries/${old.id}`, account, {
    values: { lastName: 'Byron', fullName: 'ignored' },
  });
  assert.equal(changed.values.fullName, 'Ada Byron');
  assert.equal((await listAll(account, path, [['filter[fullName][eq]', 'Ada Lovelace']])).length, 0);
  await ok(`PATCH ${path}`, account, {
    fields: [{ id: 'fullName', computed: '{lastName}, {firstName} ({seo.title})' }],
  });
  assert.equal(await read(), 'Byron, Ada ()');
  assert.equal((await listAll(account, path, [['filter[fullName][eq]', 'Byron, Ada ()']])).length, 1);
  assert.equal((await createEntry(account, path, {})).values.fullName, undefined);
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'fullName', computed: null }] });
  const written = await ok(`PATCH ${path}/entries/${old.id}`, account, { values: { fullName: 'by hand' } });
  assert.equal(written.values.fullName, 'by hand');
});

test('a computed text of a group, a row, a block or a component follows what is beside it', async () => {
  const account = await newAccount();
  const [first, last] = [text('first'), text('last')];
  const full = (more: object = {}) => text('full', { computed: '{first} {last}', ...more });
  const component = await ok('POST /v1/cms/components', account, { name: 'Person', fields: [first, last] });
  const path = await newCollection(account, [
    { ...{ id: 'boss', label: 'Boss', type: 'group' }, fields: [full(), first, last] },
    { ...{ id: 'team', label: 'Team', type: 'group', repeated: true }, fields: [first, last, full()] },
    {
      ...{ id: 'parts', label: 'Parts', type: 'group', repeated: true, format: 'blocks', fields: [] },
      blocks: [
        { id: 'person', label: 'Person', componentId: component.id },
        { id: 'other', label: 'Other', fields: [text('full')] },
      ],
    },
    text('slug', { format: 'slug', slugSource: 'name' }),
    text('name'),
    text('at', { computed: '/people/{slug}' }),
  ]);
  const ada = { first: 'Ada', last: 'Lovelace' };
  const entry = await ok(`POST ${path}/entries`, account, {
    values: {
      ...{ name: 'The team', boss: { ...ada, full: 'ignored' }, team: [ada, { first: 'Bob' }, {}] },
      parts: [
        { _block: 'person', ...ada },
        { _block: 'other', full: 'mine' },
      ],
    },
  });
  const { values } = entry;
  assert.deepEqual(
    [values.boss.full, values.team.map((row: { full?: string }) => row.full), values.parts[1].full, values.at],
    ['Ada Lovelace', ['Ada Lovelace', 'Bob', undefined], 'mine', '/people/the-team'],
  );
  const found = (where: object) => listAll(account, path, [['where', JSON.stringify(where)]]);
  assert.equal((await found({ 'boss.full': { eq: 'Ada Lovelace' } })).length, 1);
  assert.equal((await found({ team: { some: { full: { eq: 'Bob' } } } })).length, 1);
  assert.equal((await listAll(account, path, [['sort', 'boss.full:asc']])).length, 1);

  // Entries follow a component that changes, and what is not sent stays.
  await ok(`PATCH /v1/cms/components/${component.id}`, account, { fields: [first, last, full()] });
  const at = `${path}/entries/${entry.id}`;
  const read = async () => (await ok(`GET ${at}`, account)).values;
  assert.equal((await read()).parts[0].full, 'Ada Lovelace');
  assert.equal((await found({ 'parts.person.full': { eq: 'Ada Lovelace' } })).length, 1);
  const [{ _id: row }] = values.parts;
  const changed = await ok(`PATCH ${at}`, account, {
    merge: { boss: { last: 'Byron' } },
    rows: [{ field: 'parts', id: row, values: { first: 'Eve' } }],
  });
  assert.deepEqual(
    [changed.values.boss.full, changed.values.parts[0].full, changed.values.team],
    ['Ada Byron', 'Eve Lovelace', values.team],
  );
  assert.deepEqual((await ok(`PATCH ${at}`, account, { values: changed.values })).values, changed.values);

  // What is private stays so.
  const withPerson = (computed: string) => ({
    fields: [text('who', { computed }), { id: 'person', label: 'Person', type: 'group', componentId: component.id }],
  });
  assert.deepEqual(faultsOf(await call(`PATCH ${path}`, { as: account, body: withPerson('{person.full}') })), [
    '/fields/0/computed computed_invalid',
  ]);
  await ok(`PATCH ${path}`, account, withPerson('{person.last}'));
  const hidden = {
    fields: [
      { id: 'last', private: true },
      { id: 'full', private: true },
    ],
  };
  const refused = await call(`PATCH /v1/cms/components/${component.id}`, { as: account, body: hidden });
  assert.deepEqual(faultsOf(refused), ['/fields computed_private']);
  const wrong = [
    { ...text('a'), computed: '{name}' },
    { ...text('b'), computed: '{secret}' },
    text('secret', { private: true }),
    text('c', { repeated: true, computed: '{first}' }),
  ];
  const answer = await call(`PATCH ${path}`, { as: account, body: { fields: [{ id: 'boss', fields: wrong }] } });
  assert.deepEqual(faultsOf(answer), [
    '/fields/0/fields/0/computed field_unknown',
    '/fields/0/fields/1/computed computed_private',
    '/fields/0/fields/3/computed computed_not_allowed',
  ]);
});

test('a collection cannot be deleted while a field of another one protects its entries', async () => {
  const account = await newAccount();
  const authors = await newCollection(account, [text('name')], { key: 'authors' });
  const others = await newCollection(account, [text('name')], { key: 'others' });
  const reference = { format: 'reference', collectionIds: ['others', 'authors'], onDelete: 'refuse' };
  const posts = await newCollection(account, [text('author', reference)]);
  const author = await createEntry(account, authors, { name: 'Ada' });
  const other = await createEntry(account, others, { name: 'Bob' });
  await createEntry(account, posts, { author: other.id });
  const post = await createEntry(account, posts, { author: author.id });
  for (const request of [`DELETE ${authors}`, `PATCH ${authors}`]) {
    const answer = await call(request, {
      as: account,
      ...(request.startsWith('P') && { body: { status: 'deleted' } }),
    });
    assert.deepEqual(faultsOf(answer), [' entry_referenced'], request);
    assert.ok(answer.body.detail.includes(author.id) && answer.body.detail.includes(post.id));
  }
  await ok(`PATCH ${posts}/entries/${post.id}`, account, { values: { author: null } });
  await ok(`DELETE ${authors}`, account);
  await ok(`DELETE ${posts}`, account);
  await ok(`DELETE ${others}`, account);
});

test('writers of protected references and the deletion of their collection never both succeed', async () => {
  const account = await newAccount();
  for (let round = 0; round < 6; round++) {
    const authors = await newCollection(account, [text('name')]);
    const reference = { format: 'reference', collectionIds: [authors.split('/').at(-1)], onDelete: 'refuse' };
    const posts = await newCollection(account, [text('author', reference)]);
    const author = await createEntry(account, authors, { name: 'Ada' });
    const [written, deleted] = await Promise.all([
      call(`POST ${posts}/entries`, { as: account, body: { values: { author: author.id } } }),
      call(`DELETE ${authors}`, { as: account }),
    ]);
    assert.deepEqual([written.status, deleted.status].sort(), [200, 400]);
  }
});

test('the slug of a locale goes with its title; that of the default locale stays', async () => {
  const account = await newAccount();
  await ok('PUT /v1/cms/locales', account, { default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }] });
  const path = await newCollection(account, [
    text('title', { localized: true }),
    text('slug', { format: 'slug', slugSource: 'title', localized: true }),
  ]);
  const { id, values } = await createEntry(account, path, { title: 'Summer', 'title@de': 'Sommer' });
  assert.deepEqual(values, { title: 'Summer', 'title@de': 'Sommer', slug: 'summer', 'slug@de': 'sommer' });
  const patch = async (sent: object) => (await ok(`PATCH ${path}/entries/${id}`, account, { values: sent })).values;
  assert.deepEqual(await patch({ 'title@de': null }), { title: 'Summer', slug: 'summer' });
  assert.equal((await patch({ 'title@de': 'Winter' }))['slug@de'], 'winter');
  assert.equal((await patch({ title: null })).slug, 'summer');
});

test('an asset as public content returns it can be written back', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [{ id: 'cover', label: 'Cover', type: 'asset' }]);
  const answer = await call(`POST ${path}/entries`, {
    as: account,
    body: { values: { cover: { assetId: 'ast_none', srcset: 'a 320w', url: 'x' } } },
  });
  assert.deepEqual(faultsOf(answer), ['/values/cover/assetId asset_unknown']);
});
