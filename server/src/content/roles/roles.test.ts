/** What a role of the account reads and writes. The rest of it is an unknown field or a 404. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filePart, PNG } from '../../../test/furnished-account.ts';
import type { Account, Answer } from '../../../test/harness.ts';
import { createTestUser } from '../../../test/users.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import { asControl } from '../../shared/postgres/database.ts';
import { accessOfAuthor } from '../../users/index.ts';
import { storedAsRead } from '../../webhooks/delivery/as-maker-reads.ts';
import { findEndpoint } from '../../webhooks/endpoints/queries.ts';
import { contentService, faultsOf } from '../test-support.ts';

const service = await contentService();
const { call, ok } = service;

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text' },
  { id: 'secret', label: 'Secret', type: 'text' },
  { id: 'owner', label: 'Owner', type: 'text' },
  { id: 'price', label: 'Price', type: 'number' },
];
const HIDDEN = 'classified';

async function setup(permission: Record<string, unknown> = {}, more: Record<string, unknown>[] = []) {
  const account = await service.newAccount();
  const owner = await createTestUser(service, account, 'owner');
  const path = await service.newCollection(account, FIELDS);
  const other = await service.newCollection(account, FIELDS, { name: 'Others' });
  const idOf = (of: string) => of.split('/').at(-1) ?? '';
  const permissions = [{ collection: idOf(path), actions: ['read'], ...permission }, ...more];
  const role = await ok('POST /v1/roles', account, { name: 'Writer', permissions });
  const key = await call('POST /v1/keys', {
    by: owner,
    body: { type: 'secret', name: 'Limited', roleId: role.id },
  });
  assert.equal(key.status, 200, JSON.stringify(key.body));
  const as = key.body.token as string;
  const entry = await service.createEntry(account, path, { title: 'a', secret: HIDDEN, owner: 'me', price: 1 });
  const foreign = await service.createEntry(account, path, { title: 'b', secret: HIDDEN, owner: 'them', price: 2 });
  const send = (request: string, body?: unknown): Promise<Answer> =>
    call(request, { as, ...(body !== undefined && { body }) });
  return {
    account,
    owner,
    path,
    other,
    id: idOf(path),
    otherId: idOf(other),
    role,
    as,
    entry,
    foreign,
    send,
    keyId: key.body.id,
  };
}

const NOT_FOUND = [404, 'not_found'];
const outcome = ({ status, body }: Answer) => [status, body.code];

test('a collection that a role may not read does not exist', async () => {
  const { send, other, account } = await setup();
  const entry = await service.createEntry(account, other, { title: 'x' });
  for (const request of [
    `GET ${other}`,
    `GET ${other}/entries`,
    `GET ${other}/entries/${entry.id}`,
    `GET ${other}/trash`,
    `GET ${other}/entries/${entry.id}/versions`,
    `GET ${other}/entries/${entry.id}/usages`,
    `GET ${other}/entries/${entry.id}/comments`,
  ]) {
    assert.deepEqual(outcome(await send(request)), NOT_FOUND, request);
  }
  const { collections } = (await send('GET /v1/cms/collections')).body;
  assert.equal(collections.length, 1);
  const { titles } = (await send(`GET /v1/cms/entry-titles?ids=${entry.id}`)).body;
  assert.deepEqual(titles, []);
  assert.equal((await send('GET /v1/cms/entry-counts')).body.counts.length, 1);
});

test('a field that a role may not read is unknown', async () => {
  const { send, path, entry } = await setup({ exceptFields: ['secret'], actions: ['read', 'create', 'update'] });
  for (const request of [
    `GET ${path}`,
    `GET ${path}/entries`,
    `GET ${path}/entries/${entry.id}`,
    `GET ${path}/entries?q=a`,
  ]) {
    const answer = await send(request);
    assert.equal(answer.status, 200, request);
    assert.doesNotMatch(JSON.stringify(answer.body), /secret|classified/i, request);
  }
  assert.deepEqual((await send(`GET ${path}/entries?q=${HIDDEN}`)).body.entries, []);
  for (const request of [
    `GET ${path}/entries?sort=secret:asc`,
    `GET ${path}/entries?filter%5Bsecret%5D%5Beq%5D=x`,
    `GET ${path}/entries?select=secret`,
  ]) {
    assert.deepEqual(outcome(await send(request)), [400, 'field_unknown'], request);
  }
  const where = { secret: { eq: HIDDEN } };
  assert.deepEqual(outcome(await send(`POST ${path}/entries/query`, { where })), [400, 'field_unknown']);
  const aggregate = { groupBy: ['secret'], measures: { n: { count: true } } };
  assert.deepEqual(outcome(await send(`POST ${path}/entries/aggregate`, aggregate)), [400, 'field_unknown']);
  const written = await send(`PATCH ${path}/entries/${entry.id}`, { values: { secret: 'x' } });
  assert.deepEqual(faultsOf(written), ['/values/secret unknown_property']);
});

test('a write leaves fields that the role does not see as they are', async () => {
  const { send, path, entry, account } = await setup({
    exceptFields: ['secret'],
    actions: ['read', 'create', 'update'],
  });
  const changed = await send(`PATCH ${path}/entries/${entry.id}`, { values: { title: 'z' } });
  assert.deepEqual(changed.body.values, { title: 'z', owner: 'me', price: 1 });
  const stored = await ok(`GET ${path}/entries/${entry.id}`, account);
  assert.deepEqual(stored.values, { title: 'z', secret: HIDDEN, owner: 'me', price: 1 });
  const found = await ok(
    `GET ${path}/entries?filter%5Bsecret%5D%5Beq%5D=${HIDDEN}&filter%5Btitle%5D%5Beq%5D=z`,
    account,
  );
  assert.equal(found.entries.length, 1);
  const created = await send(`POST ${path}/entries`, { values: { title: 'new' } });
  assert.equal(created.status, 200, JSON.stringify(created.body));
});

test('entries that do not match a condition do not exist, in no answer', async () => {
  const { send, path, entry, foreign } = await setup({
    actions: ['read', 'update', 'delete'],
    where: { owner: { eq: 'me' } },
  });
  const { entries } = (await send(`GET ${path}/entries?count=exact`)).body;
  assert.deepEqual(
    entries.map(({ id }: { id: string }) => id),
    [entry.id],
  );
  assert.equal((await send(`GET ${path}/entries?count=exact`)).body.total, 1);
  assert.deepEqual(
    (await send('GET /v1/cms/entry-counts')).body.counts.map((each: { entries: number }) => each.entries),
    [1],
  );
  for (const request of [
    `GET ${path}/entries/${foreign.id}`,
    `GET ${path}/entries/${foreign.id}/versions`,
    `DELETE ${path}/entries/${foreign.id}`,
    `GET ${path}/entries/${foreign.id}/comments`,
  ]) {
    assert.deepEqual(outcome(await send(request)), NOT_FOUND, request);
  }
  assert.deepEqual(outcome(await send(`PATCH ${path}/entries/${foreign.id}`, { values: { title: 'x' } })), NOT_FOUND);
  const sum = { measures: { n: { count: true }, all: { sum: 'price' } } };
  assert.deepEqual((await send(`POST ${path}/entries/aggregate`, sum)).body.groups, [{ n: 1, all: 1, key: {} }]);
  assert.deepEqual((await send(`GET /v1/cms/entry-titles?ids=${foreign.id}`)).body.titles, []);
});

test('an entry matches the condition before and after a write', async () => {
  const { send, path, entry, account } = await setup({
    actions: ['read', 'create', 'update'],
    where: { owner: { eq: 'me' } },
  });
  const left = await send(`PATCH ${path}/entries/${entry.id}`, { values: { owner: 'them' } });
  assert.deepEqual(outcome(left), [400, 'condition_not_met']);
  assert.equal((await ok(`GET ${path}/entries/${entry.id}`, account)).values.owner, 'me');
  assert.deepEqual(outcome(await send(`POST ${path}/entries`, { values: { owner: 'them' } })), [
    400,
    'condition_not_met',
  ]);
  assert.equal((await send(`POST ${path}/entries`, { values: { owner: 'me' } })).status, 200);
  const many = await send(`POST ${path}/entries/update-many`, { where: {}, values: { owner: 'them' } });
  assert.deepEqual(outcome(many), [400, 'condition_not_met']);
});

test('actions that a role lacks are refused', async () => {
  const { send, path, entry } = await setup();
  for (const [request, body] of [
    [`POST ${path}/entries`, { values: {} }],
    [`PATCH ${path}/entries/${entry.id}`, { values: { title: 'x' } }],
    [`DELETE ${path}/entries/${entry.id}`, undefined],
    [`POST ${path}/entries/${entry.id}/duplicate`, {}],
    [`POST ${path}/entries/${entry.id}/comments`, { text: 'x' }],
    ['POST /v1/cms/collections', { name: 'x', fields: [] }],
    [`PATCH ${path}`, { name: 'x' }],
    ['POST /v1/webhooks', { url: 'https://shop.example/hook' }],
  ] as const) {
    assert.deepEqual(outcome(await send(request, body)), [400, 'role_insufficient'], request);
  }
});

test('{"currentUser": true} is the user of the request', async () => {
  const { account, path, id } = await setup();
  const role = await ok('POST /v1/roles', account, {
    name: 'Own',
    permissions: [{ collection: id, actions: ['read'], where: { owner: { eq: { currentUser: true } } } }],
  });
  const member = await createTestUser(service, account, 'viewer');
  const { control } = service;
  const owner = await createTestUser(service, account, 'owner');
  const assigned = await call(`PATCH /v1/members/${member.userId}`, { by: owner, body: { roleId: role.id } });
  assert.equal(assigned.status, 200, JSON.stringify(assigned.body));
  assert.deepEqual([assigned.body.role, assigned.body.roleId], ['custom', role.id]);
  const own = await service.createEntry(account, path, { title: 'own', owner: member.userId });
  const { entries } = (await call(`GET ${path}/entries`, { by: member })).body;
  assert.deepEqual(
    entries.map((each: { id: string }) => each.id),
    [own.id],
  );
  assert.ok(control);
});

test('a change of a role applies to its tokens at once', async () => {
  const { send, path, role, account } = await setup();
  assert.equal((await send(`GET ${path}/entries`)).status, 200);
  await ok(`PATCH /v1/roles/${role.id}`, account, { permissions: [] });
  assert.deepEqual(outcome(await send(`GET ${path}/entries`)), NOT_FOUND);
});

test('rows, references and joins lead to nothing that a role may not read', async () => {
  const account = await service.newAccount();
  const owner = await createTestUser(service, account, 'owner');
  const authors = await service.newCollection(account, FIELDS, { name: 'Authors' });
  const authorsId = authors.split('/').at(-1) ?? '';
  const posts = await service.newCollection(
    account,
    [FIELDS[0], { id: 'author', label: 'Author', type: 'text', format: 'reference', collectionIds: [authorsId] }],
    { name: 'Posts' },
  );
  const postsId = posts.split('/').at(-1) ?? '';
  const [mine, theirs] = [
    await service.createEntry(account, authors, { title: 'm', owner: 'me', secret: HIDDEN }),
    await service.createEntry(account, authors, { title: 't', owner: 'them', secret: HIDDEN }),
  ];
  for (const { id } of [mine, theirs]) await service.createEntry(account, posts, { title: `of ${id}`, author: id });
  const role = await ok('POST /v1/roles', account, {
    name: 'Reader',
    permissions: [
      { collection: postsId, actions: ['read', 'update'] },
      { collection: authorsId, actions: ['read'], exceptFields: ['secret'], where: { owner: { eq: 'me' } } },
    ],
  });
  const { token } = (await call('POST /v1/keys', { by: owner, body: { type: 'secret', name: 'x', roleId: role.id } }))
    .body;
  const send = (request: string, body?: unknown): Promise<Answer> =>
    call(request, { as: token, ...(body !== undefined && { body }) });
  const { entries } = (await send(`GET ${posts}/entries?expand=author`)).body;
  assert.equal(entries[0].values.author.values.title, 'm');
  assert.equal(entries[1].values.author, theirs.id);
  assert.doesNotMatch(JSON.stringify(entries), /classified/);
  const where = { 'author.title': { eq: 't' } };
  assert.deepEqual((await send(`POST ${posts}/entries/query`, { where })).body.entries, []);
  const hidden = { 'author.secret': { eq: HIDDEN } };
  assert.deepEqual(outcome(await send(`POST ${posts}/entries/query`, { where: hidden })), [400, 'field_unknown']);
  const groups = { groupBy: ['author.title'], measures: { n: { count: true } }, sort: 'n:asc' };
  const grouped = (await send(`POST ${posts}/entries/aggregate`, groups)).body.groups;
  assert.deepEqual(
    grouped.map(({ key }: { key: Record<string, unknown> }) => key['author.title']).sort(),
    ['m', null].sort(),
  );
  const sorted = (await send(`GET ${posts}/entries?sort=author.title:desc`)).body.entries;
  assert.equal(sorted.length, 2);
  const join = { posts: { collection: postsId, field: 'author' } };
  const joined = (await send(`POST ${authors}/entries/query`, { join })).body.entries;
  assert.deepEqual([joined.length, joined[0].joined.posts.total], [1, 1]);
  const referenced = await send(`PATCH ${posts}/entries/${entries[0].id}`, { values: { author: theirs.id } });
  assert.deepEqual(faultsOf(referenced), ['/values/author reference_unknown']);
});

test('a role that cannot be, with every fault', async () => {
  const { account, id, role, as } = await setup();
  const answer = await call('POST /v1/roles', {
    as: account,
    body: {
      name: 'Faulty',
      permissions: [
        { collection: 'nothing', actions: ['read'] },
        { collection: id, actions: ['read'], fields: ['no'], exceptFields: ['title'] },
        { collection: id, actions: ['read'], fields: ['title'], where: { secret: { eq: 'x' } } },
        { collection: '*', actions: ['update'], locales: ['de', 'xx'] },
      ],
    },
  });
  assert.deepEqual(faultsOf(answer), [
    '/permissions/0/collection collection_unknown',
    '/permissions/1/exceptFields fields_conflict',
    '/permissions/1/fields/0 field_unknown',
    '/permissions/2/actions permission_repeated',
    '/permissions/2/where/secret condition_unreadable',
    '/permissions/3/actions read_required',
    '/permissions/3/locales/0 locale_unknown',
    '/permissions/3/locales/1 locale_unknown',
  ]);
  assert.deepEqual(outcome(await call(`DELETE /v1/roles/${role.id}`, { as: account })), [400, 'role_in_use']);
  assert.deepEqual(outcome(await call('PATCH /v1/roles/editor', { as: account, body: { name: 'x' } })), [
    400,
    'role_built_in',
  ]);
  assert.deepEqual(outcome(await call('POST /v1/roles', { as, body: { name: 'x' } })), [400, 'role_insufficient']);
  const more = { name: 'x', features: { members: 'write' } };
  assert.deepEqual(outcome(await call('POST /v1/roles', { as: account, body: more })), [400, 'role_exceeds_own']);
});

test('a role names locales of the account, and keeps one that the account has no more', async () => {
  const account = await service.newAccount();
  const locales = (...all: string[]) =>
    ok('PUT /v1/cms/locales', account, { default: 'en', locales: all.map((locale) => ({ locale })) });
  await locales('en', 'pt-BR');
  const permissions = [{ collection: '*', actions: ['read'], locales: ['PT-br', 'en'] }];
  const role = await ok('POST /v1/roles', account, { name: 'Translator', permissions });
  assert.deepEqual(role.permissions[0].locales, ['pt-BR', 'en']);
  await locales('en');
  const renamed = await ok(`PATCH /v1/roles/${role.id}`, account, { name: 'Translation' });
  assert.deepEqual(renamed.permissions, role.permissions);
  const again = await call(`PATCH /v1/roles/${role.id}`, { as: account, body: { permissions } });
  assert.deepEqual(faultsOf(again), ['/permissions/0/locales/0 locale_unknown']);
});

const INSUFFICIENT = [400, 'role_insufficient'];

test('only owners make owners, also of somebody whose role may do everything', async () => {
  const { owner, account } = await setup();
  const everything = ['read', 'create', 'update', 'delete', 'publish', 'review'];
  const names = ['analytics', 'conversions', 'files', 'webhooks', 'destinations', 'members', 'schema'];
  const features = Object.fromEntries(names.map((name) => [name, 'write']));
  const permissions = [{ collection: '*', actions: everything }];
  const { body: role } = await call('POST /v1/roles', { by: owner, body: { name: 'All', permissions, features } });
  const eve = await createTestUser(service, account, 'editor');
  // Not the last owner.
  await createTestUser(service, account, 'owner');
  const assign = (by: typeof eve, to: typeof eve, roleId: string) =>
    call(`PATCH /v1/members/${publicId('usr', to.uuid)}`, { by, body: { roleId } });
  assert.equal((await assign(owner, eve, role.id)).status, 200);
  assert.deepEqual(outcome(await assign(eve, eve, 'owner')), [400, 'role_exceeds_own']);
  assert.deepEqual(outcome(await assign(eve, owner, 'viewer')), [400, 'role_exceeds_own']);
});

test('whoever changes the schema reads everything, as they could make it public', async () => {
  const { owner, id } = await setup();
  const make = (permissions: object[]) =>
    call('POST /v1/roles', { by: owner, body: { name: 'Schema', permissions, features: { schema: 'write' } } });
  const refused = await make([{ collection: id, actions: ['read'] }]);
  assert.deepEqual(faultsOf(refused), ['/features/schema read_required']);
  assert.equal((await make([{ collection: '*', actions: ['read'] }])).status, 200);
});

test('imports, with all of their columns, are for those who read all of the collection', async () => {
  const limited = await setup({ actions: ['read', 'create'], exceptFields: ['secret'] });
  assert.deepEqual(outcome(await limited.send(`GET ${limited.path}/imports`)), INSUFFICIENT);
  const whole = await setup({ actions: ['read', 'create'] });
  assert.equal((await whole.send(`GET ${whole.path}/imports`)).status, 200);
});

test('whoever only reads conversions reports none, also by GET', async () => {
  const { account, owner } = await setup();
  const body = { name: 'Reports', features: { conversions: 'read' } };
  const { body: role } = await call('POST /v1/roles', { by: owner, body });
  const { body: key } = await call('POST /v1/keys', {
    by: owner,
    body: { type: 'secret', name: 'r', roleId: role.id },
  });
  const report = { gclid: 'g', eventId: 'e', value: '1', currency: 'EUR' };
  const url = '/v1/analytics/report-conversion';
  const INSUFFICIENT = [400, 'role_insufficient'];
  assert.deepEqual(outcome(await call(`POST ${url}`, { as: key.token, body: report })), INSUFFICIENT);
  assert.deepEqual(outcome(await call(`GET ${url}?${new URLSearchParams(report)}`, { as: key.token })), INSUFFICIENT);
  assert.equal((await call(`GET ${url}?${new URLSearchParams(report)}`, { as: account })).status, 200);
});

test('exports of conversions need the feature', async () => {
  const { account, owner } = await setup();
  const role = await ok('POST /v1/roles', account, { name: 'Analyst', features: { analytics: 'write' } });
  const { body } = await call('POST /v1/keys', { by: owner, body: { type: 'secret', name: 'A', roleId: role.id } });
  const start = (dataset: string) =>
    call('POST /v1/analytics/export', { as: body.token, body: { dataset, format: 'csv' } });
  assert.deepEqual(outcome(await start('conversions')), INSUFFICIENT);
  assert.deepEqual(outcome(await start('unmatched')), INSUFFICIENT);
  assert.equal((await start('sessions')).status, 200);
});

test('deleted entries do not match a condition that a text is not there', async () => {
  const { send, account, path, foreign } = await setup({ where: { not: { title: { contains: 'b' } } } });
  assert.deepEqual(outcome(await send(`GET ${path}/entries/${foreign.id}`)), NOT_FOUND);
  await ok(`DELETE ${path}/entries/${foreign.id}`, account);
  assert.deepEqual((await send(`GET ${path}/trash`)).body.entries, []);
  assert.deepEqual(outcome(await send(`GET ${path}/entries/${foreign.id}?includeDeleted=true`)), NOT_FOUND);
});

test('values and the status are changed one after the other', async () => {
  const { send, path, entry } = await setup({
    actions: ['read', 'update', 'delete'],
    where: { owner: { eq: 'me' } },
  });
  const both = { status: 'deleted', values: { owner: 'them' } };
  assert.deepEqual(outcome(await send(`PATCH ${path}/entries/${entry.id}`, both)), INSUFFICIENT);
  assert.equal((await send(`PATCH ${path}/entries/${entry.id}`, { status: 'deleted' })).status, 200);
});

test('webhooks of a role end with the token that made them, and are not those of others with the role', async () => {
  const { account, owner } = await setup();
  const permissions = [{ collection: '*', actions: ['read'] }];
  const role = await ok('POST /v1/roles', account, { name: 'Hooks', permissions, features: { webhooks: 'write' } });
  const newKey = async () =>
    (await call('POST /v1/keys', { by: owner, body: { type: 'secret', name: 'K', roleId: role.id } })).body;
  const [mine, theirs] = [await newKey(), await newKey()];
  const made = await call('POST /v1/webhooks', { as: mine.token, body: { url: 'https://hooks.example/x' } });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  assert.deepEqual(outcome(await call(`GET /v1/webhooks/${made.body.id}`, { as: theirs.token })), NOT_FOUND);
  assert.deepEqual((await call('GET /v1/webhooks', { as: theirs.token })).body.webhooks, []);
  assert.equal((await call('GET /v1/webhooks', { as: mine.token })).body.webhooks.length, 1);
  const control = asControl(service.db);
  const author = { type: 'key', id: parseId('key', mine.id) ?? null } as const;
  assert.ok((await accessOfAuthor(control, account.uuid, author))?.access);
  await call(`DELETE /v1/keys/${mine.id}`, { by: owner });
  assert.equal(await accessOfAuthor(control, account.uuid, author), undefined);
  await call(`DELETE /v1/keys/${theirs.id}`, { by: owner });
  assert.equal((await call(`DELETE /v1/roles/${role.id}`, { by: owner })).status, 200);
  assert.equal(await accessOfAuthor(control, account.uuid, author), undefined);
});

test('an email that nobody confirmed is not that of the current user', async () => {
  const { account, owner } = await setup();
  const email = { id: 'mail', label: 'Mail', type: 'text', format: 'email' };
  const path = await service.newCollection(account, [FIELDS[0], email], { name: 'Mails' });
  const where = { mail: { eq: { currentUser: true } } };
  const permissions = [{ collection: path.split('/').at(-1), actions: ['read'], where }];
  const role = await ok('POST /v1/roles', account, { name: 'Own mail', permissions });
  const eve = await createTestUser(service, account, 'viewer');
  await service.createEntry(account, path, { title: 'x', mail: eve.email });
  await call(`PATCH /v1/members/${eve.userId}`, { by: owner, body: { roleId: role.id } });
  const count = async () => (await call(`GET ${path}/entries`, { by: eve })).body.entries.length;
  const emailOfAuthor = async () => {
    const author = { type: 'user', id: eve.uuid } as const;
    return (await accessOfAuthor(asControl(service.db), account.uuid, author))?.access?.email;
  };
  assert.deepEqual([await count(), await emailOfAuthor()], [1, eve.email]);
  await service.control.query('update users set email_confirmed_at = null where id = $1', [eve.uuid]);
  assert.deepEqual([await count(), await emailOfAuthor()], [0, null]);
});

test('the review by owners cannot be passed by a key that has a role, or by a push of the schema', async () => {
  const { account, owner } = await setup();
  const path = await service.newCollection(account, FIELDS, { name: 'Reviewed', publishing: true });
  await ok(`PATCH ${path}`, account, { review: 'owner' });
  const entry = await service.createEntry(account, path, { title: 'a' });
  const actions = ['read', 'create', 'update', 'publish', 'review'];
  const features = { schema: 'write' };
  const permissions = [{ collection: '*', actions }];
  const role = await ok('POST /v1/roles', account, { name: 'Reviewers', permissions, features });
  const keyOf = async (roleId: string) =>
    (await call('POST /v1/keys', { by: owner, body: { type: 'secret', name: 'K', roleId } })).body.token as string;
  for (const as of [await keyOf(role.id), await keyOf('editor')]) {
    const approved = await call(`PUT ${path}/entries/${entry.id}/review`, { as, body: { state: 'approved' } });
    assert.deepEqual(outcome(approved), INSUFFICIENT);
    assert.deepEqual(outcome(await call(`PATCH ${path}`, { as, body: { review: null } })), INSUFFICIENT);
  }
  const as = await keyOf(role.id);
  const { status, body: schema } = await call('GET /v1/schema', { as });
  assert.equal(status, 200, JSON.stringify(schema));
  const collections = schema.collections.map(({ review: _, ...each }: { review?: string }) => each);
  const pushed = await call('PUT /v1/schema', { as, body: { collections } });
  assert.equal(pushed.body.code, 'role_insufficient');
  assert.match(pushed.body.errors[0].pointer, /^\/collections\/\d+\/review$/);
  const same = await call('PUT /v1/schema', { as, body: { collections: schema.collections } });
  assert.equal(same.status, 200, JSON.stringify(same.body));
  assert.equal((await ok(`PUT ${path}/entries/${entry.id}/review`, account, { state: 'approved' })).state, 'approved');
});

/** A role on a collection with publishing. */
async function publishingSetup(permission: Record<string, unknown>) {
  const base = await setup();
  const { account, owner } = base;
  const path = await service.newCollection(account, FIELDS, { name: 'News', publishing: true, public: true });
  const id = path.split('/').at(-1) ?? '';
  const role = await ok('POST /v1/roles', account, { name: 'N', permissions: [{ collection: id, ...permission }] });
  const key = await call('POST /v1/keys', { by: owner, body: { type: 'secret', name: 'N', roleId: role.id } });
  const send = (request: string, body?: unknown): Promise<Answer> =>
    call(request, { as: key.body.token, ...(body !== undefined && { body }) });
  return { ...base, path, id, send, as: key.body.token as string };
}

test('what a role restores that may not publish is a draft, and stays one', async () => {
  const { account, path, send } = await publishingSetup({ actions: ['read', 'delete'] });
  const entry = await service.createEntry(account, path, { title: 'a' });
  await ok(`POST ${path}/entries/${entry.id}/publish`, account);
  assert.equal((await send(`DELETE ${path}/entries/${entry.id}`)).status, 200);
  const restored = await send(`PATCH ${path}/entries/${entry.id}`, { status: 'active' });
  assert.deepEqual([restored.status, restored.body.publishedVersion], [200, null]);
  await ok(`DELETE ${path}/entries/${entry.id}`, account);
  const again = await ok(`PATCH ${path}/entries/${entry.id}`, account, { status: 'active' });
  assert.equal(again.publishedVersion, null, 'it was a draft when it was deleted');
});

test('the version that a release publishes must match the condition, not only the current one', async () => {
  const { account, path, id, send } = await publishingSetup({
    actions: ['read', 'update', 'publish'],
    where: { owner: { eq: 'me' } },
  });
  const entry = await service.createEntry(account, path, { title: 'a', owner: 'them' });
  await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: { owner: 'me' } });
  const items = [{ collectionId: id, entryId: entry.id, version: 1, action: 'publish' }];
  const release = await send('POST /v1/cms/releases', { name: 'R', items });
  if (release.status !== 200) return assert.equal(release.body.code, 'condition_not_met');
  const published = await send(`POST /v1/cms/releases/${release.body.id}/publish`);
  assert.equal(published.status, 400, JSON.stringify(published.body));
  assert.equal((await ok(`GET ${path}/entries/${entry.id}`, account)).publishedVersion, null);
});

test('an entry is moved only below one that the mover reads', async () => {
  const { account, owner } = await setup();
  const settings = { name: 'Tree', ordering: 'manual', tree: true };
  const path = await service.newCollection(account, FIELDS, settings);
  const permissions = [
    { collection: path.split('/').at(-1), actions: ['read', 'update'], where: { owner: { eq: 'me' } } },
  ];
  const role = await ok('POST /v1/roles', account, { name: 'T', permissions });
  const key = await call('POST /v1/keys', { by: owner, body: { type: 'secret', name: 'T', roleId: role.id } });
  const mine = await service.createEntry(account, path, { title: 'a', owner: 'me' });
  const theirs = await service.createEntry(account, path, { title: 'b', owner: 'them' });
  const move = (body: object) => call(`POST ${path}/entries/${mine.id}/move`, { as: key.body.token, body });
  assert.deepEqual(faultsOf(await move({ parentId: theirs.id })), ['/parentId entry_unknown']);
  assert.equal((await move({ first: true })).status, 200);
});

test('an upsert finds only entries that the role reads, and no fault names another one, or a hidden field', async () => {
  const { account, owner } = await setup();
  const fields = [...FIELDS, { id: 'sku', label: 'Number', type: 'text', unique: true }];
  const uniqueTogether = [['title', 'secret']];
  const path = await service.newCollection(account, fields, { name: 'Unique', uniqueTogether });
  const permissions = [
    {
      collection: path.split('/').at(-1),
      actions: ['read', 'create', 'update'],
      exceptFields: ['secret'],
      where: { owner: { eq: 'me' } },
    },
  ];
  const role = await ok('POST /v1/roles', account, { name: 'U', permissions });
  const key = await call('POST /v1/keys', { by: owner, body: { type: 'secret', name: 'U', roleId: role.id } });
  const send = (request: string, body: object) => call(request, { as: key.body.token, body });
  const theirs = await service.createEntry(account, path, { title: 'b', owner: 'them', sku: '1', secret: HIDDEN });
  const put = await send(`PUT ${path}/entries/by/sku/1`, { values: { owner: 'me' } });
  assert.deepEqual(faultsOf(put), ['/values/sku value_taken']);
  assert.doesNotMatch(JSON.stringify(put.body), new RegExp(theirs.id));
  const mine = await service.createEntry(account, path, { title: 'a', owner: 'me', sku: '2', secret: HIDDEN });
  const clash = await send(`PATCH ${path}/entries/${mine.id}`, { values: { title: 'b' } });
  assert.equal(clash.status, 400);
  assert.doesNotMatch(JSON.stringify(clash.body), /Secret|secret/);
});

test('plans of statements, which name conditions, are not for roles', async () => {
  const { send, path } = await setup({ where: { owner: { eq: 'me' } } });
  assert.deepEqual(outcome(await send(`GET ${path}/entries?explain=true`)), INSUFFICIENT);
  assert.deepEqual(outcome(await send(`POST ${path}/entries/query`, { explain: true })), INSUFFICIENT);
  const body = { explain: true, measures: { n: { count: true } } };
  assert.deepEqual(outcome(await send(`POST ${path}/entries/aggregate`, body)), INSUFFICIENT);
});

test('keys that may do more than a role are not made, renamed, rotated or revoked by it', async () => {
  const { owner, account } = await setup();
  const features = { members: 'write' };
  const { body: role } = await call('POST /v1/roles', { by: owner, body: { name: 'Members', features } });
  const eve = await createTestUser(service, account, 'editor');
  const assigned = await call(`PATCH /v1/members/${eve.userId}`, { by: owner, body: { roleId: role.id } });
  assert.equal(assigned.status, 200, JSON.stringify(assigned.body));
  const EXCEEDS = [400, 'role_exceeds_own'];
  for (const type of ['secret', 'postback']) {
    assert.deepEqual(outcome(await call('POST /v1/keys', { by: eve, body: { type, name: 'x' } })), EXCEEDS, type);
    const { body: key } = await call('POST /v1/keys', { by: owner, body: { type, name: 'x' } });
    assert.deepEqual(outcome(await call(`PATCH /v1/keys/${key.id}`, { by: eve, body: { name: 'y' } })), EXCEEDS);
    assert.deepEqual(outcome(await call(`POST /v1/keys/${key.id}/rotate`, { by: eve })), EXCEEDS);
    assert.deepEqual(outcome(await call(`DELETE /v1/keys/${key.id}`, { by: eve })), EXCEEDS);
  }
  const mine = await call('POST /v1/keys', { by: eve, body: { type: 'publishable', name: 'x' } });
  assert.equal((await call(`DELETE /v1/keys/${mine.body.id}`, { by: eve })).status, 200);
});

test('a role with delete alone deletes and restores', async () => {
  const { send, path, entry } = await setup({ actions: ['read', 'delete'] });
  assert.equal((await send(`DELETE ${path}/entries/${entry.id}`)).status, 200);
  assert.equal((await send(`PATCH ${path}/entries/${entry.id}`, { status: 'active' })).status, 200);
  assert.deepEqual(outcome(await send(`PATCH ${path}/entries/${entry.id}`, { values: {} })), INSUFFICIENT);
});

test('presence names no field that the reader does not know', async () => {
  const { send, path, entry, owner } = await setup({ exceptFields: ['secret'] });
  const at = (field: string) => call(`POST ${path}/entries/${entry.id}/presence?field=${field}`, { by: owner });
  const seen = async () => (await send(`POST ${path}/entries/${entry.id}/presence`)).body.users[0].field;
  await at('title');
  assert.equal(await seen(), 'title');
  await at('secret');
  assert.equal(await seen(), null);
});

test('public content, GraphQL and MCP show a token with a role what the role may read', async () => {
  const { account, path, id, send } = await publishingSetup({
    actions: ['read'],
    exceptFields: ['secret'],
    where: { owner: { eq: 'me' } },
  });
  await ok(`PATCH ${path}`, account, { key: 'news' });
  const hidden = await service.newCollection(account, FIELDS, { name: 'Unseen', publishing: true, public: true });
  await ok(`PATCH ${hidden}`, account, { key: 'unseen' });
  const drafts = await service.newCollection(account, FIELDS, { name: 'Unnamed' });
  const publish = async (at: string, values: Record<string, unknown>) => {
    const entry = await service.createEntry(account, at, values);
    await ok(`POST ${at}/entries/${entry.id}/publish`, account);
    return entry;
  };
  const mine = await publish(path, { title: 'mine', owner: 'me', secret: HIDDEN });
  const theirs = await publish(path, { title: 'theirs', owner: 'them', secret: HIDDEN });
  await publish(hidden, { title: 'unseen' });
  const listed = await send(`GET /v1/content/${id}`);
  assert.deepEqual(
    listed.body.entries.map((entry: { id: string }) => entry.id),
    [mine.id],
  );
  assert.match(String(listed.headers['cache-control']), /private|no-store/);
  for (const request of ['GET /v1/content/unseen', `GET ${drafts.replace('cms/collections', 'content')}`]) {
    const answer = await send(request);
    assert.deepEqual(outcome(answer), NOT_FOUND, request);
    assert.doesNotMatch(JSON.stringify(answer.body), /Unseen|Unnamed/);
  }
  assert.deepEqual(outcome(await send(`GET /v1/content/news/${theirs.id}`)), NOT_FOUND);
  assert.equal((await send(`GET /v1/content/news/${mine.id}`)).status, 200);
  assert.deepEqual(outcome(await send('GET /v1/content/changes')), INSUFFICIENT);
  const graphql = (query: string) => send('POST /v1/graphql', { query });
  const queried = await graphql('{ newsList { items { id title } } }');
  assert.doesNotMatch(JSON.stringify(queried.body), /theirs/);
  const schema = await graphql('{ __schema { types { name fields { name } } } }');
  assert.equal(schema.status, 200);
  assert.doesNotMatch(JSON.stringify(schema.body), /secret|unseen/i);
  const whole = await call('POST /v1/graphql', { as: account, body: { query: '{ __schema { types { name } } }' } });
  assert.match(JSON.stringify(whole.body), /unseen/i, 'others are served another schema');
});

test('a role that may read the schema gets what it may read of it, without webhooks of others', async () => {
  const { account, owner, id } = await setup();
  const permissions = [{ collection: id, actions: ['read'], exceptFields: ['secret'] }];
  const role = await ok('POST /v1/roles', account, { name: 'S', permissions, features: { schema: 'read' } });
  const key = await call('POST /v1/keys', { by: owner, body: { type: 'secret', name: 'S', roleId: role.id } });
  const { status, body } = await call('GET /v1/schema', { as: key.body.token });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.collections.length, body.webhooks], [1, undefined]);
  assert.doesNotMatch(JSON.stringify(body), /secret|Others/i);
});

test('a file names only entries that use it which the role reads', async () => {
  const { account, owner } = await setup();
  const image = { id: 'image', label: 'Image', type: 'asset' };
  const path = await service.newCollection(account, [...FIELDS, image], { name: 'Pictures' });
  const permissions = [{ collection: path.split('/').at(-1), actions: ['read'], where: { owner: { eq: 'me' } } }];
  const role = await ok('POST /v1/roles', account, { name: 'F', permissions, features: { files: 'read' } });
  const key = await call('POST /v1/keys', { by: owner, body: { type: 'secret', name: 'F', roleId: role.id } });
  const { payload, headers } = filePart('file', 'picture.png', PNG);
  const { body: file } = await call('POST /v1/files/upload', { as: account, body: payload, headers });
  const values = { image: { assetId: file.assetId } };
  const mine = await service.createEntry(account, path, { ...values, owner: 'me' });
  await service.createEntry(account, path, { ...values, owner: 'them' });
  const usedBy = async (as: Account | string) =>
    (await call(`GET /v1/files/${file.assetId}`, { as })).body.usedBy.map(
      ({ entryId }: { entryId: string }) => entryId,
    );
  assert.equal((await usedBy(account)).length, 2);
  assert.deepEqual(await usedBy(key.body.token), [mine.id]);
});

test('a stored message is sent and shown again as its maker may read it now', async () => {
  const { account, owner, path, id, entry } = await setup();
  const permissions = (except: string[]) => [{ collection: id, actions: ['read'], exceptFields: except }];
  const features = { webhooks: 'write' };
  const role = await ok('POST /v1/roles', account, { name: 'H', permissions: permissions([]), features });
  const key = await call('POST /v1/keys', { by: owner, body: { type: 'secret', name: 'H', roleId: role.id } });
  const made = await call('POST /v1/webhooks', { as: key.body.token, body: { url: 'https://hooks.example/x' } });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const stored = await ok(`GET ${path}/entries/${entry.id}`, account);
  const [endpoint] = await findEndpoint(service.db, {
    account_id: account.uuid,
    id: parseId('whk', made.body.id) ?? '',
  });
  const body = JSON.stringify({ id: 'msg_x', type: 'entry.updated', data: stored });
  const read = () => storedAsRead(service, service.db, endpoint, body);
  assert.match((await read()) ?? '', /classified/);
  await ok(`PATCH /v1/roles/${role.id}`, account, { permissions: permissions(['secret']) });
  const narrowed = (await read()) ?? '';
  assert.doesNotMatch(narrowed, /classified/);
  assert.match(narrowed, /"title":"a"/);
  await ok(`PATCH /v1/roles/${role.id}`, account, { permissions: [] });
  assert.equal(await read(), undefined);
});

test('releases without entries and deliveries of conversions are not for every role', async () => {
  const { account, owner, send } = await setup();
  const release = await ok('POST /v1/cms/releases', account, { name: 'Empty', items: [] });
  assert.deepEqual(outcome(await send(`GET /v1/cms/releases/${release.id}`)), NOT_FOUND);
  assert.deepEqual(outcome(await send(`DELETE /v1/cms/releases/${release.id}`)), NOT_FOUND);
  const permissions = [{ collection: '*', actions: ['read', 'publish'] }];
  const role = await ok('POST /v1/roles', account, { name: 'D', permissions, features: { destinations: 'write' } });
  const key = await call('POST /v1/keys', { by: owner, body: { type: 'secret', name: 'D', roleId: role.id } });
  const as = key.body.token;
  assert.equal((await call(`GET /v1/cms/releases/${release.id}`, { as })).status, 200);
  for (const path of ['destinations/dst_x/deliveries', 'conversions/cnv_x/deliveries']) {
    assert.deepEqual(outcome(await call(`GET /v1/${path}`, { as })), INSUFFICIENT, path);
  }
  assert.equal((await call('GET /v1/destinations', { as })).status, 200);
});

test('discarding a draft changes no field that the role does not read', async () => {
  const { account, path, id, role, entry, send } = await setup();
  const permissions = [
    { collection: id, actions: ['read'], exceptFields: ['secret'] },
    { collection: id, actions: ['update', 'publish'] },
  ];
  await ok(`PATCH /v1/roles/${role.id}`, account, { permissions });
  await ok(`PATCH /v1/cms/collections/${id}`, account, { publishing: true });
  await ok(`POST ${path}/entries/${entry.id}/publish`, account, {});
  await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: { title: 'a draft', secret: 'of another' } });
  const refused = await send(`POST ${path}/entries/${entry.id}/discard-draft`, {});
  assert.deepEqual(faultsOf(refused), ['/values values_incomplete']);
  const { values } = await ok(`GET ${path}/entries/${entry.id}`, account);
  assert.deepEqual([values.title, values.secret], ['a draft', 'of another']);
  await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: { secret: HIDDEN } });
  assert.equal((await send(`POST ${path}/entries/${entry.id}/discard-draft`, {})).status, 200, 'it reads what changes');
});
