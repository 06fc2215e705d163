/** Single sign-on with a real OpenID Connect provider, and what a hostile owner of an account could try with one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../../test/harness.ts';
import { LOCAL_FETCHES } from '../../../test/image-server.ts';
import { createTestUser, PASSWORD, type TestUser } from '../../../test/users.ts';
import { parseId } from '../../shared/ids.ts';
import { createLog } from '../../shared/log.ts';
import { makeSsoOptionalByCommand, proveDomainByCommand, setOperatorByCommand } from '../index.ts';
import { codeOf, fromBase32 } from '../security/totp.ts';
import { cookieOf, onPage } from '../test-support.ts';
import { safePath } from './attempt-cookie.ts';
import { domainRecord, proveDomains } from './domains.ts';
import { Browser, SECRET, startProvider } from './test-provider.ts';

const lines: string[] = [];
const log = createLog('trace', { write: (line: string) => lines.push(line) });
const service = await testService(LOCAL_FETCHES, { log });
const { control, clock } = service;
const post = onPage(service);
const [mine, theirs] = [await service.newAccount('Mine'), await service.newAccount('Theirs')];
const callback = (account: Account) => `http://headwater.test/auth/sso/${account.id}/callback`;
const provider = await startProvider([callback(mine), callback(theirs)]);
const owner = await createTestUser(service, mine, 'owner', 'mine-owner');
const theirOwner = await createTestUser(service, theirs, 'owner', 'theirs-owner');

const SETTINGS = {
  issuer: provider.issuer,
  clientId: 'headwater',
  domains: [{ domain: 'corp.example' }],
  scopes: ['groups'],
  roleMappings: [
    { value: 'admins', roleId: 'owner' },
    { value: 'writers', roleId: 'editor' },
  ],
};

/** Whether a mail domain is proven is decided by the operator here: there is no name server. */
async function setUp(by: TestUser, settings: object, domains = ['corp.example']) {
  const body = { ...SETTINGS, clientSecret: SECRET, isRequired: false, ...settings };
  const answer = await service.call('PUT /v1/sso', { by, body: { ...body, isRequired: false } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  for (const domain of domains) await proveDomainByCommand(control, by.account?.id ?? '', domain, clock.now);
  if (!body.isRequired) return;
  const required = await service.call('PUT /v1/sso', { by, body });
  assert.equal(required.status, 200, JSON.stringify(required.body));
}

const start = ({ id }: Account, query = '') => `/auth/sso/${id}/start${query}`;

/** Signs somebody in at the provider, in a new browser. */
async function signIn(subject: string, account = mine, browser = new Browser(service)) {
  provider.current.subject = subject;
  const end = await browser.signIn(start(account));
  return { browser, end, state: (await browser.page('GET /auth/session')).body };
}

const person = (subject: string, groups: string[] = ['writers'], email = `${subject}@corp.example`) =>
  provider.people.set(subject, { email, email_verified: true, name: `Name of ${subject}`, groups });

await setUp(owner, {});

test('a new person becomes a member with the role of their group, in a session of that account alone', async () => {
  person('ada', ['staff', 'writers']);
  const { end, browser, state } = await signIn('ada');
  assert.equal(end, `/${mine.id}/home`);
  assert.deepEqual(
    [state.user.email, state.user.name, state.user.isEmailConfirmed, state.session.isSso],
    ['ada@corp.example', 'Name of ada', true, true],
  );
  assert.deepEqual(
    state.accounts.map(({ id, role }: { id: string; role: string }) => [id, role]),
    [[mine.id, 'editor']],
  );
  assert.equal((await browser.page('GET /v1/cms/collections', mine)).status, 200);
  assert.equal((await browser.page('GET /v1/members', mine)).body.code, 'role_insufficient');
  assert.equal(browser.jar.has('headwater-sso'), false, 'the attempt has ended');

  person('ada', ['admins']);
  assert.equal((await signIn('ada')).state.accounts[0].role, 'owner');
  person('ada', ['writers']);
  const again = await signIn('ada');
  assert.equal(again.state.user.id, state.user.id);
  assert.equal(again.state.accounts[0].role, 'editor', 'the role follows the group');
  const { changes } = (await service.call('GET /v1/audit', { by: owner })).body;
  const actions = changes.map(({ action }: { action: string }) => action);
  for (const action of ['sso.changed', 'sso.domain_proven', 'member.joined', 'member.changed']) {
    assert.ok(actions.includes(action), action);
  }
});

test('who is not vouched for, or has no role, is refused with a reason', async () => {
  const refused = async (subject: string, reason: string) => {
    const { end, state } = await signIn(subject);
    assert.deepEqual([end, state.user], [`/sso#${reason}`, null], subject);
    const { rows } = await control.query('select from users where email like $1', [`${subject}@%`]);
    assert.equal(rows.length, 0, subject);
  };
  person('nogroup', []);
  await refused('nogroup', 'no_role');
  person('elsewhere', ['writers'], 'elsewhere@other.example');
  await refused('elsewhere', 'domain_not_allowed');
  person('subdomain', ['writers'], 'subdomain@evil.corp.example');
  await refused('subdomain', 'domain_not_allowed');
  for (const said of [{ email_verified: false }, {}, { email_verified: 'true' }]) {
    provider.people.set('unverified', { email: 'unverified@corp.example', groups: ['writers'], ...said });
    await refused('unverified', 'email_unverified');
  }
  person('swapped');
  const swapped = provider.people.get('swapped');
  assert.ok(swapped);
  swapped.idToken = { email: 'ceo@corp.example' };
  await refused('swapped', 'email_unverified');
  swapped.idToken = { email: 'swapped@corp.example' };
  assert.equal((await signIn('swapped')).end, `/${mine.id}/home`, 'both say the same email');
  person('two-ats', ['writers'], 'a@evil.example@corp.example');
  await refused('two-ats', 'email_unverified');
  for (const subject of ['\u0000', 'é', 's'.repeat(256)]) {
    person(subject, ['writers'], 'strange@corp.example');
    assert.equal((await signIn(subject)).end, '/sso#unavailable', subject);
  }
  const { end } = await signIn('ada');
  assert.equal(end, `/${mine.id}/home`);
});

test('a callback ends only what the same browser began, once', async () => {
  person('bob');
  provider.current.subject = 'bob';
  const browser = new Browser(service);
  const back = await browser.visit(start(mine));
  const cookie = browser.cookie;
  const elsewhere = new Browser(service);
  assert.equal((await elsewhere.open(back)).headers.location, '/sso#expired', 'a link of somebody else');
  const wrong = back.replace(/state=[^&]+/, 'state=x');
  const stolen = new Browser(service);
  assert.equal((await stolen.open(wrong, { cookie })).headers.location, '/sso#unavailable');
  assert.equal(
    (await new Browser(service).open(back, { cookie: 'headwater-sso=AAAA' })).headers.location,
    '/sso#expired',
  );
  assert.equal((await browser.open(back)).headers.location, `/${mine.id}/home`);
  const replayed = await new Browser(service).open(back, { cookie });
  assert.equal(replayed.headers.location, '/sso#unavailable', 'the provider accepts its code once');
  assert.equal((await browser.open(`${back.split('?')[0]}?error=access_denied`)).headers.location, '/sso#expired');

  const late = new Browser(service);
  const lateBack = await late.visit(start(mine));
  clock.now += 11 * 60_000;
  assert.equal((await late.open(lateBack)).headers.location, '/sso#expired');
  clock.now = Date.now();
  const changed = new Browser(service);
  const changedBack = await changed.visit(start(mine));
  await setUp(owner, {});
  assert.equal((await changed.open(changedBack)).headers.location, '/sso#expired', 'the settings are others');
  const forged = await new Browser(service).open(start(mine), { 'sec-fetch-site': 'cross-site' });
  assert.equal(forged.body.code, 'origin_not_allowed');
});

test('it returns to pages of the dashboard and nowhere else', async () => {
  const fallback = '/home';
  for (const bad of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/',
    '/\t/evil.example',
    'javascript:alert(1)',
    '',
    '/auth/sign-out',
    '/v1/x',
  ]) {
    assert.equal(safePath(bad, fallback), fallback, bad);
  }
  assert.equal(safePath('/acc_1/content?x=1#y', fallback), '/acc_1/content?x=1#y');
  assert.match(safePath('/.//evil.example', fallback), /^\/(?![/\\])/);
  provider.current.subject = 'ada';
  const end = await new Browser(service).signIn(start(mine, `?returnTo=${encodeURIComponent(`/${mine.id}/files`)}`));
  assert.equal(end, `/${mine.id}/files`);
});

test('an owner gets no session of a person beyond the account, whoever their provider says it is', async () => {
  // Somebody of both accounts, a member of another one only, and an operator, all of a domain that the hostile account has proven.
  await setUp(theirOwner, { domains: [{ domain: 'users.example' }], roleMappings: [], defaultRoleId: 'owner' }, [
    'users.example',
  ]);
  const victim = await createTestUser(service, mine, 'owner', 'victim');
  person('as-victim', [], victim.email);
  const uninvited = await signIn('as-victim', theirs);
  assert.deepEqual([uninvited.end, uninvited.state.user], ['/sso#not_member', null]);

  const invited = await service.call('POST /v1/invitations', {
    by: theirOwner,
    body: { role: 'viewer', email: victim.email },
  });
  assert.equal(invited.status, 200);
  const { browser, state } = await signIn('as-victim', theirs);
  assert.deepEqual(
    state.accounts.map(({ id }: { id: string }) => id),
    [theirs.id],
  );
  assert.equal((await browser.page('GET /v1/members', theirs)).status, 200);
  const other = await browser.page('GET /v1/cms/collections', mine);
  assert.deepEqual([other.status, other.body.code], [404, 'not_found']);
  // Nothing that would still be theirs when the session is not.
  for (const [request, body] of [
    ['POST /auth/password', { currentPassword: PASSWORD, newPassword: 'something else entirely 9' }],
    ['POST /auth/email', { email: 'mallory@evil.example' }],
    ['POST /auth/confirm', { currentPassword: PASSWORD }],
    ['POST /auth/passkeys/options', {}],
    ['POST /auth/two-factor', {}],
    ['GET /auth/security', undefined],
    ['GET /auth/sessions', undefined],
    ['POST /auth/sessions/end-others', undefined],
    ['PATCH /auth/user', { name: 'Mallory' }],
    ['POST /auth/accounts', { name: 'Mallory' }],
    ['GET /operator/backups', undefined],
  ] as const) {
    const answer = await browser.page(request, undefined, body);
    assert.deepEqual([answer.status, answer.body.code], [401, 'sso_session'], request);
  }
  const { url } = (await service.call('POST /v1/invitations', { by: owner, body: { role: 'owner' } })).body;
  const accepted = await browser.page('POST /auth/invitations/accept', undefined, { token: url.split('#')[1] });
  assert.equal(accepted.body.code, 'sso_session');
  const guess = await browser.page('DELETE /v1/sso', theirs, { currentPassword: PASSWORD });
  assert.notEqual(guess.status, 400, 'no password of the person is tried');

  const operator = await createTestUser(service, theirs, 'viewer', 'the-operator');
  await setOperatorByCommand(control, operator.email, true);
  person('as-operator', [], operator.email);
  assert.equal((await signIn('as-operator', theirs)).end, '/sso#operator');

  const squatter = await createTestUser(service, theirs, 'viewer', 'squatter');
  await control.query('update users set email_confirmed_at = null where id = $1', [squatter.uuid]);
  person('as-squatter', [], squatter.email);
  assert.equal((await signIn('as-squatter', theirs)).end, '/sso#email_unconfirmed');
  person('second-victim', [], victim.email);
  assert.equal((await signIn('second-victim', theirs)).end, '/sso#other_identity', 'the email now belongs to another');

  // The victim is as before, and may leave.
  const own = await service.call('GET /auth/session', { by: victim });
  assert.equal(own.body.accounts.length, 2);
  assert.equal((await service.call('POST /v1/account/leave', { by: { ...victim, account: theirs } })).status, 200);
  assert.equal((await browser.page('GET /v1/members', theirs)).status, 404);
  assert.equal((await signIn('as-victim', theirs)).end, '/sso#not_member', 'who left does not return by it');
});

test('only by single sign-on: passwords, reset links and invitations are refused for the domain, and for no other account', async () => {
  const [ours, elsewhere] = [await service.newAccount('Ours'), await service.newAccount('Elsewhere')];
  const boss = await createTestUser(service, ours, 'owner', 'boss');
  const both = await createTestUser(service, ours, 'editor', 'both');
  const guest = await createTestUser(service, ours, 'editor', 'guest');
  await control.query("update users set email = 'guest@guests.example' where id = $1", [guest.uuid]);
  await control.query(`insert into members (account_id, user_id, role, joined_at) values ($1, $2, 'editor', now())`, [
    elsewhere.uuid,
    both.uuid,
  ]);
  await setUp(boss, { domains: [{ domain: 'users.example' }], isRequired: true }, ['users.example']);

  const use = (user: TestUser, account: Account) =>
    service.call('GET /v1/cms/collections', { by: { ...user, account } });
  const refused = { status: 401, code: 'sso_required' };
  const outcome = ({ status, body }: Awaited<ReturnType<typeof use>>) => ({ status, code: body.code });
  assert.deepEqual(outcome(await use(boss, ours)), refused, 'a session from before');
  assert.deepEqual(outcome(await use(both, ours)), refused);
  assert.equal((await use(both, elsewhere)).status, 200, 'another account decides for itself');
  assert.equal((await use(guest, ours)).status, 200, 'of another domain');

  const byPassword = (email: string, password = PASSWORD) => post('POST /auth/sign-in', { email, password });
  assert.deepEqual(outcome(await byPassword(boss.email)), refused);
  assert.equal((await byPassword(boss.email, 'wrong password')).body.code, 'credentials_invalid');
  const kept = await byPassword(both.email);
  assert.equal(kept.status, 200);
  assert.deepEqual(
    kept.body.accounts.map(({ id, requiresSso }: { id: string; requiresSso?: boolean }) => [id, requiresSso]).sort(),
    [
      [ours.id, true],
      [elsewhere.id, undefined],
    ].sort(),
  );
  const evading = await post(
    'POST /auth/email',
    { email: 'free@evil.example', currentPassword: PASSWORD },
    cookieOf(kept),
  );
  assert.deepEqual(outcome(evading), refused, 'a new email would escape it');
  const reset = await service.call(`POST /v1/members/${boss.userId}/reset-link`, { by: guest });
  assert.notEqual(reset.status, 200);
  await control.query("update members set role = 'owner' where user_id = $1", [guest.uuid]);
  const owned = { ...guest, account: ours };
  assert.deepEqual(outcome(await service.call(`POST /v1/members/${boss.userId}/reset-link`, { by: owned })), refused);
  const { url } = (await service.call('POST /v1/invitations', { by: owned, body: { role: 'viewer' } })).body;
  const joining = { token: url.split('#')[1], email: 'new@users.example', password: 'a long password 42', name: 'New' };
  assert.deepEqual(outcome(await post('POST /auth/invitations/accept', joining)), refused);
  assert.equal((await post('POST /auth/invitations/accept', { ...joining, email: 'new@guests.example' })).status, 200);

  // An invitation of an account that takes passwords is no way around the second factor.
  const { secret } = (await service.call('POST /auth/two-factor', { by: boss, body: { currentPassword: PASSWORD } }))
    .body;
  const code = codeOf(fromBase32(secret), Math.floor(clock.now / 30_000));
  assert.equal((await service.call('POST /auth/two-factor/confirm', { by: boss, body: { code } })).status, 200);
  const openOwner = await createTestUser(service, elsewhere);
  const open = (await service.call('POST /v1/invitations', { by: openOwner, body: { role: 'viewer' } })).body;
  const around = { token: open.url.split('#')[1], email: boss.email, password: PASSWORD };
  assert.equal((await post('POST /auth/invitations/accept', around)).body.code, 'two_factor_required');

  await makeSsoOptionalByCommand(control, ours.id, clock.now);
  assert.equal((await byPassword(boss.email)).body.code, 'two_factor_required', 'the way in when the provider is away');
});

test('a session by single sign-on confirms changes at the provider, by the same person, and not by a password', async () => {
  person('carol', ['admins']);
  const { browser } = await signIn('carol');
  clock.now += 20 * 60_000;
  const secure = () => browser.page('POST /v1/keys', mine, { type: 'secret', name: 'x' });
  assert.equal((await secure()).body.code, 'confirmation_required');
  clock.now = Date.now();
  const confirm = start(mine, '?confirm=true&returnTo=%2Fsso');
  person('dave', ['admins']);
  provider.current.subject = 'dave';
  browser.forgetProvider();
  assert.equal(await browser.signIn(confirm), '/sso#other_user');
  browser.forgetProvider();
  provider.current.subject = 'carol';
  provider.requests.length = 0;
  assert.equal(await browser.signIn(confirm), '/sso');
  assert.ok(
    provider.requests.some(
      (url) => url.startsWith('/auth?') && url.includes('prompt=login') && url.includes('max_age=0'),
    ),
  );
  assert.equal((await secure()).status, 200);
  const stranger = await new Browser(service).open(confirm);
  assert.equal(stranger.body.code, 'sso_session_missing');
});

test('a session by single sign-on views no role, and one that views a role opens no account by it', async () => {
  person('frank', ['admins']);
  const { browser, state } = await signIn('frank');
  const view = await browser.page('POST /v1/roles/viewer/view', mine);
  assert.deepEqual([view.status, view.body.code], [401, 'sso_session']);
  await assert.rejects(
    control.query(
      `update user_sessions set view_account_id = $1, view_role = 'viewer' where account_id = $1 and user_id = $2`,
      [mine.uuid, parseId('usr', state.user.id)],
    ),
    /user_sessions_limit_check/,
  );

  const [viewed, strict] = [await service.newAccount('Viewed'), await service.newAccount('Strict')];
  const strictOwner = await createTestUser(service, strict);
  const viewer = await createTestUser(service, viewed);
  await control.query(`insert into members (account_id, user_id, role, joined_at) values ($1, $2, 'owner', now())`, [
    strict.uuid,
    viewer.uuid,
  ]);
  await control.query("update users set email = 'viewer@strict.example' where id = $1", [viewer.uuid]);
  assert.equal((await service.call('POST /v1/roles/viewer/view', { by: viewer })).status, 200);
  const open = () => service.call('GET /v1/cms/collections', { by: { ...viewer, account: strict } });
  assert.equal((await open()).status, 200);
  await setUp(strictOwner, { domains: [{ domain: 'strict.example' }], isRequired: true }, ['strict.example']);
  assert.equal((await open()).body.code, 'sso_required');
  const confirming = await service.call(`GET ${start(strict, '?confirm=true')}`, { by: viewer });
  assert.equal(confirming.body.code, 'sso_session_missing');
  const changing = await service.call('POST /v1/cms/collections', { by: viewer, body: {} });
  assert.equal(changing.body.code, 'view_only');
});

test('the settings keep their secret, hold on to it for its issuer, and name every fault', async () => {
  const { body } = await service.call('GET /v1/sso', { by: owner });
  assert.equal(JSON.stringify(body).includes(SECRET), false);
  assert.deepEqual([body.hasClientSecret, body.redirectUri], [true, callback(mine)]);
  const same = await service.call('PUT /v1/sso', { by: owner, body });
  assert.equal(same.status, 200, 'without the secret, for the same issuer');
  const codes = async (change: object) => {
    const answer = await service.call('PUT /v1/sso', { by: owner, body: { ...SETTINGS, ...change } });
    return answer.status === 200
      ? []
      : answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
  };
  assert.deepEqual(await codes({ issuer: 'http://127.0.0.1:9' }), ['/clientSecret client_secret_required']);
  assert.deepEqual(
    await codes({
      issuer: 'http://10.0.0.1',
      domains: [{ domain: 'corp.example' }, { domain: 'no_domain' }, { domain: 'com' }],
      roleMappings: [{ value: 'x', roleId: 'rol_x' }],
      defaultRoleId: 'operator',
    }),
    [
      '/issuer url_not_public',
      '/domains/1/domain domain_invalid',
      '/domains/2/domain domain_invalid',
      '/clientSecret client_secret_required',
      '/roleMappings/0/roleId role_unknown',
      '/defaultRoleId role_not_assignable',
    ],
  );
  assert.deepEqual(await codes({ issuer: 'http://login.corp.example', clientSecret: 'x' }), ['/issuer issuer_invalid']);
  assert.deepEqual(await codes({ domains: [{ domain: 'new.example' }], isRequired: true }), [
    '/isRequired domain_unproven',
  ]);

  const role = (await service.call('POST /v1/roles', { as: mine.token, by: owner, body: { name: 'Author' } })).body;
  const made = role.id ? role : (await service.call('POST /v1/roles', { by: owner, body: { name: 'Author' } })).body;
  assert.deepEqual(await codes({ defaultRoleId: made.id }), []);
  const inUse = await service.call(`DELETE /v1/roles/${made.id}`, { by: owner });
  assert.equal(inUse.body.code, 'role_in_use');
  const checked = (await service.call('POST /v1/sso/check', { by: owner })).body;
  assert.deepEqual(checked.provider, { isReachable: true, error: null });
  assert.deepEqual(await codes({ issuer: 'http://127.0.0.1:9', clientSecret: 'x' }), []);
  const away = (await service.call('POST /v1/sso/check', { by: owner })).body;
  assert.equal(away.provider.isReachable, false);
  assert.equal((await signIn('ada')).end, '/sso#unavailable');
  const { rows } = await control.query('select from user_sessions where account_id = $1', [mine.uuid]);
  assert.equal(rows.length, 0, 'another issuer knows nobody');
  assert.equal((await service.call('DELETE /v1/sso', { by: owner })).body.isConfigured, false);
  assert.equal((await new Browser(service).open(start(mine))).status, 404);
});

test('a domain is proven by a record of its own account', async () => {
  const account = await service.newAccount('Proving');
  const by = await createTestUser(service, account);
  await setUp(by, { domains: [{ domain: 'One.example' }, { domain: 'two.example' }] }, []);
  const deps = { control, secret: service.secret, clock: () => clock.now } as never;
  const author = { accountId: account.uuid, type: 'user', id: by.uuid, address: null } as const;
  const record = domainRecord(service.secret, account.uuid, 'one.example');
  const foreign = domainRecord(service.secret, theirs.uuid, 'two.example');
  await proveDomains(deps, author, async (name) => {
    if (name === record.name) return ['something else', record.value];
    if (name === foreign.name) return [foreign.value];
    throw new Error('no such name');
  });
  const { domains } = (await service.call('GET /v1/sso', { by })).body;
  assert.deepEqual(
    domains.map(({ domain, isProven }: { domain: string; isProven: boolean }) => [domain, isProven]),
    [
      ['one.example', true],
      ['two.example', false],
    ],
  );
  const choices = (domain: string) => service.call(`GET /auth/sso?domain=${domain}`);
  const [found] = (await choices('ONE.example')).body.connections;
  assert.deepEqual(found, { accountId: account.id, name: new URL(provider.issuer).host });
  assert.deepEqual((await choices('two.example')).body.connections, []);
});

test('the log has no secret, no token and no email', () => {
  const text = lines.join('');
  assert.ok(text.includes('single sign-on was refused'));
  for (const secret of [SECRET, '@corp.example', '@users.example', 'eyJ'])
    assert.equal(text.includes(secret), false, secret);
});
