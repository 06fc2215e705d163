/** An owner looks at the account as a role sees it: by what a member with the role is shown, and without changing anything. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, testService } from '../../../test/harness.ts';
import { createTestUser, newSession, type TestUser } from '../../../test/users.ts';

const service = await testService();
const { call } = service;
const outcome = ({ status, body }: Answer) => [status, body.code];
const VIEW_ONLY = [403, 'view_only'];

async function setup(role: Record<string, unknown> = {}) {
  const account = await service.newAccount();
  const owner = await createTestUser(service, account, 'owner');
  const ok = async (request: string, body?: object) => {
    const answer = await call(request, { by: owner, ...(body && { body }) });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const fields = ['title', 'secret', 'writer'].map((id) => ({ id, label: id, type: 'text' }));
  const posts = await ok('POST /v1/cms/collections', { name: 'Posts', fields });
  const others = await ok('POST /v1/cms/collections', { name: 'Others', fields });
  const entries = `/v1/cms/collections/${posts.id}/entries`;
  for (const writer of [owner.userId, 'somebody']) {
    await ok(`POST ${entries}`, { values: { title: `By ${writer}`, secret: 'classified', writer } });
  }
  const made = await ok('POST /v1/roles', {
    name: 'Writer',
    permissions: [
      {
        collection: posts.id,
        actions: ['read', 'update'],
        exceptFields: ['secret'],
        where: { title: { ne: 'hidden' } },
      },
    ],
    features: { files: 'read' },
    ...role,
  });
  const member = await createTestUser(service, account, 'viewer');
  await ok(`PATCH /v1/members/${member.userId}`, { roleId: made.id });
  const view = (by: TestUser = owner, id = made.id) => call(`POST /v1/roles/${id}/view`, { by });
  return { account, owner, member, posts, others, entries, role: made, ok, view };
}

test('a view answers each read as a member with the role is answered, and ends at once', async () => {
  const { owner, member, posts, others, entries, ok, view, role } = await setup();
  const reads = [
    'GET /v1/cms/collections',
    `GET ${entries}`,
    `GET ${entries}?sort=secret:asc`,
    `GET /v1/cms/collections/${others.id}`,
    `GET /v1/cms/collections/${posts.id}`,
    'GET /v1/files',
    'GET /v1/keys',
    'GET /v1/analytics/overview',
    'GET /v1/webhooks',
  ];
  const answers = async (by: TestUser) => {
    const found: unknown[] = [];
    for (const read of reads) {
      const { status, body } = await call(read, { by });
      found.push([status, { ...body, requestId: undefined }]);
    }
    const { status, body } = await call(`POST ${entries}/query`, { by, body: { select: 'title' } });
    assert.equal(status, 200, JSON.stringify(body));
    return [...found, body];
  };
  const before = await answers(owner);
  assert.equal((await view()).status, 200);
  const shown = await answers(owner);
  assert.deepEqual(shown, await answers(member));
  assert.notDeepEqual(shown, before);
  assert.ok(!JSON.stringify(shown).includes('classified'));

  const { body: state } = await call('GET /auth/session', { by: owner });
  const [seen] = state.accounts;
  assert.deepEqual(
    [seen.isView, seen.role, seen.customRole, seen.features.files, seen.permissions],
    [true, 'custom', { id: role.id, name: 'Writer' }, 'read', role.permissions],
  );
  assert.equal((await call('POST /auth/view/end', { by: owner })).status, 200);
  assert.deepEqual(await answers(owner), before);
  assert.equal((await call('GET /auth/session', { by: owner })).body.accounts[0].isView, false);
  const { changes } = await ok('GET /v1/audit');
  const actions = changes.map(({ action, actor }: { action: string; actor: { id: string } }) => [action, actor.id]);
  assert.deepEqual(actions.slice(0, 2), [
    ['role.view_ended', owner.userId],
    ['role.viewed', owner.userId],
  ]);
});

test('every route that changes something is refused while a session views a role, also of the user and the service', async () => {
  const { owner, account, view } = await setup();
  assert.equal((await view(owner, 'editor')).status, 200);
  const READING = /(entries\/(query|aggregate)|analytics\/funnel|auth\/view\/end)$/;
  const routes = service.app.knownRoutes.flatMap(({ method, url, config }) =>
    [method].flat().map((each) => ({ method: each, url, access: config?.access ?? 'open' })),
  );
  const writes = routes.filter(
    ({ method, url, access }) =>
      ['secret', 'postback', 'member', 'user'].includes(access) &&
      // A postback is a GET that records something.
      (access === 'postback' || !['GET', 'HEAD', 'OPTIONS'].includes(method)) &&
      !READING.test(url),
  );
  assert.ok(writes.length > 100, `${writes.length} routes`);
  for (const { method, url } of writes) {
    const path = url.replaceAll(/:\w+/g, 'id').replace('*', 'id');
    assert.deepEqual(outcome(await call(`${method} ${path}`, { by: owner })), VIEW_ONLY, `${method} ${url}`);
  }
  for (const { method, url, access } of routes) {
    if (access !== 'user' || method !== 'GET' || url.startsWith('/auth/')) continue;
    const path = url.replaceAll(/:\w+/g, 'id');
    assert.deepEqual(outcome(await call(`GET ${path}`, { by: owner })), VIEW_ONLY, url);
  }
  // What the same user does in another session is not concerned.
  const other = { ...owner, ...(await newSession(service, owner.uuid)) };
  assert.equal((await call('POST /v1/roles', { by: other, body: { name: 'Meanwhile' } })).status, 200);
  assert.equal((await call('GET /v1/roles', { as: account })).status, 200);
});

test('nobody views a role that may do more than they, nor one of another account', async () => {
  const { owner, account, role, ok, view } = await setup();
  const stranger = (await setup()).role.id;
  assert.deepEqual(outcome(await view(owner, stranger)), [404, 'not_found']);
  assert.deepEqual(outcome(await view(owner, 'operator')), [404, 'not_found']);
  for (const built of ['editor', 'viewer'] as const) {
    const by = await createTestUser(service, account, built);
    assert.deepEqual(outcome(await view(by)), [400, 'role_insufficient']);
  }
  const admins = await ok('POST /v1/roles', { name: 'Admins', features: { members: 'write' } });
  const admin = await createTestUser(service, account, 'viewer');
  await ok(`PATCH /v1/members/${admin.userId}`, { roleId: admins.id });
  for (const id of [role.id, 'owner', 'editor', 'viewer']) {
    assert.deepEqual(outcome(await view(admin, id)), [400, 'role_exceeds_own'], id);
  }
  assert.equal((await view(admin, admins.id)).status, 200);
});

test('a view shows nothing once its role was deleted or its user may do less, and can still be ended', async () => {
  const { owner, account, role, member, ok, view } = await setup();
  const second = await createTestUser(service, account, 'owner');
  const by = (user: TestUser, request: string, body?: object) => call(request, { by: user, ...(body && { body }) });
  assert.equal((await view(second)).status, 200);
  await ok(`PATCH /v1/members/${second.userId}`, { roleId: 'viewer' });
  assert.deepEqual(outcome(await by(second, 'GET /v1/cms/collections')), VIEW_ONLY);
  assert.equal((await by(second, 'GET /auth/session')).body.accounts[0].isView, true);
  assert.equal((await by(second, 'POST /auth/view/end')).status, 200);
  assert.equal((await by(second, 'GET /v1/cms/collections')).status, 200);

  const other = { ...owner, ...(await newSession(service, owner.uuid)) };
  assert.equal((await view(other)).status, 200);
  await ok(`PATCH /v1/members/${member.userId}`, { roleId: 'viewer' });
  await ok(`DELETE /v1/roles/${role.id}`);
  assert.deepEqual(outcome(await by(other, 'GET /v1/cms/collections')), VIEW_ONLY);
  const [shown] = (await by(other, 'GET /auth/session')).body.accounts;
  assert.deepEqual([shown.permissions, shown.features.files], [[], 'none']);
  // Who has left the account can change their own name again.
  await service.control.query('delete from members where user_id = $1', [other.uuid]);
  assert.equal((await by(other, 'PATCH /auth/user', { name: 'Ada' })).status, 200);
});

test('a list of roles says who has each of them', async () => {
  const { role, ok } = await setup();
  await ok('POST /v1/invitations', { roleId: role.id });
  await ok('POST /v1/invitations', { roleId: 'editor' });
  const key = await ok('POST /v1/keys', { type: 'secret', name: 'One', roleId: role.id });
  await ok('POST /v1/keys', { type: 'secret', name: 'Two', roleId: role.id });
  await ok(`DELETE /v1/keys/${key.id}`);
  const { roles } = await ok('GET /v1/roles');
  const usesOf = (id: string) => roles.find((each: { id: string }) => each.id === id).uses;
  assert.deepEqual(usesOf(role.id), { members: 1, invitations: 1, keys: 1 });
  assert.deepEqual(usesOf('owner'), { members: 1, invitations: 0, keys: 0 });
  assert.deepEqual(usesOf('editor'), { members: 0, invitations: 1, keys: 0 });
});
