// Slow: every route in every role.
/** Every route by every role: viewers change nothing, editors neither members nor settings, and others read nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Furnished, furnish, rowsOf, unlessRead } from './furnished-account.ts';
import { testService } from './harness.ts';
import { LOCAL_FETCHES } from './image-server.ts';
import { isRead, pathOf, ROUTES } from './route-table.ts';
import { useUntilSpent } from './use-until-spent.ts';
import { createTestUser, type TestUser } from './users.ts';

const service = await testService(LOCAL_FETCHES);
const routes = service.app.knownRoutes.flatMap(({ method, url, config }) =>
  [method].flat().map((each) => ({ name: `${each} ${url}`, method: each, access: config?.access })),
);
// Uploads by tus are tested with their module.
const forMembers = routes.filter(
  ({ name, access = '' }) => ['secret', 'postback', 'member'].includes(access) && !name.includes('/files/tus'),
);

/** The least role by route. Other routes need an editor, or a viewer for GET. */
const OWNER_ONLY = [
  /^(PATCH) \/v1\/account$/,
  /^POST \/v1\/account\/delete$/,
  /^\w+ \/v1\/(members|invitations|keys|roles|audit|sso)\b/,
  /^PATCH \/v1\/tracking\/settings$/,
  /^(POST|PATCH|DELETE) \/v1\/(webhooks|publish-hooks|destinations|warehouses|analytics\/cost-sources)\b/,
  // It has the webhooks.
  /^(PUT|POST) \/v1\/schema\b/,
];
const EXCEPTIONS: Record<string, string> = {
  'POST /v1/account/leave': 'viewer',
  // They only read.
  'POST /v1/analytics/funnel': 'viewer',
  // Each tool needs the role of its route.
  'POST /mcp': 'viewer',
  'POST /v1/cms/collections/:collectionId/entries/query': 'viewer',
  'POST /v1/analytics/report-conversion/dry-run': 'viewer',
  // Somebody proposes, and who may make the change decides.
  'POST /v1/plans/entry-changes': 'viewer',
  'POST /v1/plans/bulk-changes': 'viewer',
  'POST /v1/plans/conversions': 'viewer',
  'POST /v1/plans/schema': 'owner',
  'POST /v1/cms/collections/:collectionId/entries/aggregate': 'viewer',
  // A link opens the report for everyone.
  'GET /v1/analytics/shared-links': 'editor',
  'GET /v1/analytics/report-conversion': 'editor',
  'POST /v1/destinations/:id/dry-run': 'editor',
  'POST /v1/analytics/cost-sources/:costSourceId/refresh': 'editor',
};

function neededRole(name: string): string {
  const exception = EXCEPTIONS[name];
  if (exception === undefined && OWNER_ONLY.some((pattern) => pattern.test(name))) return 'owner';
  return exception ?? (name.startsWith('GET ') ? 'viewer' : 'editor');
}

const RANK = ['viewer', 'editor', 'owner'];
let count = 0;
/** Of the tests of routes that only read. */
const shared = await furnish(service, 'roles-read');
const start = await rowsOf(service, shared);

const accounts = useUntilSpent(() => furnish(service, `roles-${++count}`));

const send = (name: string, mine: Furnished, by: TestUser | undefined, headers: Record<string, string> = {}) => {
  const request = ROUTES[name]?.good(mine) ?? {};
  return service.call(pathOf(name, request), { by, body: request.body, headers: { ...request.headers, ...headers } });
};

for (const { name, method } of forMembers) {
  const check = async (mine: Furnished) => {
    // Those that only read are compared once for all.
    const rows = async () => (mine === shared ? start : await rowsOf(service, mine));
    const before = await rows();
    const unchanged = async (of = before) => assert.deepEqual(await rows(), of);

    const stranger = await createTestUser(service, await service.newAccount(`elsewhere-${count}`));
    const outside = await send(name, mine, { ...stranger, account: mine });
    assert.deepEqual([outside.status, outside.body.code], [404, 'not_found']);
    const unnamed = await send(name, mine, { ...mine.owner, account: undefined });
    assert.deepEqual([unnamed.status, unnamed.body.code], [400, 'account_required']);
    const ended = await send(name, mine, { ...mine.owner, cookie: 'headwater=never.was' });
    assert.deepEqual([ended.status, ended.body.code], [401, 'signed_out']);

    // What a page of another site can make a browser send: the cookie, with any origin.
    const site = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const forged = await send(name, mine, mine.owner, site);
    assert.deepEqual([forged.status, forged.body.code], [401, 'origin_not_allowed']);
    if (method !== 'GET') {
      const { cookie } = mine.owner;
      const bare = await send(name, mine, undefined, { cookie, 'x-headwater-account': mine.id });
      assert.deepEqual([bare.status, bare.body.code], [401, 'origin_not_allowed']);
    }
    await unchanged();

    const needed = neededRole(name);
    for (const role of ['viewer', 'editor', 'owner'] as const) {
      const member = await createTestUser(service, mine, role);
      const withMember = await rows();
      const answer = await send(name, mine, member);
      if (RANK.indexOf(role) < RANK.indexOf(needed)) {
        assert.deepEqual([answer.status, answer.body.code], [400, 'role_insufficient'], role);
        await unchanged(withMember);
      } else {
        assert.equal(answer.status, 200, `${role}: ${JSON.stringify(answer.body)}`);
        return;
      }
    }
  };
  test(`${name}: permissions of each role`, () => (isRead(name) ? check(shared) : accounts.use(check)));
}

test('no request to a route that only reads changed a row of the account', async () => {
  const { members: _made, ...rows } = unlessRead(await rowsOf(service, shared));
  const { members: _none, ...before } = unlessRead(start);
  assert.deepEqual(rows, before);
});

test('a key cannot create keys, invite users or read members', async () => {
  const mine = await furnish(service, 'by-key');
  for (const { name, access } of routes) {
    if (access !== 'member' && access !== 'user') continue;
    const request = ROUTES[name]?.good(mine) ?? { params: { passkeyId: 'none' } };
    const answer = await service.call(pathOf(name, request), {
      as: mine,
      body: request.body,
      headers: { origin: 'http://headwater.test' },
    });
    assert.deepEqual([answer.status, answer.body.code], [401, 'session_required'], name);
  }
});

test('a token takes precedence over a cookie, valid or not', async () => {
  const mine = await furnish(service, 'both');
  assert.equal((await service.call('GET /v1/limits', { by: mine.owner, as: mine })).status, 200);
  assert.equal((await service.call('GET /v1/limits', { by: mine.owner, as: 'hw_sk_wrong' })).status, 401);
});
