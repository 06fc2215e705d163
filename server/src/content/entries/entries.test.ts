import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Account } from '../../../test/harness.ts';
import { parseId } from '../../shared/ids.ts';
import { isActive } from '../collections/collection.ts';
import { LIMITS } from '../limits.ts';
import { filterBitmapOf } from '../listing/filter-bitmap.ts';
import { FIELDS, values } from '../test-listing-model.ts';
import { contentService, faultsOf } from '../test-support.ts';
import type { Entry } from './contract.ts';
import { type IndexRow, indexRowsOf, searchTextOf, sortKeysOf } from './index-entry.ts';

const service = await contentService();
const { call, ok, db, newAccount, newCollection, createEntry } = service;

const OPTIONS = ['a', 'b', 'gone'].map((value) => ({ value, label: value }));
const ALL = [
  { id: 'text', label: 'Text', type: 'text' },
  { id: 'number', label: 'Number', type: 'number' },
  { id: 'boolean', label: 'Boolean', type: 'boolean' },
  { id: 'date', label: 'Date', type: 'date' },
  { id: 'timestamp', label: 'Timestamp', type: 'timestamp' },
  { id: 'url', label: 'Url', type: 'url' },
  { id: 'select', label: 'Select', type: 'select', options: OPTIONS },
  { id: 'asset', label: 'Asset', type: 'asset' },
  {
    id: 'group',
    label: 'Group',
    type: 'group',
    fields: [
      { id: 'note', label: 'Note', type: 'text' },
      { id: 'count', label: 'Count', type: 'number', required: true },
      { id: 'choice', label: 'Choice', type: 'select', options: OPTIONS },
      { id: 'picture', label: 'Picture', type: 'asset' },
    ],
  },
  { id: 'texts', label: 'Texts', type: 'text', repeated: true },
  { id: 'choices', label: 'Choices', type: 'select', repeated: true, options: OPTIONS },
  {
    id: 'groups',
    label: 'Groups',
    type: 'group',
    repeated: true,
    fields: [
      { id: 'note', label: 'Note', type: 'text' },
      { id: 'choice', label: 'Choice', type: 'select', options: OPTIONS },
    ],
  },
];

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function upload(account: Account): Promise<Record<string, unknown> & { assetId: string }> {
  const body = Buffer.concat([
    Buffer.from(
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n',
    ),
    PIXEL,
    Buffer.from('\r\n--x--\r\n'),
  ]);
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const answer = await call('POST /v1/files/upload', { as: account, body, headers });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

test('every route returns an entry as it was created', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [{ id: 'a', label: 'A', type: 'text' }]);
  service.clock.now = Date.parse('2036-11-20T08:00:00.123Z');
  const entry = await createEntry(account, path, { a: 'x' });
  assert.match(entry.id, /^ent_[0-9a-z]{26}$/);
  const times = { createdAt: '2036-11-20T08:00:00.123Z', updatedAt: '2036-11-20T08:00:00.123Z' };
  const collectionId = path.split('/').at(-1);
  assert.deepEqual(entry, { id: entry.id, collectionId, values: { a: 'x' }, status: 'active', version: 1, ...times });
  assert.deepEqual(await ok(`GET ${path}/entries/${entry.id}`, account), entry);
  assert.deepEqual(await ok(`GET ${path}/entries`, account), { entries: [entry], nextPageToken: null });
  service.clock.now += 1500;
  const changed = await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: { a: 'y' } });
  assert.deepEqual(changed, { ...entry, values: { a: 'y' }, version: 2, updatedAt: '2036-11-20T08:00:01.623Z' });
  assert.deepEqual(await ok(`GET ${path}/entries`, account), { entries: [changed], nextPageToken: null });
});

test('each type accepts its values and refuses others with a pointer and a code', async () => {
  const account = await newAccount();
  const path = await newCollection(account, ALL);
  const kept: Record<string, unknown[]> = {
    text: ['', ' ', 'x'.repeat(LIMITS.textLength), '\u2028"\\/é𝒳'],
    number: [0, -1.5, 1e308, 5e-324, 123456789012],
    boolean: [true, false],
    date: ['2024-02-29', '0001-01-01', '9999-12-31'],
    timestamp: ['2024-02-29T23:59:59.999Z'],
    url: ['https://a.test', 'HTTP://a.test/b?c=d#e', 'http://user@a.test:81/ü'],
    select: ['a'],
    group: [{ count: 1 }, { note: '', count: 0, choice: 'b' }],
    texts: [[], ['a', 'a', ''], Array(LIMITS.valuesPerField).fill('x')],
    choices: [[], ['a', 'b', 'a']],
    groups: [[], [{}, { note: 'x' }]],
  };
  for (const [id, list] of Object.entries(kept)) {
    for (const value of list) {
      const entry = await createEntry(account, path, { [id]: value });
      assert.deepEqual(entry.values, { [id]: value });
      assert.deepEqual(await ok(`GET ${path}/entries/${entry.id}`, account), entry);
    }
  }
  const rewritten: [string, unknown, unknown][] = [
    ['timestamp', '2024-02-29T23:59:59+02:00', '2024-02-29T21:59:59.000Z'],
    ['timestamp', '2024-02-29t23:59:59.1234567z', '2024-02-29T23:59:59.123Z'],
    ['number', -0, 0],
    ['number', '-1.5e3', -1500],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['timestamp', '2024-02-29T10:00:00', '2024-02-29T10:00:00.000Z'],
    ['group', { note: null, count: 1 }, { count: 1 }],
  ];
  for (const [id, sent, answered] of rewritten) {
    assert.deepEqual((await createEntry(account, path, { [id]: sent })).values, { [id]: answered });
  }
  const refused: [values: Record<string, unknown>, faults: string[]][] = [
    [{ text: 1 }, ['/values/text type']],
    [{ text: ['x'] }, ['/values/text type']],
    [{ text: 'x'.repeat(LIMITS.textLength + 1) }, ['/values/text too_long']],
    [{ number: '1x' }, ['/values/number type']],
    [{ number: ' ' }, ['/values/number type']],
    [{ number: '1e999' }, ['/values/number type']],
    [{ boolean: 'yes' }, ['/values/boolean type']],
    [{ boolean: 0 }, ['/values/boolean type']],
    [{ date: '2023-02-29' }, ['/values/date date_invalid']],
    [{ date: '2024-2-9' }, ['/values/date date_invalid']],
    [{ date: '2024-02-29T00:00:00Z' }, ['/values/date date_invalid']],
    [{ date: 20240229 }, ['/values/date type']],
    [{ timestamp: '2024-02-29' }, ['/values/timestamp timestamp_invalid']],
    [{ timestamp: '2024-02-29T24:00:00Z' }, ['/values/timestamp timestamp_invalid']],
    [{ timestamp: 0 }, ['/values/timestamp type']],
    [{ url: 'ftp://a.test' }, ['/values/url url_invalid']],
    [{ url: 'a.test' }, ['/values/url url_invalid']],
    [{ url: 'https://' }, ['/values/url url_invalid']],
    [{ url: ' https://a.test' }, ['/values/url url_invalid']],
    [{ url: 'javascript:alert(1)' }, ['/values/url url_invalid']],
    [{ url: `https://a.test/${'x'.repeat(LIMITS.urlLength)}` }, ['/values/url too_long']],
    [{ url: {} }, ['/values/url type']],
    [{ select: 'A' }, ['/values/select option_unknown']],
    [{ select: 1 }, ['/values/select type']],
    [{ asset: 'ast_x' }, ['/values/asset type']],
    [{ asset: {} }, ['/values/asset/assetId required']],
    [{ asset: { assetId: 1 } }, ['/values/asset/assetId type']],
    [
      { asset: { assetId: 'ast_x', size: 1 } },
      ['/values/asset/assetId asset_unknown', '/values/asset/size unknown_property'],
    ],
    [{ group: [] }, ['/values/group type']],
    [{ group: 'x' }, ['/values/group type']],
    [{ group: {} }, ['/values/group/count required']],
    [{ group: { count: null } }, ['/values/group/count required']],
    [
      { group: { count: 'x', note: 2, other: 3 } },
      ['/values/group/count type', '/values/group/note type', '/values/group/other unknown_property'],
    ],
    [{ texts: 'x' }, ['/values/texts type']],
    [{ texts: {} }, ['/values/texts type']],
    [{ texts: ['x', 1, null] }, ['/values/texts/1 type', '/values/texts/2 type']],
    [{ texts: Array(LIMITS.valuesPerField + 1).fill('x') }, ['/values/texts too_many']],
    [{ choices: ['a', 'c'] }, ['/values/choices/1 option_unknown']],
    [{ groups: [{}, { choice: 'x' }, []] }, ['/values/groups/1/choice option_unknown', '/values/groups/2 type']],
    [{ nope: 1, 'a/b~c': 2 }, ['/values/a~1b~0c unknown_property', '/values/nope unknown_property']],
    [
      { text: 1, number: 'x', nope: null },
      ['/values/nope unknown_property', '/values/number type', '/values/text type'],
    ],
  ];
  const entry = await createEntry(account, path, {});
  for (const [sent, faults] of refused) {
    const body = { values: sent };
    assert.deepEqual(
      faultsOf(await call(`POST ${path}/entries`, { as: account, body })),
      faults,
      JSON.stringify(sent).slice(0, 99),
    );
    assert.deepEqual(faultsOf(await call(`PATCH ${path}/entries/${entry.id}`, { as: account, body })), faults);
  }
  assert.deepEqual(await ok(`GET ${path}/entries/${entry.id}`, account), entry);
  const bodies: [unknown, string[]][] = [
    [{}, ['/values required']],
    [{ values: null }, ['/values type']],
    [{ values: [] }, ['/values type']],
    [{ values: {}, status: 'deleted' }, ['/status not_allowed']],
    [{ values: {}, author: 1 }, ['/author unknown_property']],
  ];
  for (const [body, faults] of bodies)
    assert.deepEqual(faultsOf(await call(`POST ${path}/entries`, { as: account, body })), faults);
});

test('an empty string means null for every type but text', async () => {
  const account = await newAccount();
  const path = await newCollection(account, ALL);
  const types = ['number', 'boolean', 'date', 'timestamp', 'url', 'select', 'asset', 'group', 'texts', 'groups'];
  const empty = Object.fromEntries(types.map((id) => [id, '']));
  const { id } = await createEntry(account, path, { ...empty, text: '' });
  assert.deepEqual((await ok(`GET ${path}/entries/${id}`, account)).values, { text: '' });
  await ok(`PATCH ${path}/entries/${id}`, account, {
    values: { number: 1, select: 'a', group: { count: 1, choice: 'a' } },
  });
  const cleared = { number: '', select: '', group: { count: 2, choice: '', note: '' } };
  const { values } = await ok(`PATCH ${path}/entries/${id}`, account, { values: cleared });
  assert.deepEqual(values, { text: '', group: { count: 2, note: '' } });
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'number', required: true }] });
  const refused = await call(`PATCH ${path}/entries/${id}`, { as: account, body: { values: { number: '' } } });
  assert.deepEqual(faultsOf(refused), ['/values/number required']);
});

test('an entry that was read can be sent back, and created again', async () => {
  const account = await newAccount();
  const path = await newCollection(account, ALL);
  const asset = await upload(account);
  const sent = { text: 'x', asset, group: { count: 1, picture: asset }, groups: [{ note: 'n' }], choices: ['a'] };
  const entry = await createEntry(account, path, sent);
  const { version: _, updatedAt: __, ...same } = await ok(`PATCH ${path}/entries/${entry.id}`, account, entry);
  assert.deepEqual(same, { ...same, values: entry.values, id: entry.id, createdAt: entry.createdAt });
  const copy = await ok(`POST ${path}/entries`, account, entry);
  assert.notEqual(copy.id, entry.id);
  assert.deepEqual([copy.values, copy.version, copy.collectionId], [entry.values, 1, entry.collectionId]);
});

test('create, get, list and update return any valid values as they were sent', async () => {
  const account = await newAccount();
  const path = await newCollection(account, FIELDS);
  const string = fc.string({ unit: 'grapheme', maxLength: 60 });
  const wide = fc.record(
    {
      title: string,
      price: fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
      flag: fc.boolean(),
      link: fc.webUrl(),
      tags: fc.array(string, { maxLength: 5 }),
      sizes: fc.array(fc.integer(), { maxLength: 5 }),
      box: fc.record({ note: string }, { requiredKeys: [], noNullPrototype: true }),
    },
    { requiredKeys: [], noNullPrototype: true },
  );
  await fc.assert(
    fc.asyncProperty(wide, wide, async (first, second) => {
      const entry = await createEntry(account, path, first);
      assert.deepEqual(entry.values, first);
      assert.deepEqual((await ok(`GET ${path}/entries/${entry.id}`, account)).values, first);
      const changed = await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: second });
      assert.deepEqual(changed.values, { ...first, ...second });
      const [listed] = (await ok(`GET ${path}/entries?sort=createdAt:desc&pageSize=1`, account)).entries;
      assert.deepEqual(listed, changed);
    }),
    { numRuns: 60 },
  );
});

test('creating an entry checks all required fields; updating checks only what is sent', async () => {
  const account = await newAccount();
  const required = [
    { id: 'a', label: 'A', type: 'text', required: true, validation: { minLength: 0 } },
    { id: 'list', label: 'List', type: 'number', required: true, repeated: true },
    { id: 'group', label: 'G', type: 'group', required: true, fields: [{ id: 'x', label: 'X', type: 'text' }] },
    { id: 'free', label: 'Free', type: 'text' },
  ];
  const path = await newCollection(account, required);
  const post = (sent: unknown) => call(`POST ${path}/entries`, { as: account, body: { values: sent } });
  assert.deepEqual(faultsOf(await post({})), ['/values/a required', '/values/group required', '/values/list required']);
  assert.deepEqual(faultsOf(await post({ a: null, list: [], group: {} })), [
    '/values/a required',
    '/values/list required',
  ]);
  const { id } = await createEntry(account, path, { a: '', list: [1], group: {}, free: null });
  const patch = (sent: unknown) => call(`PATCH ${path}/entries/${id}`, { as: account, body: { values: sent } });
  assert.deepEqual(faultsOf(await patch({ a: null, list: [] })), ['/values/a required', '/values/list required']);
  assert.deepEqual((await ok(`PATCH ${path}/entries/${id}`, account, { values: { free: 'x' } })).values, {
    a: '',
    list: [1],
    group: {},
    free: 'x',
  });
  // Tightened later: the entry without the value can be read and changed, the field itself only filled.
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'late', label: 'Late', type: 'text', required: true }] });
  assert.equal((await patch({ free: null })).status, 200);
  assert.deepEqual(faultsOf(await patch({ late: null })), ['/values/late required']);
  assert.deepEqual(faultsOf(await post({ a: 'x', list: [1], group: {} })), ['/values/late required']);
});

test('null clears a field; groups and lists are replaced as a whole', async () => {
  const account = await newAccount();
  const path = await newCollection(account, ALL);
  const { id } = await createEntry(account, path, {
    text: 'x',
    number: 1,
    group: { note: 'n', count: 1 },
    texts: ['a', 'b'],
  });
  const patch = async (sent: unknown) => (await ok(`PATCH ${path}/entries/${id}`, account, { values: sent })).values;
  assert.deepEqual(await patch({ text: null, group: { count: 2 }, texts: ['c'] }), {
    number: 1,
    group: { count: 2 },
    texts: ['c'],
  });
  assert.deepEqual(await patch({ group: null, texts: null, boolean: null }), { number: 1 });
  assert.deepEqual(await patch({}), { number: 1 });
});

test('values of a deleted field are kept, hidden and read-only, and return when it is restored', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [
    { id: 'a', label: 'A', type: 'text', required: true },
    { id: 'b', label: 'B', type: 'text' },
    {
      id: 'g',
      label: 'G',
      type: 'group',
      fields: [
        { id: 'x', label: 'X', type: 'text' },
        { id: 'y', label: 'Y', type: 'text' },
      ],
    },
  ]);
  const all = { a: 'kept', b: 'shown', g: { x: 'inner', y: 'other' } };
  const { id } = await createEntry(account, path, all);
  const status = (a: string, x: string) =>
    ok(`PATCH ${path}`, account, {
      fields: [
        { id: 'a', status: a },
        { id: 'g', fields: [{ id: 'x', status: x }] },
      ],
    });
  await status('deleted', 'deleted');
  const less = { b: 'shown', g: { y: 'other' } };
  assert.deepEqual((await ok(`GET ${path}/entries/${id}`, account)).values, less);
  assert.deepEqual((await ok(`GET ${path}/entries`, account)).entries[0].values, less);
  await createEntry(account, path, { b: 'no a' });
  for (const request of [`POST ${path}/entries`, `PATCH ${path}/entries/${id}`]) {
    for (const sent of [{ a: 'new' }, { a: null }]) {
      assert.deepEqual(faultsOf(await call(request, { as: account, body: { values: sent } })), [
        '/values/a field_deleted',
      ]);
    }
    const inner = { values: { g: { x: 'new' } } };
    assert.deepEqual(faultsOf(await call(request, { as: account, body: inner })), ['/values/g/x field_deleted']);
  }
  for (const query of ['sort=a:asc', 'filter[a][eq]=kept', 'filter[a][exists]=true']) {
    assert.match(faultsOf(await call(`GET ${path}/entries?${query}`, { as: account }))[0] ?? '', /field_unknown$/);
  }
  assert.equal((await ok(`GET ${path}/entries?q=kept`, account)).entries.length, 0);
  assert.equal((await ok(`GET ${path}/entries?q=inner`, account)).entries.length, 0);
  assert.equal((await ok(`GET ${path}/entries?q=shown+other`, account)).entries.length, 1);
  await ok(`PATCH ${path}/entries/${id}`, account, { values: { g: { y: 'changed' }, b: 'too' } });
  await status('active', 'active');
  const back = { a: 'kept', b: 'too', g: { x: 'inner', y: 'changed' } };
  assert.deepEqual((await ok(`GET ${path}/entries/${id}`, account)).values, back);
  assert.equal((await ok(`GET ${path}/entries?q=kept+inner`, account)).entries.length, 1);
  assert.equal((await ok(`GET ${path}/entries?filter[a][eq]=kept`, account)).entries.length, 1);
});

test('a deleted option stays readable and can be sent back, but not chosen again', async () => {
  const account = await newAccount();
  const path = await newCollection(account, ALL);
  const sent = {
    select: 'gone',
    choices: ['gone', 'a'],
    group: { count: 1, choice: 'gone' },
    groups: [{ choice: 'gone' }, { note: 'x' }],
  };
  const had = await createEntry(account, path, sent);
  const other = await createEntry(account, path, {
    select: 'a',
    choices: ['a'],
    group: { count: 1 },
    groups: [{ choice: 'a' }],
  });
  const options = [{ value: 'gone', status: 'deleted' }];
  await ok(`PATCH ${path}`, account, {
    fields: [
      { id: 'select', options },
      { id: 'choices', options },
      { id: 'group', fields: [{ id: 'choice', options }] },
      { id: 'groups', fields: [{ id: 'choice', options }] },
    ],
  });
  assert.deepEqual((await ok(`GET ${path}/entries/${had.id}`, account)).values, sent);
  assert.deepEqual((await ok(`PATCH ${path}/entries/${had.id}`, account, { values: sent })).values, sent);
  const refused = [
    '/values/choices/0 option_deleted',
    '/values/group/choice option_deleted',
    '/values/groups/0/choice option_deleted',
    '/values/select option_deleted',
  ];
  assert.deepEqual(
    faultsOf(await call(`PATCH ${path}/entries/${other.id}`, { as: account, body: { values: sent } })),
    refused,
  );
  assert.deepEqual(faultsOf(await call(`POST ${path}/entries`, { as: account, body: { values: sent } })), refused);
  const found = await ok(`GET ${path}/entries?filter[select][eq]=gone`, account);
  assert.deepEqual(
    found.entries.map(({ id }: Entry) => id),
    [had.id],
  );
  await ok(`PATCH ${path}/entries/${had.id}`, account, { values: { select: 'b' } });
  assert.equal(
    (await call(`PATCH ${path}/entries/${had.id}`, { as: account, body: { values: { select: 'gone' } } })).status,
    400,
  );
});

test('an asset is referenced by ID and returned in full; other accounts cannot reference it', async () => {
  const [account, other] = [await newAccount(), await newAccount()];
  const [path, othersPath] = [await newCollection(account, ALL), await newCollection(other, ALL)];
  const asset = await upload(account);
  assert.deepEqual([asset.type, asset.width, asset.name], ['image', 1, 'a.png']);
  const { assetId } = asset;
  const sent = {
    asset: { assetId, url: 'https://evil.test/x.png', type: 'video', width: -1 },
    group: { count: 1, picture: { assetId } },
  };
  const answered = { asset, group: { count: 1, picture: asset } };
  const entry = await createEntry(account, path, sent);
  assert.deepEqual(entry.values, answered);
  assert.deepEqual((await ok(`GET ${path}/entries/${entry.id}`, account)).values, answered);
  assert.deepEqual((await ok(`GET ${path}/entries`, account)).entries, [entry]);
  assert.deepEqual((await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: answered })).values, answered);
  const faults = ['/values/asset/assetId asset_unknown', '/values/group/picture/assetId asset_unknown'];
  assert.deepEqual(faultsOf(await call(`POST ${othersPath}/entries`, { as: other, body: { values: sent } })), faults);
  const unknown = `ast_${'0'.repeat(26)}`;
  const refusal = await call(`POST ${othersPath}/entries`, { as: other, body: { values: { asset: { assetId } } } });
  const nobodys = await call(`POST ${othersPath}/entries`, {
    as: other,
    body: { values: { asset: { assetId: unknown } } },
  });
  assert.deepEqual(refusal.body.errors, nobodys.body.errors);
  const count = async (query: string) => (await ok(`GET ${path}/entries?${query}`, account)).entries.length;
  assert.equal(await count(`filter[asset][eq]=${assetId}`), 1);
  assert.equal(await count(`filter[asset][in]=${unknown},${assetId}`), 1);
  assert.equal(await count(`filter[asset][eq]=${unknown}`), 0);
  assert.equal(await count('filter[asset][exists]=true'), 1);
});

test('of concurrent changes with the same version, one succeeds and the others are a version_conflict', async () => {
  const account = await newAccount();
  const path = await newCollection(account, ALL);
  const { id } = await createEntry(account, path, { number: 0 });
  for (let version = 1; version <= 5; version++) {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        call(`PATCH ${path}/entries/${id}`, { as: account, body: { values: { number: i }, version } }),
      ),
    );
    const [won, ...more] = answers.filter(({ status }) => status === 200);
    assert.ok(won && more.length === 0);
    assert.equal(won.body.version, version + 1);
    for (const answer of answers.filter((each) => each !== won)) {
      assert.deepEqual([answer.body.code, ...faultsOf(answer)], ['version_conflict', '/version version_conflict']);
    }
    assert.deepEqual((await ok(`GET ${path}/entries/${id}`, account)).values, won.body.values);
  }
  // Without a version all of them are kept, whatever their fields.
  await Promise.all(
    ALL.slice(0, 3).map((_, i) =>
      ok(`PATCH ${path}/entries/${id}`, account, { values: [{ text: 'x' }, { number: 9 }, { boolean: true }][i] }),
    ),
  );
  assert.deepEqual((await ok(`GET ${path}/entries/${id}`, account)).values, { text: 'x', number: 9, boolean: true });
  for (const version of ['1', 1.5, null]) {
    assert.deepEqual(faultsOf(await call(`PATCH ${path}/entries/${id}`, { as: account, body: { version } })), [
      '/version type',
    ]);
  }
});

test('a deleted entry is hidden until it is restored with its values and its position in every listing', async () => {
  const account = await newAccount();
  const path = await newCollection(account, ALL);
  const first = await createEntry(account, path, { text: 'first', number: 2, texts: ['a'] });
  const entry = await createEntry(account, path, { text: 'second', number: 1, texts: ['a', 'b'] });
  const deleted = await ok(`DELETE ${path}/entries/${entry.id}`, account);
  assert.deepEqual([deleted.status, deleted.version, deleted.values], ['deleted', 2, entry.values]);
  for (const request of [`GET ${path}/entries/${entry.id}`, `DELETE ${path}/entries/${entry.id}`]) {
    assert.equal((await call(request, { as: account })).status, 404);
  }
  for (const body of [{ values: { number: 3 } }, { status: 'deleted' }, {}]) {
    assert.equal((await call(`PATCH ${path}/entries/${entry.id}`, { as: account, body })).status, 404);
  }
  assert.deepEqual(await ok(`GET ${path}/entries/${entry.id}?includeDeleted=true`, account), deleted);
  const queries = [
    '',
    'sort=number:asc',
    'q=second',
    'filter[texts][eq]=b',
    'filter[number][eq]=1',
    'sort=updatedAt:desc',
  ];
  for (const query of queries) {
    const { entries } = await ok(`GET ${path}/entries?${query}`, account);
    assert.ok(!JSON.stringify(entries).includes(entry.id), query);
  }
  const restored = await ok(`PATCH ${path}/entries/${entry.id}`, account, {
    status: 'active',
    values: { number: 3 },
    version: 2,
  });
  assert.deepEqual([restored.status, restored.version, restored.values], ['active', 3, { ...entry.values, number: 3 }]);
  const sorted = await ok(`GET ${path}/entries?sort=number:desc`, account);
  assert.deepEqual(
    sorted.entries.map(({ id }: Entry) => id),
    [entry.id, first.id],
  );
  assert.equal((await ok(`GET ${path}/entries?q=second&filter[texts][eq]=b`, account)).entries.length, 1);
});

test('an invalid list request is refused with a pointer to each invalid parameter', async () => {
  const account = await newAccount();
  const path = await newCollection(account, ALL);
  const refused: [query: string, faults: string[]][] = [
    ['sort=number', ['?sort sort_invalid']],
    ['sort=number:up', ['?sort sort_invalid']],
    ['sort=', ['?sort sort_invalid']],
    ['sort=nope:asc', ['?sort field_unknown']],
    ['sort=texts:asc', ['?sort field_not_sortable']],
    ['sort=group:asc', ['?sort field_not_sortable']],
    ['sort=asset:desc', ['?sort field_not_sortable']],
    ['filter[number]=1', ['?filter[number] filter_invalid']],
    ['filter[]=1', ['?filter[] filter_invalid']],
    ['filter[number][eq][x]=1', ['?filter[number][eq][x] filter_invalid']],
    ['filter[nope][eq]=1', ['?filter[nope][eq] field_unknown']],
    ['filter[group.nope][eq]=1', ['?filter[group.nope][eq] field_unknown']],
    ['filter[createdAt][gte]=then', ['?filter[createdAt][gte] value_invalid']],
    ['filter[number][like]=1', ['?filter[number][like] operator_unknown']],
    ['filter[number][contains]=1', ['?filter[number][contains] operator_not_allowed']],
    ['filter[boolean][gt]=true', ['?filter[boolean][gt] operator_not_allowed']],
    ['filter[group][eq]=1', ['?filter[group][eq] operator_not_allowed']],
    ['filter[asset][lt]=1', ['?filter[asset][lt] operator_not_allowed']],
    ['filter[number][eq]=', ['?filter[number][eq] value_invalid']],
    ['filter[number][eq]=one', ['?filter[number][eq] value_invalid']],
    ['filter[number][eq]=1e999', ['?filter[number][eq] value_invalid']],
    ['filter[number][eq]=0x10', ['?filter[number][eq] value_invalid']],
    ['filter[number][in]=1,,2', ['?filter[number][in] value_invalid']],
    ['filter[boolean][eq]=1', ['?filter[boolean][eq] value_invalid']],
    ['filter[date][gte]=2023-02-29', ['?filter[date][gte] value_invalid']],
    ['filter[timestamp][gte]=2023-02-28', ['?filter[timestamp][gte] value_invalid']],
    ['filter[url][eq]=nope', ['?filter[url][eq] value_invalid']],
    ['filter[select][eq]=nope', ['?filter[select][eq] option_unknown']],
    ['filter[asset][eq]=nope', ['?filter[asset][eq] value_invalid']],
    ['filter[number][exists]=yes', ['?filter[number][exists] value_invalid']],
    ['filter[text][contains]=', ['?filter[text][contains] value_invalid']],
    [`filter[number][in]=${Array(LIMITS.filterValues + 1).fill(1)}`, ['?filter[number][in] too_many']],
    [`q=${'x'.repeat(LIMITS.searchLength + 1)}`, ['?q too_long']],
    ['q=a&q=b', ['?q type']],
    ['filters[number][eq]=1', ['?filters[number][eq] unknown_property']],
    ['limit=1', ['?limit unknown_property']],
    ['pageSize=0', ['?pageSize out_of_range']],
    ['pageSize=101', ['?pageSize out_of_range']],
    [
      'sort=nope:asc&filter[nope][eq]=1&filter[number][eq]=x',
      ['?filter[nope][eq] field_unknown', '?filter[number][eq] value_invalid', '?sort field_unknown'],
    ],
  ];
  for (const [query, faults] of refused) {
    assert.deepEqual(faultsOf(await call(`GET ${path}/entries?${query}`, { as: account })), faults, query);
  }
  const many = Array.from({ length: LIMITS.filters + 1 }, (_, i) => `filter[number][ne]=${i}`).join('&');
  assert.deepEqual(faultsOf(await call(`GET ${path}/entries?${many}`, { as: account })), [
    '?filter[number][ne] too_many',
  ]);
  for (const query of [
    'q=',
    'q=%20',
    'pageToken=',
    'filter%5Bnumber%5D%5Beq%5D=-1.5e3',
    'filter[text][in]=a%5C,b,,',
    'sort=createdAt:desc',
    'filter[group.note][eq]=1',
    'filter[createdAt][gte]=2024-01-01T00:00:00Z',
  ]) {
    assert.equal((await call(`GET ${path}/entries?${query}`, { as: account })).status, 200, query);
  }
});

test('a page token is only valid for its own listing', async () => {
  const [account, other] = [await newAccount(), await newAccount()];
  const path = await newCollection(account, ALL);
  const second = await newCollection(account, ALL);
  for (let i = 0; i < 3; i++) await createEntry(account, path, { number: i, text: 'word' });
  const { nextPageToken } = await ok(
    `GET ${path}/entries?pageSize=1&sort=number:asc&filter[number][gte]=0&q=word`,
    account,
  );
  const at = (at: string, query: string, as = account) =>
    call(`GET ${at}/entries?${query}&pageToken=${nextPageToken}`, { as });
  assert.equal((await at(path, 'sort=number:asc&filter[number][gte]=0&q=word&pageSize=2')).status, 200);
  for (const query of [
    '',
    'sort=number:desc&filter[number][gte]=0&q=word',
    'sort=number:asc&filter[number][gte]=1&q=word',
    'sort=number:asc&filter[number][gt]=0&q=word',
    'sort=number:asc&filter[number][gte]=0',
    'sort=number:asc&filter[number][gte]=0&q=words',
    'filter[number][gte]=0&q=word',
  ]) {
    assert.deepEqual(faultsOf(await at(path, query)), ['?pageToken page_token_invalid'], query);
  }
  assert.equal((await at(second, 'sort=number:asc&filter[number][gte]=0&q=word')).status, 400);
  assert.equal((await at(path, 'sort=number:asc&filter[number][gte]=0&q=word', other)).status, 404);
  // The default sort is part of a listing that names none.
  const plain = (await ok(`GET ${path}/entries?pageSize=1`, account)).nextPageToken;
  await ok(`PATCH ${path}`, account, { defaultSort: { fieldId: 'number', direction: 'desc' } });
  assert.equal((await call(`GET ${path}/entries?pageToken=${plain}`, { as: account })).status, 400);
  const numbers = (await ok(`GET ${path}/entries`, account)).entries.map((entry: Entry) => entry.values.number);
  assert.deepEqual(numbers, [2, 1, 0]);
});

test('every process uses a changed collection at once, although it has cached the previous one', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [{ id: 'a', label: 'A', type: 'text' }]);
  const entry = await createEntry(account, path, { a: 'x' });
  await ok(`GET ${path}/entries`, account);
  // As another process would: past this one's memory.
  const elsewhere = async (sql: string) => {
    const id = parseId('col', path.split('/').at(-1) ?? '');
    await db.query(`update collections set ${sql}, version = version + 1 where account_id = $1 and id = $2`, [
      account.uuid,
      id,
    ]);
  };
  const { rows } = await db.query("select nextval('field_key_seq') as key");
  await elsewhere(`fields = jsonb_set(fields, '{0,label}', '"B"') || jsonb_build_array(
    fields -> 0 || jsonb_build_object('id', 'b', 'key', ${rows[0].key}, 'required', true))`);
  assert.equal((await call(`GET ${path}/entries?filter[b][exists]=false`, { as: account })).status, 200);
  assert.deepEqual(faultsOf(await call(`POST ${path}/entries`, { as: account, body: { values: { a: 'y' } } })), [
    '/values/b required',
  ]);
  await createEntry(account, path, { a: 'y', b: 'z' });
  await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: { b: 'late' } });
  await elsewhere(`fields = jsonb_set(fields, '{1,status}', '"deleted"')`);
  assert.deepEqual((await ok(`GET ${path}/entries/${entry.id}`, account)).values, { a: 'x' });
  assert.equal((await call(`GET ${path}/entries?sort=b:asc`, { as: account })).status, 400);
  await elsewhere(`status = 'deleted'`);
  for (const request of [`GET ${path}/entries`, `GET ${path}/entries/${entry.id}`]) {
    assert.equal((await call(request, { as: account })).status, 404);
  }
  assert.equal((await call(`POST ${path}/entries`, { as: account, body: { values: { a: 'y' } } })).status, 404);
});

test('after any changes, the index contains exactly the values of the entries', async () => {
  const account = await newAccount();
  const path = await newCollection(account, FIELDS.slice(0, 5));
  const ids: string[] = [];
  const pick = <T>(from: fc.Arbitrary<T>): T => fc.sample(from, 1)[0] as T;
  const only = (sent: Record<string, unknown>, known: Set<string>) =>
    Object.fromEntries(Object.entries(sent).filter(([id]) => known.has(id)));
  const known = new Set(FIELDS.slice(0, 5).map(({ id }) => id));
  for (let i = 0; i < 120; i++) {
    if (i === 40) {
      await ok(`PATCH ${path}`, account, { fields: FIELDS.slice(5) });
      for (const { id } of FIELDS) known.add(id);
    }
    if (i === 70) {
      await ok(`PATCH ${path}`, account, {
        fields: [
          { id: 'price', status: 'deleted' },
          { id: 'tags', status: 'deleted' },
        ],
      });
      known.delete('price');
      known.delete('tags');
    }
    if (i === 100) {
      await ok(`PATCH ${path}`, account, { fields: [{ id: 'price', status: 'active' }] });
      known.add('price');
    }
    const id = ids.length > 0 && Math.random() < 0.7 ? pick(fc.constantFrom(...ids)) : undefined;
    if (id === undefined) ids.push((await createEntry(account, path, only(pick(values), known))).id);
    else if (Math.random() < 0.3) await call(`DELETE ${path}/entries/${id}`, { as: account });
    else await ok(`PATCH ${path}/entries/${id}`, account, { status: 'active', values: only(pick(values), known) });
  }
  // Gives entries that changed often their filter bitmaps back.
  for (const worker of service.workers) await worker.stop();
  const collection = await service.readCollection(account, path);
  const entries = (await db.query('select * from entries where account_id = $1', [account.uuid])).rows;
  const index = (await db.query('select * from entry_index where account_id = $1', [account.uuid])).rows;
  const texts = (await db.query('select * from entry_texts where account_id = $1', [account.uuid])).rows;
  const deletedKeys = new Set(collection.fields.filter((field) => !isActive(field)).map(({ key }) => key));
  for (const entry of entries) {
    const own = index.filter((each) => each.entry_id === entry.id);
    const text = texts.find((each) => each.entry_id === entry.id)?.text;
    if (entry.status === 'deleted') {
      assert.deepEqual([own, text], [[], undefined]);
      continue;
    }
    const keys = sortKeysOf(collection, entry.values);
    assert.deepEqual(entry.sort_keys, keys);
    const expected = indexRowsOf(keys, collection.fields).filter(
      ({ field_key }) => !deletedKeys.has(field_key) || keys[field_key] !== undefined,
    );
    // Rows of a deleted field without a value may be left: nobody reads them, and they are written when it is restored.
    const real = own.filter((each) => !deletedKeys.has(each.field_key) || keys[each.field_key] !== undefined);
    const written = ({ field_key, sort_key }: IndexRow) => `${field_key} ${sort_key}`;
    assert.deepEqual(real.map(written).sort(), expected.map(written).sort());
    const bitmap = Number(filterBitmapOf(collection.fields, keys));
    assert.deepEqual(new Set([...real.map((each) => each.filter_bitmap), entry.filter_bitmap]), new Set([bitmap]));
    assert.equal(text, searchTextOf(collection, entry.values));
  }
  assert.equal(index.length, index.filter((each) => entries.some((entry) => entry.id === each.entry_id)).length);
});
