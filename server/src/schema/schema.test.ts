import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../test/harness.ts';
import { service } from '../../test/shared.ts';
import { testKeys } from '../../test/test-keys.ts';
import { createTestUser } from '../../test/users.ts';
import { parseId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { Vault } from '../shared/secrets/vault.ts';
import { pushSchema } from './push-schema.ts';

type Body = Record<string, unknown>;
interface Changed {
  action: string;
  type: string;
  path: string;
  losesData: boolean;
  entries: number;
  members: { member: string }[];
}

async function ok(account: Account, request: string, body?: unknown) {
  const answer = await service.call(request, { as: account, ...(body !== undefined && { body }) });
  assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function refused(account: Account, request: string, body: unknown) {
  const answer = await service.call(request, { as: account, body });
  assert.equal(answer.status, 400, JSON.stringify(answer.body));
  return answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]);
}

const title = { id: 'title', label: 'Title', type: 'text', required: true };
const SCHEMA = {
  locales: { default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }] },
  components: [
    { key: 'page_seo', name: 'SEO', fields: [{ id: 'text', label: 'Text', type: 'text' }] },
    {
      key: 'hero',
      name: 'Hero',
      fields: [
        { id: 'line', label: 'Line', type: 'text' },
        { id: 'seo', label: 'SEO', type: 'group', componentId: 'page_seo' },
      ],
    },
  ],
  collections: [
    {
      key: 'posts',
      name: 'Posts',
      publishing: true,
      public: true,
      displayFieldId: 'title',
      fields: [
        { ...title, localized: true },
        { id: 'slug', label: 'Slug', type: 'text', format: 'slug', slugSource: 'title' },
        { id: 'author', label: 'Author', type: 'text', format: 'reference', collectionIds: ['authors'] },
        {
          id: 'kind',
          label: 'Kind',
          type: 'select',
          options: [
            { value: 'a', label: 'A' },
            { value: 'b', label: 'B' },
          ],
        },
        { id: 'seo', label: 'SEO', type: 'group', componentId: 'page_seo' },
        {
          id: 'blocks',
          label: 'Blocks',
          type: 'group',
          repeated: true,
          format: 'blocks',
          blocks: [
            { id: 'hero', label: 'Hero', componentId: 'hero' },
            { id: 'quote', label: 'Quote', fields: [{ id: 'text', label: 'Text', type: 'text' }] },
          ],
        },
      ],
    },
    {
      key: 'authors',
      name: 'Authors',
      fields: [
        { id: 'name', label: 'Name', type: 'text', unique: true },
        { id: 'posts', label: 'Posts', type: 'text', format: 'reference', repeated: true, collectionIds: ['posts'] },
      ],
    },
  ],
};

/** An account with the schema, and what it returned. */
async function pushed() {
  const account = await service.newAccount();
  const result = await ok(account, 'PUT /v1/schema', SCHEMA);
  assert.equal(result.applied, true);
  return { account, result, schema: await ok(account, 'GET /v1/schema') };
}

const within = (schema: { collections: Body[] }, key: string) => {
  const found = schema.collections.find((each) => each.key === key);
  assert.ok(found, key);
  return found as Body & { id: string; fields: Body[] };
};

const summary = (changes: Changed[]) =>
  changes.map(({ action, type, path, losesData, entries }) => [action, type, path, losesData, entries].join(' '));

test('a schema makes collections that reference each other and components in components, and is read as it was sent', async () => {
  const { schema, result } = await pushed();
  assert.deepEqual(summary(result.changes), [
    'update locales locales false 0',
    'create component page_seo false 0',
    'create component hero false 0',
    'create collection posts false 0',
    'create collection authors false 0',
  ]);
  const withoutIds = ({ id: _, ...rest }: Body) => rest;
  assert.deepEqual(schema.collections.map(withoutIds), SCHEMA.collections);
  assert.deepEqual(schema.components.map(withoutIds), SCHEMA.components);
});

test('what was read can be pushed: nothing changes, here and in another account, where IDs stay', async () => {
  const { account, schema } = await pushed();
  assert.deepEqual((await ok(account, 'PUT /v1/schema', schema)).changes, []);
  const production = await service.newAccount();
  await ok(production, 'PUT /v1/schema', schema);
  assert.deepEqual(await ok(production, 'GET /v1/schema'), schema);
});

test('renames by ID are updates, here and in other accounts', async () => {
  const { account, schema } = await pushed();
  const production = await service.newAccount();
  await ok(production, 'PUT /v1/schema', schema);
  const renamed = structuredClone(schema);
  const posts = within(renamed, 'posts');
  Object.assign(posts, { key: 'articles', name: 'Articles' });
  Object.assign(posts.fields[0] ?? {}, { label: 'Headline' });
  const ofAuthors = within(renamed, 'authors').fields[1] as Body;
  ofAuthors.collectionIds = ['articles'];
  renamed.components[0].name = 'Search engines';
  for (const each of [account, production]) {
    const dry = await ok(each, 'PUT /v1/schema?dryRun=true', renamed);
    assert.deepEqual(summary(dry.changes), [
      'update component page_seo false 0',
      'update collection articles false 0',
      'update field articles.title false 0',
    ]);
    assert.deepEqual([dry.applied, dry.dryRun, dry.undoId], [false, true, null]);
    assert.notEqual(within(await ok(each, 'GET /v1/schema'), 'posts').name, 'Articles');
    await ok(each, 'PUT /v1/schema', renamed);
    assert.deepEqual(await ok(each, 'GET /v1/schema'), renamed);
  }
});

test('keys can be exchanged', async () => {
  const { account, schema } = await pushed();
  const [posts, authors] = [within(schema, 'posts'), within(schema, 'authors')];
  Object.assign(posts, { key: 'authors' });
  Object.assign(authors, { key: 'posts' });
  await ok(account, 'PUT /v1/schema', schema);
  assert.equal((await ok(account, 'GET /v1/cms/collections/posts')).id, authors.id);
});

/** An entry with a value of everything. */
async function fill(account: Account, schema: { collections: Body[] }) {
  const authors = `/v1/cms/collections/${within(schema, 'authors').id}/entries`;
  const author = await ok(account, `POST ${authors}`, { values: { name: 'Ann' } });
  const posts = `/v1/cms/collections/${within(schema, 'posts').id}/entries`;
  const values = {
    title: 'Hello',
    'title@de': 'Hallo',
    author: author.id,
    kind: 'b',
    seo: { text: 'x' },
    blocks: [
      { _block: 'hero', line: 'l', seo: { text: 'y' } },
      { _block: 'quote', text: 'q' },
    ],
  };
  const post = await ok(account, `POST ${posts}`, { values });
  await ok(account, `POST ${posts}`, { values: { title: 'Empty' } });
  return { author, post, posts };
}

test('what loses data is named with its entries, refused without permission, and undone', async () => {
  const { account, schema } = await pushed();
  const { post, posts } = await fill(account, schema);
  const less = structuredClone(schema);
  const ofPosts = within(less, 'posts');
  ofPosts.fields = ofPosts.fields.filter(({ id }) => id !== 'author');
  const blocks = ofPosts.fields.find(({ id }) => id === 'blocks') as { blocks: Body[] };
  blocks.blocks.pop();
  less.components[0].fields = [{ id: 'other', label: 'Other', type: 'text' }];
  less.locales.locales.pop();
  less.collections = less.collections.filter(({ key }: Body) => key !== 'authors');
  const expected = [
    'update locales locales true 1',
    'create field page_seo.other false 0',
    'delete field page_seo.text true 2',
    'delete block posts.blocks.quote true 1',
    'delete field posts.author true 1',
    'delete collection authors true 1',
  ];
  const dry = await ok(account, 'PUT /v1/schema?dryRun=true', less);
  assert.deepEqual(summary(dry.changes), expected);
  assert.equal(dry.losesData, true);
  assert.deepEqual(await refused(account, 'PUT /v1/schema', less), Array(5).fill(['', 'data_loss']));
  assert.deepEqual(await ok(account, 'GET /v1/schema'), schema);
  const result = await ok(account, 'PUT /v1/schema', { ...less, allowDataLoss: true });
  assert.deepEqual(summary(result.changes), expected);
  assert.deepEqual(Object.keys((await ok(account, `GET ${posts}/${post.id}`)).values).includes('author'), false);

  const undone = await ok(account, `POST /v1/schema/undo/${result.undoId}`, {});
  assert.equal(undone.applied, true);
  assert.deepEqual(await ok(account, 'GET /v1/schema'), schema);
  const { values } = await ok(account, `GET ${posts}/${post.id}`);
  assert.deepEqual(
    [values.author, values['title@de'], values.seo.text, values.blocks.length],
    [post.values.author, 'Hallo', 'x', 2],
  );
});

test('fields without values are deleted without permission', async () => {
  const { account, schema } = await pushed();
  const less = structuredClone(schema);
  const posts = within(less, 'posts');
  posts.fields = posts.fields.slice(0, 2);
  const { changes, losesData } = await ok(account, 'PUT /v1/schema', less);
  assert.deepEqual([changes.length, losesData], [4, false]);
  assert.deepEqual(await ok(account, 'GET /v1/schema'), less);
});

test('a component and all fields that have it are deleted together, and come back', async () => {
  const { account, schema } = await pushed();
  const { post, posts } = await fill(account, schema);
  const less = structuredClone(schema);
  less.components = [];
  const ofPosts = within(less, 'posts');
  ofPosts.fields = ofPosts.fields.filter(({ id }) => id !== 'seo' && id !== 'blocks');
  const { undoId } = await ok(account, 'PUT /v1/schema?allowDataLoss=true', less);
  assert.deepEqual((await ok(account, 'GET /v1/cms/components')).components, []);
  await ok(account, `POST /v1/schema/undo/${undoId}`, {});
  assert.deepEqual(await ok(account, 'GET /v1/schema'), schema);
  assert.deepEqual((await ok(account, `GET ${posts}/${post.id}`)).values.blocks, post.values.blocks);
});

test('an undo is refused after other changes, and for what has values since', async () => {
  const { account, result, schema } = await pushed();
  await fill(account, schema);
  const undo = `POST /v1/schema/undo/${result.undoId}`;
  assert.deepEqual(await refused(account, undo, {}), Array(2).fill(['', 'data_loss']));
  await ok(account, `PATCH /v1/cms/collections/${within(schema, 'authors').id}`, { name: 'Writers' });
  assert.deepEqual(await refused(account, undo, { allowDataLoss: true }), [['', 'schema_changed']]);
});

test('every fault is returned with its position, and nothing is applied', async () => {
  const { account, schema } = await pushed();
  const broken = structuredClone(schema);
  const posts = within(broken, 'posts');
  Object.assign(posts.fields[2] ?? {}, { collectionIds: ['nothing'] });
  Object.assign(posts.fields[3] ?? {}, { type: 'number' });
  Object.assign(within(broken, 'authors'), { displayFieldId: 'absent', name: 'Changed' });
  broken.components[0].fields.push({ label: 'Without ID', type: 'text' });
  broken.components[0].fields.push({ id: 'bad', label: 'Bad', type: 'group', fields: [] });
  const faults = await refused(account, 'PUT /v1/schema', broken);
  for (const expected of [
    ['/collections/0/fields/3/type', 'type_immutable'],
    ['/collections/1/displayFieldId', 'field_unknown'],
    ['/components/0/fields/1/id', 'required'],
    ['/components/0/fields/2/fields', 'fields_required'],
  ])
    assert.ok(
      faults.some((fault: string[]) => fault.join() === expected.join()),
      `${expected.join()} in ${JSON.stringify(faults)}`,
    );
  assert.deepEqual(await ok(account, 'GET /v1/schema'), schema);
});

test('sections that are not sent stay', async () => {
  const { account, schema } = await pushed();
  const { changes } = await ok(account, 'PUT /v1/schema', { locales: schema.locales });
  assert.deepEqual(changes, []);
  assert.deepEqual(await ok(account, 'GET /v1/schema'), schema);
});

test('webhooks have no secret in the schema; those with the same URL are the same', async () => {
  const { account } = await pushed();
  const webhook = { url: 'https://example.com/hook', events: ['entry.published'], collectionIds: ['posts'] };
  await ok(account, 'PUT /v1/schema', { webhooks: [webhook] });
  const [created] = (await ok(account, 'GET /v1/webhooks')).webhooks;
  const { webhooks } = await ok(account, 'GET /v1/schema');
  assert.deepEqual(webhooks, [{ id: created.id, ...webhook }]);
  assert.deepEqual((await ok(account, 'PUT /v1/schema', { webhooks: [webhook] })).changes, []);
  const changed = await ok(account, 'PUT /v1/schema', { webhooks: [{ ...webhook, payload: 'thin' }] });
  assert.deepEqual(summary(changed.changes), ['update webhook https://example.com/hook false 0']);
  assert.deepEqual(await refused(account, 'PUT /v1/schema', { webhooks: [] }), [['', 'data_loss']]);
  assert.deepEqual(await refused(account, 'PUT /v1/schema', { webhooks: [webhook, { url: 'nonsense' }] }), [
    ['/webhooks/1/url', 'url_invalid'],
  ]);
  await ok(account, 'PUT /v1/schema', { webhooks: [], allowDataLoss: true });
  assert.deepEqual((await ok(account, 'GET /v1/webhooks')).webhooks, []);
});

test('the ID of a collection that another account has, or that nobody can have made, is no way to anything', async () => {
  const { schema } = await pushed();
  const other = await service.newAccount();
  await ok(other, 'PUT /v1/schema', { collections: [{ ...within(schema, 'authors'), fields: [] }] });
  assert.deepEqual((await ok(other, `GET /v1/cms/collections/authors/entries`)).entries, []);
  const future = { id: 'col_7zzzzzzzzzzzzzzzzzzzzzzzzz', name: 'Future' };
  assert.deepEqual(await refused(other, 'PUT /v1/schema', { collections: [future] }), [
    ['/collections/0/id', 'id_invalid'],
  ]);
});

const AUTHOR = {
  key: 'author',
  name: 'Author',
  permissions: [{ collection: 'posts', actions: ['read', 'update'], where: { title: { eq: 'Mine' } } }],
  features: { files: 'read' },
};

test('roles come with the collections that they name, keep their IDs, and are undone', async () => {
  const { account, schema } = await pushed();
  const dry = await ok(account, 'PUT /v1/schema?dryRun=true', { roles: [AUTHOR] });
  assert.deepEqual(summary(dry.changes), ['create role author false 0']);
  const listed = async () =>
    (await ok(account, 'GET /v1/roles')).roles.filter(({ builtIn }: { builtIn: boolean }) => !builtIn);
  assert.deepEqual(await listed(), [], 'a dry run changes nothing');

  // With a collection of the same push.
  const notes = { key: 'notes', name: 'Notes', fields: [title] };
  const reader = { key: 'reader', name: 'Reader', permissions: [{ collection: 'notes', actions: ['read'] }] };
  const made = await ok(account, 'PUT /v1/schema', {
    collections: [...schema.collections, notes],
    roles: [AUTHOR, reader],
  });
  assert.deepEqual(summary(made.changes), [
    'create collection notes false 0',
    'create role author false 0',
    'create role reader false 0',
  ]);
  const before = await ok(account, 'GET /v1/schema');
  assert.deepEqual(
    before.roles.map(({ id: _, ...role }: { id: string }) => role),
    [AUTHOR, reader],
  );
  assert.deepEqual((await ok(account, 'PUT /v1/schema', before)).changes, [], 'what was read makes no difference');

  // Names change places: what has the same ID is the same.
  const [first, second] = before.roles;
  const swapped = [
    { ...first, key: 'reader', features: {} },
    { ...second, key: 'author' },
  ];
  const renamed = await ok(account, 'PUT /v1/schema', { roles: swapped });
  assert.deepEqual(summary(renamed.changes), ['update role reader false 0', 'update role author false 0']);
  assert.deepEqual(
    renamed.changes[0].members.map(({ member }: { member: string }) => member),
    ['key', 'features'],
  );
  await ok(account, `POST /v1/schema/undo/${renamed.undoId}`, {});
  assert.deepEqual(await ok(account, 'GET /v1/schema'), before);

  const deleted = await ok(account, 'PUT /v1/schema', { roles: [first] });
  assert.deepEqual(summary(deleted.changes), ['delete role reader false 0']);
  await ok(account, `POST /v1/schema/undo/${deleted.undoId}`, {});
  const restored = (await listed()).map(({ id, key }: { id: string; key: string }) => [id, key]);
  assert.deepEqual(
    restored.sort(),
    [
      [first.id, 'author'],
      [second.id, 'reader'],
    ].sort(),
  );

  // Another account has other IDs of collections, and keeps those of roles.
  const other = await service.newAccount();
  await ok(other, 'PUT /v1/schema', { ...before, webhooks: undefined });
  assert.deepEqual((await ok(other, 'GET /v1/schema')).roles, before.roles);
});

test('every fault of roles is named, nothing is changed, and a role in use stays', async () => {
  const { account } = await pushed();
  await ok(account, 'PUT /v1/schema', { roles: [AUTHOR] });
  const by = await createTestUser(service, account);
  const key = await service.call('POST /v1/keys', { by, body: { type: 'secret', name: 'x', roleId: 'author' } });
  assert.equal(key.status, 200);
  const faulty = [
    { ...AUTHOR, permissions: [{ collection: 'nowhere', actions: ['read'] }] },
    { ...AUTHOR, key: 'owner' },
    { key: 'twice', name: 'Once' },
    { key: 'twice', name: 'Twice' },
    { id: 'rol_x', key: 'other', name: 'Other', features: { members: 'write' } },
  ];
  assert.deepEqual(await refused(account, 'PUT /v1/schema', { roles: faulty }), [
    ['/roles/0/permissions/0/collection', 'collection_unknown'],
    ['/roles/1/key', 'key_taken'],
    ['/roles/3/key', 'key_taken'],
    ['/roles/4/features/members', 'role_exceeds_own'],
  ]);
  assert.deepEqual(await refused(account, 'PUT /v1/schema', { roles: [] }), [['/roles', 'role_in_use']]);
  const { roles } = await ok(account, 'GET /v1/schema');
  assert.deepEqual(roles, [{ id: roles[0].id, ...AUTHOR }]);
});

test('a token with a role pushes no role that may do more than it, and takes away none', async () => {
  const { account } = await pushed();
  const features = { schema: 'write', members: 'write' };
  const read = [{ collection: '*', actions: ['read'] }];
  const owner = await createTestUser(service, account);
  const role = (
    await service.call('POST /v1/roles', {
      by: owner,
      body: { key: 'modeler', name: 'Modeler', permissions: read, features },
    })
  ).body;
  const { token } = (
    await service.call('POST /v1/keys', {
      by: owner,
      body: { type: 'secret', name: 'ci', roleId: role.id },
    })
  ).body;
  const by = { ...account, token };
  const { roles } = await ok(by, 'GET /v1/schema');
  const files = { key: 'files', name: 'Files', features: { files: 'read' } };
  assert.deepEqual(await refused(by, 'PUT /v1/schema', { roles: [...roles, files] }), [
    ['/roles/1/features/files', 'role_exceeds_own'],
  ]);
  await ok(by, 'PUT /v1/schema', { roles: [...roles, { key: 'less', name: 'Less', permissions: read }] });
  await ok(account, 'PUT /v1/schema', { roles: [...(await ok(account, 'GET /v1/schema')).roles, { ...files }] });
  assert.deepEqual(await refused(by, 'PUT /v1/schema', { roles }), [['/roles', 'role_exceeds_own']]);
  const limited = await service.call('PATCH /v1/roles/modeler', { by: owner, body: {} });
  assert.equal(limited.status, 404);
  await service.call(`PATCH /v1/roles/${role.id}`, { by: owner, body: { features: { members: 'none' } } });
  assert.equal('roles' in (await ok(by, 'GET /v1/schema')), false);
  assert.deepEqual((await refused(by, 'PUT /v1/schema', { roles: [] }))[0]?.[1], 'role_insufficient');
});

const depsOf = () => {
  const { db, control, config, clock } = service;
  return { db, control, config, clock: () => clock.now, vault: new Vault(testKeys()) };
};
const authorOf = ({ id }: Account) =>
  ({ accountId: parseId('acc', id) ?? '', type: 'command', id: null, address: null }) as const;

/** How many messages the transactions of some work send: statements of one turn are sent together. */
async function countMessages(account: Account, schema: object): Promise<number> {
  let messages = 0;
  let isOpen = false;
  const counted = (tx: Tx): Tx =>
    Object.create(tx, {
      query: {
        value: (...args: Parameters<Tx['query']>) => {
          if (!isOpen) messages++;
          isOpen = true;
          queueMicrotask(() => {
            isOpen = false;
          });
          return tx.query(...args);
        },
      },
    });
  const db: typeof service.db = Object.create(service.db, {
    transaction: {
      writable: true,
      value: (work: (tx: Tx, last: Tx) => Promise<unknown>) =>
        service.db.transaction((tx, last) => work(counted(tx), last)),
    },
  });
  await pushSchema({ ...depsOf(), db }, authorOf(account), schema);
  return messages;
}

const things = (count: number, name: string) => ({
  collections: Array.from({ length: count }, (_, i) => ({
    key: `things${i}`,
    name: `${name} ${i}`,
    publishing: i % 2 === 0,
    fields: [
      title,
      { id: 'next', label: 'Next', type: 'text', format: 'reference', collectionIds: [`things${count - 1 - i}`] },
    ],
  })),
});

test('a push of many collections waits for the database about as often as one of a few', async () => {
  const [few, many] = [await service.newAccount(), await service.newAccount()];
  for (const name of ['Things', 'Renamed']) {
    const least = await countMessages(few, things(2, name));
    assert.ok((await countMessages(many, things(20, name))) <= least + 2, name);
  }
  assert.equal((await ok(many, 'GET /v1/schema')).collections.length, 20);
});

test('faults of many collections are named in their order, and a key that several have is taken by the first', async () => {
  const account = await service.newAccount();
  const { collections } = things(20, 'Things');
  const fields = [{ ...title, type: 'number', format: 'email' }];
  for (const at of [3, 17]) Object.assign(collections[at] ?? {}, { fields });
  for (const at of [5, 9]) Object.assign(collections[at] ?? {}, { key: 'things1' });
  const found = await refused(account, 'PUT /v1/schema', { collections });
  assert.deepEqual(
    found.map(([pointer]: string[]) => pointer),
    [
      '/collections/3/fields/0/format',
      '/collections/5/key',
      '/collections/9/key',
      // These refer to the two that have another key.
      '/collections/10/fields/1/collectionIds/0',
      '/collections/14/fields/1/collectionIds/0',
      '/collections/17/fields/0/format',
    ],
  );
  assert.deepEqual((await ok(account, 'GET /v1/schema')).collections, []);
});

test('a push that would be answered too late is given up, with the roles that it changes', async () => {
  const { account, schema } = await pushed();
  const more: object = { collections: [...schema.collections, { key: 'more', name: 'More' }], roles: [AUTHOR] };
  const late = pushSchema(depsOf(), authorOf(account), more, { answerMs: 0 });
  await assert.rejects(late, { status: 429, code: 'overloaded', headers: { 'retry-after': '1' } });
  assert.deepEqual(await ok(account, 'GET /v1/schema'), schema);
});
