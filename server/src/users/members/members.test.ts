import assert from 'node:assert/strict';
import { test } from 'node:test';
import { furnish, rowsOf } from '../../../test/furnished-account.ts';
import { type Answer, testService } from '../../../test/harness.ts';
import { unlessOverloaded } from '../../../test/until.ts';
import { createTestUser, PASSWORD, type TestUser } from '../../../test/users.ts';
import { eraseDeletedAccounts } from '../../erasure/index.ts';
import { setOperatorByCommand } from '../commands.ts';
import { limitHashing } from '../sign-in/password.ts';
import { cookieOf, GOOD, onPage, rightsOf, tokenOf } from '../test-support.ts';

const service = await testService();
const post = onPage(service);

async function invite(role = 'editor', more: object = {}) {
  const account = await service.newAccount('Shop');
  const owner = await createTestUser(service, account);
  const made = await service.call('POST /v1/invitations', { by: owner, body: { role, ...more } });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return { account, owner, invitation: made.body, token: tokenOf(made.body.url) };
}

test('an invitation makes a new user a member, once', async () => {
  const { account, owner, invitation, token } = await invite();
  const offered = await post('POST /auth/invitations/inspect', { token });
  assert.deepEqual(offered.body, {
    account: { name: 'Shop' },
    role: 'editor',
    email: null,
    expiresAt: invitation.expiresAt,
  });
  const accept = async (email: string) => {
    for (;;) {
      const answer = await post('POST /auth/invitations/accept', { token, email, password: GOOD, name: 'Bob' });
      // On a busy machine a password can wait too long. Nothing was done then.
      if (answer.status !== 429) return answer;
    }
  };
  const responses = await Promise.all([accept('bob@shop.example'), accept('eve@shop.example')]);
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 400]);
  const joined = responses.find(({ status }) => status === 200);
  assert.ok(joined);
  const joinedAccount = { id: account.id, name: 'Shop', role: 'editor', area: null, timeZone: 'UTC', currency: null };
  assert.deepEqual(joined.body.accounts, [{ ...joinedAccount, ...rightsOf('editor'), isView: false }]);
  const loser = responses.find(({ status }) => status === 400);
  assert.equal(loser?.body.code, 'link_invalid');
  const { rows } = await service.control.query(
    "select email from users where email in ('bob@shop.example', 'eve@shop.example')",
  );
  assert.equal(rows.length, 1, 'the second one did not become a user');
  const listed = await service.call('GET /v1/invitations', { by: owner });
  assert.equal(listed.body.invitations[0].status, 'accepted');
  const revoked = await service.call(`DELETE /v1/invitations/${invitation.id}`, { by: owner });
  assert.equal(revoked.body.code, 'invitation_accepted');
});

test('who got no response to an acceptance repeats it and is answered the same; nobody else is', async () => {
  const { token } = await invite();
  const body = { token, email: 'carol@shop.example', password: GOOD, name: 'Carol' };
  const first = await post('POST /auth/invitations/accept', body);
  const again = await post('POST /auth/invitations/accept', body);
  assert.equal(again.status, 200, JSON.stringify(again.body));
  assert.deepEqual(again.body.accounts, first.body.accounts);
  const signedIn = await post('POST /auth/invitations/accept', { token }, cookieOf(again));
  assert.deepEqual(signedIn.body.accounts, first.body.accounts);
  const wrong = await post('POST /auth/invitations/accept', { ...body, password: 'another battery' });
  assert.equal(wrong.body.code, 'credentials_invalid');
  const other = await post('POST /auth/invitations/accept', { ...body, email: 'eve3@shop.example' });
  assert.equal(other.body.code, 'link_invalid');
  assert.equal((await post('POST /auth/invitations/inspect', { token })).body.code, 'link_invalid');
  service.clock.now += 10 * 60_000;
  assert.equal((await post('POST /auth/invitations/accept', body)).body.code, 'link_invalid', 'and not for long');
});

test('while passwords wait, accepting an invitation is 429 and has done nothing', async () => {
  const { token } = await invite();
  const { promise, resolve } = Promise.withResolvers<void>();
  const busy = limitHashing({ address: '203.0.113.77' }, () => promise, 60_000);
  const body = { token, email: 'dave@shop.example', password: GOOD, name: 'Dave' };
  const refused = await post('POST /auth/invitations/accept', body);
  assert.deepEqual([refused.status, refused.body.code], [429, 'overloaded']);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  resolve();
  await busy;
  const { rows } = await service.control.query("select 1 from users where email = 'dave@shop.example'");
  assert.equal(rows.length, 0);
  const accepted = await unlessOverloaded(() => post('POST /auth/invitations/accept', body));
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
});

test('an existing user joins with an invitation, signed in or with their password', async () => {
  const first = await invite('viewer');
  const ada = await createTestUser(service, await service.newAccount('Own'));
  const joined = await post('POST /auth/invitations/accept', { token: first.token }, ada.cookie);
  assert.deepEqual(
    joined.body.accounts.map(({ role }: { role: string }) => role),
    ['viewer', 'owner'],
  );
  const second = await invite('owner');
  const body = { token: second.token, email: ada.email, password: PASSWORD };
  const signedIn = await post('POST /auth/invitations/accept', body);
  assert.equal(signedIn.body.accounts.length, 3, JSON.stringify(signedIn.body));
  assert.ok(cookieOf(signedIn));
  const again = await service.call('POST /v1/invitations', { by: first.owner, body: { role: 'owner' } });
  const twice = await post('POST /auth/invitations/accept', { token: tokenOf(again.body.url) }, ada.cookie);
  assert.equal(twice.body.code, 'already_member');
});

test('an invitation does not reveal which emails have users, and cannot take over a user', async () => {
  const { token } = await invite();
  const ada = await createTestUser(service, undefined);
  const accept = (email: string, name?: string) =>
    post('POST /auth/invitations/accept', { token, email, password: 'wrong password', ...(name && { name }) });
  for (const response of [await accept(ada.email, 'Eve'), await accept(ada.email), await accept('no@shop.example')]) {
    assert.deepEqual([response.status, response.body.code], [401, 'credentials_invalid']);
  }
  const short = { token, email: ada.email, password: 'short', name: 'Eve' };
  const unknown = { ...short, email: 'no@shop.example' };
  const [one, two] = [
    await post('POST /auth/invitations/accept', short),
    await post('POST /auth/invitations/accept', unknown),
  ];
  assert.deepEqual({ ...one.body, requestId: '' }, { ...two.body, requestId: '' });
  assert.equal(one.body.code, 'too_short');
});

test('a revoked or expired invitation, or one for another email, cannot be accepted', async () => {
  const revoked = await invite();
  const cancelled = await service.call(`DELETE /v1/invitations/${revoked.invitation.id}`, { by: revoked.owner });
  assert.equal(cancelled.body.status, 'revoked');
  const bound = await invite('viewer', { email: 'Bob@Shop.example' });
  const other = { token: bound.token, email: 'eve2@shop.example', password: GOOD, name: 'Eve' };
  assert.equal((await post('POST /auth/invitations/accept', other)).body.code, 'email_differs');
  const late = await invite('viewer', { expiresInDays: 1 });
  assert.equal((await post('POST /auth/invitations/inspect', { token: revoked.token })).body.code, 'link_invalid');
  service.clock.now += 86_400_000;
  assert.equal((await post('POST /auth/invitations/inspect', { token: late.token })).body.code, 'link_invalid');
  assert.equal(
    (await post('POST /auth/invitations/accept', { ...other, token: late.token })).body.code,
    'link_invalid',
  );
});

test('an account always keeps an owner, whatever owners do concurrently', async () => {
  for (let round = 0; round < 5; round++) {
    const account = await service.newAccount();
    const [ada, bob] = [await createTestUser(service, account), await createTestUser(service, account)];
    const responses = await Promise.all([
      service.call('POST /v1/account/leave', { by: ada }),
      service.call(`PATCH /v1/members/${bob.userId}`, { by: bob, body: { role: 'viewer' } }),
      service.call(`DELETE /v1/members/${ada.userId}`, { by: bob }),
    ]);
    for (const { status } of responses) assert.ok([200, 400, 404].includes(status), `${status}`);
    const { rows } = await service.control.query("select 1 from members where account_id = $1 and role = 'owner'", [
      account.uuid,
    ]);
    assert.equal(rows.length, 1);
  }
});

test('removing a member or changing a role takes effect with the next request', async () => {
  const account = await service.newAccount();
  const [owner, ada] = [await createTestUser(service, account), await createTestUser(service, account, 'editor')];
  const create = () => service.call('POST /v1/cms/collections', { by: ada, body: { name: 'x' } });
  assert.equal((await create()).status, 200);
  await service.call(`PATCH /v1/members/${ada.userId}`, { by: owner, body: { role: 'viewer' } });
  assert.equal((await create()).body.code, 'role_insufficient');
  await service.call(`DELETE /v1/members/${ada.userId}`, { by: owner });
  assert.equal((await create()).status, 404);
});

test('a reset link sets the password once, ends all sessions, and is created only by an owner of all accounts of the user', async () => {
  const account = await service.newAccount();
  const [owner, ada] = [await createTestUser(service, account), await createTestUser(service, account, 'viewer')];
  const reset = () => service.call(`POST /v1/members/${ada.userId}/reset-link`, { by: owner });
  const [older, link] = [await reset(), await reset()];
  const set = (token: string, newPassword = 'another battery') =>
    post('POST /auth/reset-password', { token, newPassword });
  assert.equal((await set(tokenOf(older.body.url))).body.code, 'link_invalid', 'a newer link replaced it');
  const token = tokenOf(link.body.url);
  assert.equal((await set(token)).status, 200);
  assert.equal((await set(token)).status, 200, 'who got no response repeats it');
  assert.equal((await set(token, 'a third battery')).body.code, 'link_invalid', 'with the same password only');
  service.clock.now += 10 * 60_000;
  assert.equal((await set(token)).body.code, 'link_invalid', 'and not for long');
  service.clock.now -= 10 * 60_000;
  assert.equal((await service.call('GET /v1/account', { by: ada })).status, 401);
  assert.equal((await post('POST /auth/sign-in', { email: ada.email, password: PASSWORD })).status, 401);
  assert.equal((await post('POST /auth/sign-in', { email: ada.email, password: 'another battery' })).status, 200);

  const elsewhere = await invite('owner');
  const open = await reset();
  await post('POST /auth/invitations/accept', {
    token: elsewhere.token,
    email: ada.email,
    password: 'another battery',
  });
  const refused = await reset();
  assert.deepEqual([refused.status, refused.body.code], [400, 'reset_not_allowed']);
  assert.equal((await set(tokenOf(open.body.url))).body.code, 'link_invalid', 'nor can a link created before');
});

test('no owner obtains the password of an operator, or of somebody who can do more than they', async () => {
  const account = await service.newAccount();
  const other = await service.newAccount();
  const owner = await createTestUser(service, account);
  const reset = (user: TestUser) => service.call(`POST /v1/members/${user.userId}/reset-link`, { by: owner });
  const codeOf = async (user: TestUser) => (await reset(user)).body.code;
  const works = async (link: Answer) =>
    (await post('POST /auth/reset-password', { token: tokenOf(link.body.url), newPassword: 'another battery' })).status;

  const operator = await createTestUser(service, account);
  await setOperatorByCommand(service.control, operator.email, true);
  assert.equal(await codeOf(operator), 'reset_not_allowed');
  const elsewhere = await createTestUser(service, account, 'viewer');
  await service.control.query("insert into members values ($1, $2, 'viewer', now())", [other.uuid, elsewhere.uuid]);
  await service.control.query("insert into members values ($1, $2, 'owner', now())", [other.uuid, owner.uuid]);
  assert.equal(await codeOf(elsewhere), 'reset_not_allowed', 'another account, though the owner owns it as well');
  await service.control.query('delete from members where account_id = $1', [other.uuid]);

  const grows: [string, (user: TestUser) => Promise<unknown>][] = [
    ['operator', ({ email }) => setOperatorByCommand(service.control, email, true)],
    ['role', ({ userId }) => service.call(`PATCH /v1/members/${userId}`, { by: owner, body: { role: 'owner' } })],
    ['an account', (by) => service.call('POST /auth/accounts', { by, body: { name: 'Own' } })],
    ['removed', ({ userId }) => service.call(`DELETE /v1/members/${userId}`, { by: owner })],
  ];
  for (const [what, change] of grows) {
    const user = await createTestUser(service, account, what === 'an account' ? 'owner' : 'viewer');
    const link = await reset(user);
    assert.equal(link.status, 200, JSON.stringify(link.body));
    await change(user);
    assert.equal(await works(link), 400, what);
  }

  const ada = await createTestUser(service, account, 'viewer');
  const former = await createTestUser(service, account);
  const link = await service.call(`POST /v1/members/${ada.userId}/reset-link`, { by: former });
  const invitation = await service.call('POST /v1/invitations', { by: former, body: { role: 'owner' } });
  await service.call(`PATCH /v1/members/${former.userId}`, { by: owner, body: { role: 'viewer' } });
  assert.equal(await works(link), 400, 'of a former owner');
  const accept = await post('POST /auth/invitations/accept', { token: tokenOf(invitation.body.url) }, former.cookie);
  assert.equal(accept.body.code, 'link_invalid', 'who cannot invite themselves back either');
});

test('where the service sends email, a member is sent the link, and nobody is shown it', async () => {
  const mailing = await testService({ SMTP_URL: 'smtp://127.0.0.1:1', SMTP_FROM: 'hw@shop.example' });
  const account = await mailing.newAccount();
  const [owner, ada] = [await createTestUser(mailing, account), await createTestUser(mailing, account)];
  await setOperatorByCommand(mailing.control, ada.email, true);
  const reset = () => mailing.call(`POST /v1/members/${ada.userId}/reset-link`, { by: owner });
  const { url, emailed } = (await reset()).body;
  assert.deepEqual([url, emailed], [null, true]);
  const { rows } = await mailing.control.query('select 1 from mails');
  assert.equal(rows.length, 1);
  await mailing.control.query('update users set email_confirmed_at = null where id = $1', [ada.uuid]);
  assert.equal((await reset()).body.code, 'reset_not_allowed', 'not to an email that anyone may have entered');
});

test('a request is for the account that it names; only owners create further accounts', async () => {
  const [first, second] = [await service.newAccount('First'), await service.newAccount('Second')];
  const ada = await createTestUser(service, first);
  await service.control.query("insert into members values ($1, $2, 'viewer', now())", [second.uuid, ada.uuid]);
  for (const account of [first, second]) {
    assert.equal((await service.call('GET /v1/account', { by: { ...ada, account } })).body.id, account.id);
  }
  const made = await service.call('POST /auth/accounts', { by: ada, body: { name: 'Third' } });
  assert.equal(made.body.accounts.length, 3);
  const viewer = await createTestUser(service, second, 'viewer');
  const refused = await service.call('POST /auth/accounts', { by: viewer, body: { name: 'Own' } });
  assert.equal(refused.body.code, 'role_insufficient');
});

test('an owner sets time zone, currency and exchange rates; every fault is named, and nothing is changed then', async () => {
  const account = await service.newAccount('Shop');
  const owner = await createTestUser(service, account);
  const change = (body: unknown) => service.call('PATCH /v1/account', { by: owner, body });
  const settings = { timeZone: 'Europe/Berlin', currency: 'eur', exchangeRates: { usd: '0.92', JPY: '0.0062' } };
  const changed = await change(settings);
  const stored = { timeZone: 'Europe/Berlin', currency: 'EUR', exchangeRates: { USD: '0.92', JPY: '0.0062' } };
  const { id, createdAt, publishableKey } = changed.body;
  assert.match(publishableKey, /^hw_pk_/);
  assert.deepEqual(changed.body, { id, name: 'Shop', ...stored, publishableKey, createdAt });
  const refused = await change({
    name: ' ',
    timeZone: 'Mars/Olympus',
    currency: 'QQQ',
    exchangeRates: { USD: '0', GBP: '1e3', QQ: '1' },
  });
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), [
    '/currency',
    '/exchangeRates/GBP',
    '/exchangeRates/QQ',
    '/exchangeRates/USD',
    '/name',
    '/timeZone',
  ]);
  const read = await service.call('GET /v1/account', { by: owner });
  assert.deepEqual(read.body, changed.body);
  // What is read can be written back.
  assert.deepEqual((await change(read.body)).body, read.body);
  const state = await service.call('GET /auth/session', { by: owner });
  assert.deepEqual(state.body.accounts[0], {
    id,
    name: 'Shop',
    role: 'owner',
    area: null,
    timeZone: 'Europe/Berlin',
    currency: 'EUR',
    isView: false,
    ...rightsOf('owner'),
  });
  assert.equal((await change({ currency: null })).body.currency, null);
});

test('a member who is limited to content or analytics uses nothing else, and owners cannot be limited', async () => {
  const account = await service.newAccount();
  const owner = await createTestUser(service, account);
  const member = await createTestUser(service, account, 'editor');
  const limit = (area: unknown, role?: string) =>
    service.call(`PATCH /v1/members/${member.userId}`, { by: owner, body: { area, ...(role && { role }) } });
  const codes = (paths: string[]) =>
    Promise.all(paths.map(async (path) => (await service.call(`GET ${path}`, { by: member })).body.code ?? 'ok'));
  const content = ['/v1/cms/collections', '/v1/files', '/v1/cms/trash'];
  const analytics = ['/v1/sessions', '/v1/leads', '/v1/conversions', '/v1/analytics/live'];
  const both = ['/v1/account', '/v1/limits'];
  const neither = ['/v1/webhooks', '/v1/destinations', '/v1/tracking/settings'];
  const all = (list: string[], code: string) => list.map(() => code);

  assert.equal((await limit('content')).body.area, 'content');
  assert.deepEqual(await codes([...content, ...both]), all([...content, ...both], 'ok'));
  assert.deepEqual(await codes([...analytics, ...neither]), all([...analytics, ...neither], 'area_insufficient'));
  const started = await service.call('POST /v1/analytics/export', {
    by: owner,
    body: { dataset: 'leads', format: 'csv' },
  });
  const collection = await service.call('POST /v1/cms/collections', {
    by: owner,
    body: { name: 'Pages', fields: [{ id: 'title', label: 'Title', type: 'text' }] },
  });
  const exported = await service.call(`POST /v1/cms/collections/${collection.body.id}/export`, {
    by: owner,
    body: { format: 'csv' },
  });
  assert.equal(exported.status, 200);
  // Jobs of the other area are neither listed nor found nor canceled.
  const jobs = async () =>
    (await service.call('GET /v1/jobs', { by: member })).body.jobs.map(({ id }: { id: string }) => id);
  const cancel = async (id: string) => (await service.call(`POST /v1/jobs/${id}/cancel`, { by: member })).body.code;
  assert.deepEqual(await jobs(), [exported.body.id]);
  assert.deepEqual(await codes([`/v1/jobs/get-by-id?id=${started.body.id}`]), ['not_found']);
  assert.equal(await cancel(started.body.id), 'not_found');

  await limit('analytics');
  assert.deepEqual(await jobs(), [started.body.id]);
  assert.equal(await cancel(exported.body.id), 'not_found');
  assert.deepEqual(await codes([...analytics, ...both]), all([...analytics, ...both], 'ok'));
  assert.deepEqual(await codes([...content, ...neither]), all([...content, ...neither], 'area_insufficient'));
  assert.deepEqual(await codes([`/v1/jobs/get-by-id?id=${started.body.id}`]), ['ok']);
  const state = await service.call('GET /auth/session', { by: member });
  assert.equal(state.body.accounts[0].area, 'analytics');

  assert.equal((await limit('content', 'owner')).body.code, 'owner_limited');
  const promoted = await service.call(`PATCH /v1/members/${member.userId}`, { by: owner, body: { role: 'owner' } });
  assert.deepEqual([promoted.body.role, promoted.body.area], ['owner', null]);
  assert.deepEqual(await codes(neither), all(neither, 'ok'));
  const invite = (body: unknown) => service.call('POST /v1/invitations', { by: owner, body });
  assert.equal((await invite({ role: 'owner', area: 'content' })).body.code, 'owner_limited');
  assert.equal((await invite({ role: 'viewer', area: 'content' })).body.area, 'content');
});

test('deleting an account takes its name and the password, ends access at once, and erases all of its data', async () => {
  const [mine, other] = [await furnish(service, 'deleted'), await furnish(service, 'kept')];
  const before = await rowsOf(service, other);
  const remove = (body: object) => service.call('POST /v1/account/delete', { by: mine.owner, body });
  assert.equal((await remove({ name: 'another', currentPassword: PASSWORD })).body.code, 'name_differs');
  assert.equal((await remove({ name: mine.marker, currentPassword: 'wrong password' })).body.code, 'password_wrong');
  assert.equal((await service.call('GET /v1/account', { as: mine })).status, 200);
  assert.equal((await remove({ name: mine.marker, currentPassword: PASSWORD })).status, 200);
  assert.equal((await service.call('GET /v1/account', { as: mine })).status, 401);
  assert.equal((await service.call('GET /v1/account', { by: mine.owner })).status, 404);
  assert.deepEqual((await service.call('GET /auth/session', { by: mine.owner })).body.accounts, []);

  const deps = { db: service.db, control: service.control, clock: () => service.clock.now };
  await eraseDeletedAccounts(deps, {}, new AbortController().signal);
  const left = Object.entries(await rowsOf(service, mine)).filter(([, digest]) => !digest.startsWith('0 '));
  assert.deepEqual(
    left.map(([table]) => table),
    ['orphaned_blobs'],
    'a worker deletes the files',
  );
  assert.deepEqual(await rowsOf(service, other), before);
});
