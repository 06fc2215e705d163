import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../limits.ts';
import { contentService, faultsOf } from '../test-support.ts';

const service = await contentService();
const { call, ok, newAccount } = service;
const ROOT = '/v1/cms/collections';
const SELECT = {
  id: 'kind',
  label: 'Kind',
  type: 'select',
  options: [
    { value: 'a', label: 'A' },
    { value: 'b', label: 'B' },
  ],
};
const GROUP = {
  id: 'box',
  label: 'Box',
  type: 'group',
  fields: [
    { id: 'note', label: 'Note', type: 'text' },
    { ...SELECT, id: 'sort' },
  ],
};
const text = (id: string, more: object = {}) => ({ id, label: id, type: 'text', ...more });

test('responses contain every member of a collection, including nulls', async () => {
  const account = await newAccount();
  service.clock.now = Date.parse('2036-11-20T08:00:00.123Z');
  const bare = await ok(`POST ${ROOT}`, account, { name: 'Posts' });
  assert.match(bare.id, /^col_[0-9a-z]{26}$/);
  assert.deepEqual(bare, {
    id: bare.id,
    name: 'Posts',
    description: null,
    fields: [],
    displayFieldId: null,
    defaultSort: null,
    status: 'active',
    createdAt: '2036-11-20T08:00:00.123Z',
    updatedAt: '2036-11-20T08:00:00.123Z',
  });
  const full = await ok(`POST ${ROOT}`, account, {
    name: 'Posts',
    description: '',
    fields: [text('title', { required: true }), { label: 'Sizes', type: 'number', repeated: true }, SELECT, GROUP],
    displayFieldId: 'title',
    defaultSort: { fieldId: 'title', direction: 'desc' },
  });
  const made = full.fields[1].id;
  assert.match(made, /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/);
  const none = { required: false, status: 'active', options: null };
  const options = SELECT.options.map((option) => ({ ...option, status: 'active' }));
  assert.deepEqual(full.fields, [
    {
      ...{ id: 'title', label: 'title', type: 'text', ...none, required: true, repeated: false, fields: null },
      validation: { minLength: 1 },
    },
    { id: made, label: 'Sizes', type: 'number', ...none, repeated: true, fields: null },
    { id: 'kind', label: 'Kind', type: 'select', ...none, options, repeated: false, fields: null },
    {
      id: 'box',
      label: 'Box',
      type: 'group',
      ...none,
      repeated: false,
      fields: [
        { id: 'note', label: 'Note', type: 'text', ...none },
        { id: 'sort', label: 'Kind', type: 'select', ...none, options },
      ],
    },
  ]);
  assert.equal(full.description, '');
  assert.deepEqual([full.displayFieldId, full.defaultSort], ['title', { fieldId: 'title', direction: 'desc' }]);
  assert.deepEqual(await ok(`GET ${ROOT}/${full.id}`, account), full);
});

const within = (field: object) => ({ label: 'Group', type: 'group', fields: [field] });

test('an invalid collection is refused with a pointer to every fault', async () => {
  const account = await newAccount();
  const long = 'x'.repeat(256);
  const cases: [body: unknown, faults: string[]][] = [
    [{}, ['/name required']],
    [[], [' type']],
    [{ name: '' }, ['/name format']],
    [{ name: ' \n' }, ['/name format']],
    [{ name: long }, ['/name too_long']],
    [{ name: 1 }, ['/name type']],
    [{ name: 'C', status: 'deleted' }, ['/status not_allowed']],
    [{ name: 'C', version: 1 }, ['/version unknown_property']],
    [{ name: 'C', description: 5 }, ['/description type']],
    [{ name: 'C', fields: {} }, ['/fields type']],
    [{ name: 'C', fields: null }, ['/fields type']],
    [{ name: 'C', fields: [{}] }, ['/fields/0/label required', '/fields/0/type required']],
    [{ name: 'C', fields: [text('-a')] }, ['/fields/0/id format']],
    [{ name: 'C', fields: [text(`a${'b'.repeat(64)}`)] }, ['/fields/0/id format']],
    [{ name: 'C', fields: [text('a'), text('b'), text('a')] }, ['/fields/2/id duplicate']],
    [{ name: 'C', fields: [{ label: 'A', type: 'string' }] }, ['/fields/0/type not_allowed']],
    [{ name: 'C', fields: [{ label: '', type: 'text' }] }, ['/fields/0/label format']],
    [
      { name: 'C', fields: [text('a', { required: 'yes', repeated: 1 })] },
      ['/fields/0/repeated type', '/fields/0/required type'],
    ],
    [{ name: 'C', fields: [text('a', { status: 'gone' })] }, ['/fields/0/status not_allowed']],
    [{ name: 'C', fields: [text('a', { options: [] })] }, ['/fields/0/options options_not_allowed']],
    [{ name: 'C', fields: [text('a', { fields: [] })] }, ['/fields/0/fields fields_not_allowed']],
    [{ name: 'C', fields: [{ label: 'S', type: 'select' }] }, ['/fields/0/options options_required']],
    [{ name: 'C', fields: [{ label: 'S', type: 'select', options: null }] }, ['/fields/0/options options_required']],
    [{ name: 'C', fields: [{ label: 'S', type: 'select', options: [] }] }, ['/fields/0/options options_required']],
    [
      { name: 'C', fields: [{ label: 'S', type: 'select', options: [{ value: 'a' }] }] },
      ['/fields/0/options/0/label required'],
    ],
    [
      { name: 'C', fields: [{ label: 'S', type: 'select', options: [{ value: '', label: 'A' }] }] },
      ['/fields/0/options/0/value too_short'],
    ],
    [
      {
        name: 'C',
        fields: [{ label: 'S', type: 'select', options: [...SELECT.options, { value: 'a', label: 'Again' }] }],
      },
      ['/fields/0/options/2/value duplicate'],
    ],
    [{ name: 'C', fields: [{ label: 'G', type: 'group' }] }, ['/fields/0/fields fields_required']],
    [{ name: 'C', fields: [within(within(within(within(GROUP))))] }, [`${'/fields/0'.repeat(5)}/type group_nested`]],
    [{ name: 'C', fields: [within({ ...GROUP, colour: 1 })] }, ['/fields/0/fields/0/colour unknown_property']],
    [{ name: 'C', fields: [within(within({ type: 'text' }))] }, [`${'/fields/0'.repeat(3)}/label required`]],
    [
      { name: 'C', fields: [within(text('a', { unique: true, localized: true }))] },
      ['/fields/0/fields/0/localized unknown_property', '/fields/0/fields/0/unique unknown_property'],
    ],
    [{ name: 'C', fields: [{ ...GROUP, fields: [text('a'), text('a')] }] }, ['/fields/0/fields/1/id duplicate']],
    [{ name: 'C', displayFieldId: 'a' }, ['/displayFieldId field_unknown']],
    [{ name: 'C', fields: [text('a')], displayFieldId: 'A' }, ['/displayFieldId field_unknown']],
    [{ name: 'C', defaultSort: {} }, ['/defaultSort/direction required', '/defaultSort/fieldId required']],
    [{ name: 'C', defaultSort: { fieldId: 'a', direction: 'up' } }, ['/defaultSort/direction not_allowed']],
    [{ name: 'C', defaultSort: { fieldId: 'a', direction: 'asc' } }, ['/defaultSort/fieldId field_unknown']],
    [
      { name: 'C', fields: [text('a', { repeated: true })], defaultSort: { fieldId: 'a', direction: 'asc' } },
      ['/defaultSort/fieldId field_not_sortable'],
    ],
    [
      { name: 'C', fields: [GROUP], displayFieldId: 'none', defaultSort: { fieldId: 'box', direction: 'asc' } },
      ['/defaultSort/fieldId field_not_sortable', '/displayFieldId field_unknown'],
    ],
    [
      { name: 'C', fields: Array.from({ length: LIMITS.fields + 1 }, () => ({ label: 'A', type: 'text' })) },
      ['/fields too_many'],
    ],
  ];
  for (const [body, faults] of cases) {
    const answer = await call(`POST ${ROOT}`, { as: account, body });
    assert.deepEqual(faultsOf(answer), faults, JSON.stringify(body).slice(0, 200));
  }
  assert.deepEqual((await ok(`GET ${ROOT}`, account)).collections, []);
});

test('IDs that are JavaScript property names, and one ID in both a list and a group, work like any other', async () => {
  const account = await newAccount();
  const fields = [text('constructor'), text('toString'), text('note'), GROUP];
  const path = await service.newCollection(account, fields);
  const entry = await service.createEntry(account, path, { constructor: 'x', box: { note: 'y' } });
  assert.deepEqual(entry.values, { constructor: 'x', box: { note: 'y' } });
  assert.equal(
    (
      await service.listAll(account, path, [
        ['filter[toString][exists]', 'false'],
        ['sort', 'constructor:asc'],
      ])
    ).length,
    1,
  );
});

test('active collections are listed oldest first, each once, for any page size', async () => {
  const account = await newAccount();
  const ids: string[] = [];
  for (let i = 0; i < 12; i++) {
    service.clock.now += i % 3;
    ids.push((await ok(`POST ${ROOT}`, account, { name: `C${i}` })).id);
  }
  await ok(`DELETE ${ROOT}/${ids[3]}`, account);
  const expected = ids.filter((_, i) => i !== 3);
  for (const size of [1, 5, 11, 12, 100]) {
    const found: string[] = [];
    for (let token = ''; ; ) {
      const page = await ok(`GET ${ROOT}?pageSize=${size}&pageToken=${token}`, account);
      assert.ok(page.collections.length <= size);
      found.push(...page.collections.map(({ id }: { id: string }) => id));
      if (page.nextPageToken === null) break;
      token = page.nextPageToken;
    }
    assert.deepEqual(found, expected);
  }
  const [first] = expected;
  const page = await ok(`GET ${ROOT}?pageSize=2`, account);
  await ok(`DELETE ${ROOT}/${first}`, account);
  await ok(`POST ${ROOT}`, account, { name: 'New' });
  const next = await ok(`GET ${ROOT}?pageSize=2&pageToken=${page.nextPageToken}`, account);
  assert.deepEqual(
    next.collections.map(({ id }: { id: string }) => id),
    expected.slice(2, 4),
  );

  const other = await newAccount();
  const token = page.nextPageToken;
  const refused: [string, typeof account, string][] = [
    ['pageSize=0', account, '?pageSize out_of_range'],
    ['pageSize=101', account, '?pageSize out_of_range'],
    ['pageSize=1.5', account, '?pageSize type'],
    ['pageSize=', account, '?pageSize type'],
    ['pageSize=1&pageSize=2', account, '?pageSize type'],
    ['pagesize=1', account, '?pagesize unknown_property'],
    [`pageToken=${token}`, other, '?pageToken page_token_invalid'],
    [`pageToken=${token}x`, account, '?pageToken page_token_invalid'],
    [`pageToken=${token.slice(0, -2)}`, account, '?pageToken page_token_invalid'],
    ['pageToken=x', account, '?pageToken page_token_invalid'],
  ];
  for (const [query, as, fault] of refused) {
    assert.deepEqual(faultsOf(await call(`GET ${ROOT}?${query}`, { as })), [fault], query);
  }
});

test('a page has fifty collections by default', async () => {
  const account = await newAccount();
  for (let i = 0; i < 51; i++) await ok(`POST ${ROOT}`, account, { name: `C${i}` });
  assert.equal((await ok(`GET ${ROOT}`, account)).collections.length, 50);
  assert.equal((await ok(`GET ${ROOT}?pageSize=100`, account)).nextPageToken, null);
});

test('a deleted collection is hidden with its entries until it is restored', async () => {
  const account = await newAccount();
  const path = await service.newCollection(account, [text('a')]);
  const entry = await service.createEntry(account, path, { a: 'x' });
  service.clock.now += 5;
  const deleted = await ok(`DELETE ${path}`, account);
  assert.equal(deleted.status, 'deleted');
  assert.ok(deleted.updatedAt > deleted.createdAt);
  assert.deepEqual((await ok(`GET ${ROOT}`, account)).collections, []);
  assert.deepEqual(await ok(`GET ${path}?includeDeleted=true`, account), deleted);
  const gone = [
    `GET ${path}`,
    `GET ${path}?includeDeleted=false`,
    `DELETE ${path}`,
    `GET ${path}/entries`,
    `GET ${path}/entries/${entry.id}`,
    `GET ${path}/entries/${entry.id}?includeDeleted=true`,
    `DELETE ${path}/entries/${entry.id}`,
  ];
  for (const request of gone) {
    const answer = await call(request, { as: account });
    assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], request);
  }
  const bodies: [string, unknown][] = [
    [`PATCH ${path}`, { name: 'Other' }],
    [`PATCH ${path}`, { status: 'deleted' }],
    [`POST ${path}/entries`, { values: { a: 'y' } }],
    [`PATCH ${path}/entries/${entry.id}`, { values: { a: 'y' } }],
  ];
  for (const [request, body] of bodies) assert.equal((await call(request, { as: account, body })).status, 404, request);
  const restored = await ok(`PATCH ${path}`, account, { status: 'active', name: 'Back' });
  assert.deepEqual([restored.status, restored.name], ['active', 'Back']);
  assert.deepEqual(await ok(`GET ${path}/entries`, account), { entries: [entry], nextPageToken: null });
});

test('an update keeps what it does not send, and the order it sends', async () => {
  const account = await newAccount();
  const path = await service.newCollection(account, [text('a'), text('b'), SELECT, GROUP], { description: 'D' });
  const before = await ok(`GET ${path}`, account);
  assert.deepEqual({ ...(await ok(`PATCH ${path}`, account, {})), updatedAt: 0 }, { ...before, updatedAt: 0 });
  const changed = await ok(`PATCH ${path}`, account, {
    fields: [
      {
        id: 'box',
        label: 'Case',
        fields: [
          {
            id: 'sort',
            options: [
              { value: 'b', label: 'Bee' },
              { value: 'c', label: 'C' },
            ],
          },
          text('new'),
        ],
      },
      { label: 'Fresh', type: 'date' },
      { id: 'b', required: true, type: 'text', repeated: false, options: null, fields: null },
      { id: 'kind', options: [{ value: 'b', status: 'deleted' }] },
    ],
  });
  const shape = changed.fields.map(({ id, label, required }: Record<string, unknown>) => [id, label, required]);
  assert.deepEqual(shape, [
    ['box', 'Case', false],
    [changed.fields[1].id, 'Fresh', false],
    ['b', 'b', true],
    ['kind', 'Kind', false],
    ['a', 'a', false],
  ]);
  const [box, , , kind] = changed.fields;
  assert.deepEqual(
    box.fields.map(({ id }: { id: string }) => id),
    ['sort', 'new', 'note'],
  );
  assert.deepEqual(box.fields[0].options, [
    { value: 'b', label: 'Bee', status: 'active' },
    { value: 'c', label: 'C', status: 'active' },
    { value: 'a', label: 'A', status: 'active' },
  ]);
  assert.deepEqual(kind.options, [
    { value: 'b', label: 'B', status: 'deleted' },
    { value: 'a', label: 'A', status: 'active' },
  ]);
  assert.equal(changed.description, 'D');
  assert.deepEqual(await ok(`GET ${path}`, account), changed);
  const back = await ok(`PATCH ${path}`, account, {
    fields: [{ id: 'kind', options: [{ value: 'b', status: 'active' }] }],
  });
  assert.equal(back.fields[0].options[0].status, 'active');
});

test('a collection that was read can be sent back as it is, and created again', async () => {
  const account = await newAccount();
  const path = await service.newCollection(account, [text('a'), text('0'), SELECT, GROUP]);
  await ok(`PATCH ${path}`, account, {
    fields: [
      { id: 'a', status: 'deleted' },
      { id: 'kind', options: [{ value: 'b', status: 'deleted' }] },
    ],
  });
  const read = await ok(`GET ${path}`, account);
  const { updatedAt, ...same } = await ok(`PATCH ${path}`, account, read);
  assert.deepEqual({ ...same, updatedAt: read.updatedAt }, read);
  const copy = await ok(`POST ${ROOT}`, account, read);
  assert.notEqual(copy.id, read.id);
  assert.deepEqual([copy.name, copy.fields], [read.name, read.fields]);
});

test('deleting the display or sort field clears the reference to it, and so does null', async () => {
  const account = await newAccount();
  const settings = { description: 'D', displayFieldId: 'a', defaultSort: { fieldId: 'b', direction: 'asc' } };
  const path = await service.newCollection(account, [text('a'), text('b')], settings);
  const one = await ok(`PATCH ${path}`, account, { fields: [{ id: 'a', status: 'deleted' }] });
  assert.deepEqual([one.displayFieldId, one.defaultSort.fieldId, one.description], [null, 'b', 'D']);
  const two = await ok(`PATCH ${path}`, account, {
    fields: [
      { id: 'a', status: 'active' },
      { id: 'b', status: 'deleted' },
    ],
  });
  assert.deepEqual([two.displayFieldId, two.defaultSort], [null, null]);
  assert.equal(two.fields.length, 2);
  await ok(`PATCH ${path}`, account, { displayFieldId: 'a', defaultSort: { fieldId: 'a', direction: 'desc' } });
  const cleared = await ok(`PATCH ${path}`, account, { description: null, displayFieldId: null, defaultSort: null });
  assert.deepEqual([cleared.description, cleared.displayFieldId, cleared.defaultSort], [null, null, null]);
});

test('an invalid update is refused with every fault and changes nothing', async () => {
  const account = await newAccount();
  const path = await service.newCollection(account, [text('a'), text('gone'), SELECT, GROUP]);
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'gone', status: 'deleted' }] });
  const before = await ok(`GET ${path}`, account);
  const cases: [body: unknown, faults: string[]][] = [
    [{ name: null }, ['/name type']],
    [{ status: 'archived' }, ['/status not_allowed']],
    [{ created: '2026-01-01' }, ['/created unknown_property']],
    [{ fields: [{ id: 'a', type: 'number' }] }, ['/fields/0/type type_immutable']],
    [{ fields: [{ id: 'gone', type: 'number' }] }, ['/fields/0/type type_immutable']],
    [{ fields: [{ id: 'a', repeated: true }] }, ['/fields/0/repeated repeated_immutable']],
    [{ fields: [{ id: 'box', fields: [{ id: 'note', type: 'number' }] }] }, ['/fields/0/fields/0/type type_immutable']],
    [{ fields: [{ id: 'a', status: 'deleted' }, { id: 'a' }] }, ['/fields/1/id duplicate']],
    [
      { fields: [{ id: 'typo', status: 'deleted' }] },
      ['/fields/0/label required', '/fields/0/status field_unknown', '/fields/0/type required'],
    ],
    [
      { fields: [{ id: 'kind', options: [{ value: 'typo', status: 'deleted' }] }] },
      ['/fields/0/options/0/label required', '/fields/0/options/0/status option_unknown'],
    ],
    [{ fields: [{ id: 'a', options: SELECT.options }] }, ['/fields/0/options options_not_allowed']],
    [{ fields: [{ id: 'kind', fields: [text('x')] }] }, ['/fields/0/fields fields_not_allowed']],
    [{ displayFieldId: 'gone' }, ['/displayFieldId field_unknown']],
    [{ displayFieldId: 'a', fields: [{ id: 'a', status: 'deleted' }] }, ['/displayFieldId field_unknown']],
    [{ defaultSort: { fieldId: 'gone', direction: 'asc' } }, ['/defaultSort/fieldId field_unknown']],
  ];
  for (const [body, faults] of cases) {
    assert.deepEqual(faultsOf(await call(`PATCH ${path}`, { as: account, body })), faults, JSON.stringify(body));
  }
  assert.deepEqual(await ok(`GET ${path}`, account), before);
});

test('the number of fields and options is limited, including deleted ones', async () => {
  const account = await newAccount();
  const path = await service.newCollection(account, [SELECT]);
  const many = (count: number, from: number) => Array.from({ length: count }, (_, i) => text(`f${from + i}`));
  await ok(`PATCH ${path}`, account, { fields: many(LIMITS.fields - 1, 0) });
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'f0', status: 'deleted' }] });
  assert.deepEqual(faultsOf(await call(`PATCH ${path}`, { as: account, body: { fields: many(1, 500) } })), [
    '/fields too_many',
  ]);
  const options = (count: number, from: number, length = 1) =>
    Array.from({ length: count }, (_, i) => ({ value: `o${from + i}`, label: 'x'.repeat(length) }));
  const kind = (each: unknown[]) => ({ fields: [{ id: 'kind', options: each }] });
  await ok(`PATCH ${path}`, account, kind(options(LIMITS.options - 2, 0)));
  assert.deepEqual(faultsOf(await call(`PATCH ${path}`, { as: account, body: kind(options(1, 900)) })), [
    '/fields/0/options too_many',
  ]);
  const large = (from: number) => ({
    name: 'Large',
    fields: Array.from({ length: 5 }, (_, i) => ({
      ...SELECT,
      id: `s${from + i}`,
      options: options(LIMITS.options, 0, 250),
    })),
  });
  const { id } = await ok(`POST ${ROOT}`, account, large(0));
  const { fields } = large(5);
  assert.deepEqual(faultsOf(await call(`PATCH ${ROOT}/${id}`, { as: account, body: { fields } })), [
    '/fields too_large',
  ]);
});

test('concurrent changes of one collection are all kept', async () => {
  const account = await newAccount();
  const path = await service.newCollection(account, []);
  const ids = Array.from({ length: 10 }, (_, i) => `f${i}`);
  await Promise.all(ids.map((id) => ok(`PATCH ${path}`, account, { fields: [text(id)] })));
  const { fields } = await ok(`GET ${path}`, account);
  assert.deepEqual(fields.map(({ id }: { id: string }) => id).sort(), ids);
});

test('an Idempotency-Key creates one collection and one entry, however often it is sent', async () => {
  const account = await newAccount();
  const headers = { 'idempotency-key': 'once' };
  const body = { name: 'Once', fields: [text('a')] };
  const answers = await Promise.all([1, 2, 3].map(() => call(`POST ${ROOT}`, { as: account, body, headers })));
  assert.deepEqual(new Set(answers.map((answer) => answer.body.id)).size, 1);
  assert.deepEqual(answers[2]?.body, answers[0]?.body);
  assert.equal(
    (await call(`POST ${ROOT}`, { as: account, body: { name: 'Two' }, headers })).body.code,
    'idempotency_key_reused',
  );
  const path = `${ROOT}/${answers[0]?.body.id}`;
  const twice = [1, 2].map(() =>
    call(`POST ${path}/entries`, {
      as: account,
      body: { values: { a: 'x' } },
      headers: { 'idempotency-key': 'entry' },
    }),
  );
  const [one, two] = await Promise.all(twice);
  assert.deepEqual([one?.status, two?.status], [200, 200]);
  assert.deepEqual(one?.body, two?.body);
  assert.equal((await ok(`GET ${path}/entries`, account)).entries.length, 1);
});

test('no account can read, change or reference the content of another, and errors reveal nothing', async () => {
  const [mine, other] = [await newAccount(), await newAccount()];
  const path = await service.newCollection(mine, [text('a')]);
  const entry = await service.createEntry(mine, path, { a: 'x' });
  const unknown = `${ROOT}/col_${'0'.repeat(26)}`;
  const body: Record<string, unknown> = { POST: { values: { a: 'y' } }, PATCH: { status: 'active' } };
  const before = [await ok(`GET ${path}`, mine), await ok(`GET ${path}/entries`, mine)];
  for (const [method, rest] of [
    ['GET', ''],
    ['GET', '?includeDeleted=true'],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/entries'],
    ['POST', '/entries'],
    ['GET', `/entries/${entry.id}`],
    ['GET', `/entries/${entry.id}?includeDeleted=true`],
    ['PATCH', `/entries/${entry.id}`],
    ['DELETE', `/entries/${entry.id}`],
  ] as const) {
    const send = (at: string) =>
      call(`${method} ${at}${rest}`, { as: other, ...(body[method] !== undefined && { body: body[method] }) });
    const [theirs, nobodys] = [await send(path), await send(unknown)];
    assert.equal(theirs.status, 404, `${method} ${rest}`);
    const plain = ({ requestId: _, ...problem }: Record<string, unknown>) => problem;
    assert.deepEqual(plain(theirs.body), plain(nobodys.body));
  }
  assert.deepEqual(await ok(`GET ${ROOT}`, other), { collections: [], nextPageToken: null });
  // An entry of another collection of the same account is not found in this one.
  const second = await service.newCollection(mine, [text('a')]);
  assert.equal((await call(`GET ${second}/entries/${entry.id}`, { as: mine })).status, 404);
  assert.equal((await call(`DELETE ${second}/entries/${entry.id}`, { as: mine })).status, 404);
  assert.deepEqual([await ok(`GET ${path}`, mine), await ok(`GET ${path}/entries`, mine)], before);
  for (const wrong of ['col_', 'x', path.split('/').at(-1)?.toUpperCase(), entry.id, '%00', "'"]) {
    assert.equal((await call(`GET ${ROOT}/${wrong}`, { as: mine })).status, 404);
  }
});

test('fields of a collection name the section of the form that shows them', async () => {
  const account = await newAccount();
  const field = (id: string, more: object = {}) => ({ id, label: id, type: 'text', ...more });
  const { id, fields } = await ok(`POST ${ROOT}`, account, {
    name: 'P',
    fields: [field('title'), field('keywords', { section: ' Search engines ' }), field('note', { section: ' ' })],
  });
  const sections = (all: { section?: string }[]) => all.map(({ section }) => section);
  assert.deepEqual(sections(fields), [undefined, 'Search engines', undefined]);
  const change = (...sent: object[]) => call(`PATCH ${ROOT}/${id}`, { as: account, body: { fields: sent } });
  const changed = await change({ id: 'title', section: 'Texts' }, { id: 'keywords', label: 'Words' });
  assert.deepEqual(sections(changed.body.fields), ['Texts', 'Search engines', undefined], 'one that is not sent stays');
  const removed = await change({ id: 'title', section: null });
  assert.deepEqual(sections(removed.body.fields), [undefined, 'Search engines', undefined]);
  const group = { id: 'box', label: 'Box', type: 'group', fields: [field('inner', { section: 'Texts' })] };
  assert.deepEqual(faultsOf(await change(group)), ['/fields/0/fields/0/section unknown_property']);
  assert.deepEqual(faultsOf(await change({ id: 'title', section: 'x'.repeat(256) })), ['/fields/0/section too_long']);
});

test('help, defaults and rules of fields are optional, checked when they are set, and applied to new values only', async () => {
  const account = await newAccount();
  const number = { id: 'price', label: 'Price', type: 'number' };
  const code = { id: 'code', label: 'Code', type: 'text' };
  const day = { id: 'day', label: 'Day', type: 'date' };
  const sizes = { id: 'sizes', label: 'Sizes', type: 'number', repeated: true };
  const collection = await ok(`POST ${ROOT}`, account, {
    name: 'P',
    fields: [number, code, day, sizes, SELECT, GROUP],
  });
  assert.ok(
    !/helpText|validation|defaultValue/.test(JSON.stringify(collection)),
    'a client that does not use them sees nothing of them',
  );
  const path = `${ROOT}/${collection.id}`;
  const entries = `${path}/entries`;
  const old = await ok(`POST ${entries}`, account, { values: { price: -5, code: 'old code' } });

  const refused = await call(`PATCH ${path}`, {
    as: account,
    body: {
      fields: [
        { id: 'price', validation: { min: 'x', pattern: 'a' }, defaultValue: 'cheap' },
        { id: 'code', validation: { min: 1, minLength: 4, maxLength: 3, pattern: '(a)\\1' }, defaultValue: 'abcd' },
        { id: 'day', validation: { min: '2026-02-01', max: '2026-01-01' } },
        { id: 'kind', defaultValue: 'z' },
        { id: 'box', defaultValue: { note: 'x' } },
      ],
    },
  });
  assert.deepEqual(faultsOf(refused), [
    '/fields/0/defaultValue type',
    '/fields/0/validation/min type',
    '/fields/0/validation/pattern rule_not_allowed',
    '/fields/1/defaultValue too_long',
    '/fields/1/validation/maxLength range_invalid',
    '/fields/1/validation/min rule_not_allowed',
    '/fields/1/validation/pattern pattern_invalid',
    '/fields/2/validation/max range_invalid',
    '/fields/3/defaultValue option_unknown',
    '/fields/4/defaultValue default_value_not_allowed',
  ]);

  // What looks like fields with patterns is a value all the same.
  const likeFields = [[], null, [{ validation: { pattern: '(' } }]];
  const listed = await call(`PATCH ${path}`, {
    as: account,
    body: { fields: [{ id: 'code', defaultValue: likeFields }] },
  });
  assert.deepEqual(faultsOf(listed), ['/fields/0/defaultValue type']);

  const settings = [
    { id: 'price', helpText: 'Net', validation: { min: 0, max: '99.5' }, defaultValue: '10' },
    { id: 'code', validation: { minLength: 2, maxLength: 20, pattern: '[A-Z]+(-\\d+)?' } },
    { id: 'day', validation: { max: '2026-12-31' } },
    { id: 'sizes', validation: { min: 1 }, defaultValue: [1, 2] },
    { id: 'kind', defaultValue: 'b' },
    { id: 'box', fields: [{ id: 'note', helpText: 'Short', validation: { maxLength: 3 } }] },
  ];
  const changed = await ok(`PATCH ${path}`, account, { fields: settings });
  assert.deepEqual(changed.fields[0].validation, { min: 0, max: 99.5 }, 'bounds are stored as values are');
  assert.deepEqual([changed.fields[0].helpText, changed.fields[0].defaultValue], ['Net', 10]);
  assert.equal(changed.fields[5].fields[0].helpText, 'Short');
  assert.deepEqual(
    await ok(`PATCH ${path}`, account, { fields: changed.fields }).then(({ fields }) => fields),
    changed.fields,
  );

  const made = await ok(`POST ${entries}`, account, { values: { code: 'AB-1', sizes: null } });
  assert.deepEqual(made.values, { price: 10, code: 'AB-1', kind: 'b' }, 'null is a value that was sent');
  const values = { price: 100, code: 'a', day: '2027-01-01', sizes: [1, 0], box: { note: 'long' } };
  const faults = await call(`POST ${entries}`, { as: account, body: { values } });
  assert.deepEqual(faultsOf(faults), [
    '/values/box/note too_long',
    '/values/code too_short',
    '/values/day too_large',
    '/values/price too_large',
    '/values/sizes/1 too_small',
  ]);
  assert.equal(faults.body.errors[0].detail, '"Price" must be at most 99.5.');
  const update = (body: unknown) => call(`PATCH ${entries}/${old.id}`, { as: account, body });
  assert.equal((await update({ values: { price: -5, code: 'old code' } })).status, 200, 'stored values stay writable');
  assert.deepEqual(faultsOf(await update({ values: { code: 'other old code' } })), ['/values/code pattern_mismatch']);

  await ok(`PATCH ${path}`, account, { fields: [{ id: 'kind', options: [{ value: 'b', status: 'deleted' }] }] });
  assert.equal((await ok(`POST ${entries}`, account, { values: {} })).values.kind, undefined);
  const bare = { helpText: null, validation: null };
  const cleared = await ok(`PATCH ${path}`, account, { fields: [{ id: 'price', ...bare, defaultValue: null }] });
  assert.deepEqual(cleared.fields[0], collection.fields[0]);
});

test('a pattern takes a bounded time, whatever it is', async () => {
  const account = await newAccount();
  const fields = [{ id: 'a', label: 'A', type: 'text', repeated: true, validation: { pattern: '(.*a){80}b' } }];
  const { id } = await ok(`POST ${ROOT}`, account, { name: 'P', fields });
  const body = { values: { a: Array(900).fill('a'.repeat(1_000)) } };
  assert.equal((await call(`POST ${ROOT}/${id}/entries`, { as: account, body })).status, 400);
});

test('patterns of a collection that together take long to compile are refused, and the same one may be used by all fields', async () => {
  const account = await newAccount();
  const fields = (pattern: (i: number) => string) =>
    Array.from({ length: 200 }, (_, i) => ({
      id: `f${i}`,
      label: 'x',
      type: 'text',
      validation: { pattern: pattern(i) },
      defaultValue: 'abc',
    }));
  const body = { name: 'x', fields: fields((i) => `(?i)[B-\\x{1e942}]{1,${i + 3}}`) };
  const refused = await call('POST /v1/cms/collections', { as: account, body });
  assert.deepEqual([refused.status, refused.body.code, refused.body.errors.length], [400, 'patterns_too_large', 200]);
  assert.equal(refused.body.errors[7].pointer, '/fields/7/validation/pattern');
  const same = { name: 'x', fields: fields(() => '[\\pL\\pN ]{1,100}') };
  const { id } = await ok('POST /v1/cms/collections', account, same);
  const change = await call(`PATCH /v1/cms/collections/${id}`, { as: account, body: { fields: body.fields } });
  assert.deepEqual([change.status, change.body.code], [400, 'patterns_too_large']);
  const large = [{ id: 'f0', validation: { pattern: '(?:ab|cd){1000}' } }];
  const one = await call(`PATCH /v1/cms/collections/${id}`, { as: account, body: { fields: large } });
  assert.deepEqual(faultsOf(one), ['/fields/0/validation/pattern pattern_too_large']);
});
