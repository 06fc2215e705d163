import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { testService } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { createTestUser, newSession, PASSWORD, type TestUser } from '../../../test/users.ts';
import { confirmEmailByCommand } from '../commands.ts';
import { cookieOf, onPage, tokenOf } from '../test-support.ts';
import { SoftwarePasskey } from './test-passkey.ts';
import { codeOf, fromBase32 } from './totp.ts';

const service = await testService();
const post = onPage(service);
const STEP = 30_000;
const code = (secret: string, ms = service.clock.now) => codeOf(fromBase32(secret), Math.floor(ms / STEP));
const signIn = (email: string, more: object = {}) => post('POST /auth/sign-in', { email, password: PASSWORD, ...more });

test('with two-factor authentication, a sign-in needs a code, which works once, or a recovery code', async () => {
  const account = await service.newAccount();
  const ada = await createTestUser(service, account);
  const wrong = await service.call('POST /auth/two-factor', { by: ada, body: { currentPassword: 'wrong password' } });
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'password_wrong']);
  const { body } = await service.call('POST /auth/two-factor', { by: ada, body: { currentPassword: PASSWORD } });
  assert.match(body.url, new RegExp(`^otpauth://totp/.*secret=${body.secret}`));
  assert.equal((await signIn(ada.email)).status, 200, 'it is not enabled before a code was confirmed');

  const confirm = (sent: string) => service.call('POST /auth/two-factor/confirm', { by: ada, body: { code: sent } });
  assert.equal((await confirm('000000')).body.code, 'code_invalid');
  const first = code(body.secret);
  const { recoveryCodes } = (await confirm(first)).body;
  assert.equal(new Set(recoveryCodes).size, 10);
  assert.equal((await confirm(first)).body.code, 'two_factor_enabled');
  const { rows } = await service.control.query('select secret from user_authenticators where user_id = $1', [ada.uuid]);
  assert.ok(!rows[0]?.secret.includes(fromBase32(body.secret)), 'the secret is stored encrypted');

  const without = await signIn(ada.email);
  assert.deepEqual([without.status, without.body.code], [401, 'two_factor_required']);
  assert.equal(without.headers['set-cookie'], undefined);
  assert.equal(
    (await post('POST /auth/sign-in', { email: ada.email, password: 'wrong password', code: first })).body.code,
    'credentials_invalid',
  );
  assert.equal((await signIn(ada.email, { code: first })).body.code, 'code_invalid', 'the code was used');
  service.clock.now += STEP;
  const second = code(body.secret);
  const both = await Promise.all([signIn(ada.email, { code: second }), signIn(ada.email, { code: second })]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401], 'of concurrent sign-ins, one succeeds');
  const cookie = cookieOf(both.find(({ status }) => status === 200) ?? without);
  assert.equal((await post('GET /auth/session', undefined, cookie)).body.user.email, ada.email);
  assert.equal((await signIn(ada.email, { code: recoveryCodes[3].toUpperCase().replace('-', ' ') })).status, 200);
  assert.equal((await signIn(ada.email, { code: recoveryCodes[3] })).body.code, 'code_invalid');
  const security = await service.call('GET /auth/security', { by: ada });
  const twoFactor = { enabled: true, recoveryCodesLeft: 9 };
  assert.deepEqual(security.body, { twoFactor, passkeys: [], reviews: [] });

  const turnOff = (route: string, body: object) => service.call(`POST /auth/two-factor/${route}`, { by: ada, body });
  for (const route of ['recovery-codes', 'disable']) {
    const withoutCode = await turnOff(route, { currentPassword: PASSWORD });
    assert.deepEqual([withoutCode.status, withoutCode.body.code], [401, 'two_factor_required']);
    const wrongCode = await turnOff(route, { currentPassword: PASSWORD, code: recoveryCodes[3] });
    assert.equal(wrongCode.body.code, 'code_invalid', 'the second factor alone turns itself off');
  }
  const renewed = (await turnOff('recovery-codes', { code: recoveryCodes[4] })).body.recoveryCodes;
  assert.equal((await signIn(ada.email, { code: recoveryCodes[0] })).status, 401);
  assert.equal((await signIn(ada.email, { code: renewed[0] })).status, 200);
  assert.equal((await turnOff('disable', { code: renewed[1] })).body.twoFactor.enabled, false);
  assert.equal((await signIn(ada.email)).status, 200);
  const log = (await service.call('GET /v1/audit', { by: ada })).body.changes;
  assert.deepEqual(
    log.map(({ action }: { action: string }) => action),
    ['user.two_factor_disabled', 'user.recovery_codes_replaced', 'user.two_factor_enabled'],
  );
});

test('codes cannot be guessed by somebody who knows the password', async () => {
  const ada = await createTestUser(service, undefined);
  const { body } = await service.call('POST /auth/two-factor', { by: ada, body: { currentPassword: PASSWORD } });
  await service.call('POST /auth/two-factor/confirm', { by: ada, body: { code: code(body.secret) } });
  const guesses = [];
  for (let i = 0; i < 4; i++) {
    guesses.push((await signIn(ada.email)).status, (await signIn(ada.email, { code: `00000${i}` })).status);
  }
  assert.deepEqual(guesses, [401, 401, 401, 401, 401, 429, 429, 429], 'the password alone does not clear failures');
});

test('a passkey signs in without a password, is bound to the site, and its challenge works once', async () => {
  const account = await service.newAccount();
  const ada = await createTestUser(service, account);
  const passkey = new SoftwarePasskey('http://headwater.test');
  const options = async () =>
    (await service.call('POST /auth/passkeys/options', { by: ada, body: { currentPassword: PASSWORD } })).body.options;
  const add = (credential: unknown) =>
    service.call('POST /auth/passkeys', { by: ada, body: { name: 'Laptop', credential } });
  const started = await options();
  assert.deepEqual([started.rp.id, started.user.name], ['headwater.test', ada.email]);
  const foreign = new SoftwarePasskey('https://evil.example');
  assert.equal((await add(foreign.create(await options()))).body.code, 'passkey_invalid');
  const other = await createTestUser(service, undefined);
  const stolen = await service.call('POST /auth/passkeys', {
    by: other,
    body: { name: 'x', credential: passkey.create(started) },
  });
  assert.equal(stolen.body.code, 'passkey_invalid', 'the challenge of another user');
  const created = await add(passkey.create(await options()));
  assert.deepEqual([created.status, created.body.passkeys?.[0].name], [200, 'Laptop'], JSON.stringify(created.body));

  const challenge = async () => (await post('POST /auth/passkeys/sign-in/options', {})).body.options;
  const use = (credential: unknown) => post('POST /auth/passkeys/sign-in', { credential });
  const signed = passkey.get(await challenge());
  const response = await use(signed);
  assert.equal(response.status, 200, JSON.stringify(response.body));
  assert.equal(response.body.user.email, ada.email);
  assert.equal((await post('GET /auth/session', undefined, cookieOf(response))).body.user.email, ada.email);
  for (const refused of [
    signed,
    foreign.get(await challenge()),
    new SoftwarePasskey('http://headwater.test').get(await challenge()),
    { ...passkey.get(await challenge()), response: {} },
    passkey.get({ challenge: 'AAAA' }),
    {
      id: 'x',
      rawId: 'x',
      type: 'public-key',
      response: { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' },
    },
  ]) {
    const { status, body } = await use(refused);
    assert.deepEqual([status, body.code], [401, 'passkey_unknown']);
  }
  const late = passkey.get(await challenge());
  service.clock.now += 5 * 60_000;
  assert.equal((await use(late)).status, 401);

  const [{ id }] = created.body.passkeys;
  assert.equal((await service.call(`DELETE /auth/passkeys/${id}`, { by: other })).status, 404);
  assert.deepEqual((await service.call(`DELETE /auth/passkeys/${id}`, { by: ada })).body.passkeys, []);
  assert.equal((await use(passkey.get(await challenge()))).status, 401);
});

/** A user with a passkey, and how they sign in by it. */
async function withPasskey(user: TestUser) {
  const passkey = new SoftwarePasskey('http://headwater.test');
  const { options } = (await service.call('POST /auth/passkeys/options', { by: user, body: {} })).body;
  const body = { name: 'Laptop', credential: passkey.create(options) };
  assert.equal((await service.call('POST /auth/passkeys', { by: user, body })).status, 200);
  const challenge = async () => (await post('POST /auth/passkeys/sign-in/options', {})).body.options;
  return {
    sign: async () => passkey.get(await challenge()),
    signIn: async () => post('POST /auth/passkeys/sign-in', { credential: passkey.get(await challenge()) }),
  };
}

test('after a reset, passkeys sign in and keys are trusted only once the user has confirmed each', async () => {
  const account = await service.newAccount('Shop');
  const [owner, ada] = [await createTestUser(service, account), await createTestUser(service, account)];
  const { signIn: byPasskey } = await withPasskey(ada);
  assert.equal((await byPasskey()).status, 200);
  const started = (await service.call('POST /auth/two-factor', { by: ada, body: {} })).body;
  const confirmed = { code: code(started.secret) };
  const { recoveryCodes } = (await service.call('POST /auth/two-factor/confirm', { by: ada, body: confirmed })).body;

  const link = await service.call(`POST /v1/members/${ada.userId}/reset-link`, { by: owner });
  const reset = { token: tokenOf(link.body.url), newPassword: 'another battery' };
  assert.equal((await post('POST /auth/reset-password', reset)).status, 200);
  assert.equal((await service.call('GET /v1/account', { by: ada })).status, 401, 'its sessions ended');
  const refused = await byPasskey();
  assert.deepEqual([refused.status, refused.body.code], [401, 'passkey_unconfirmed']);
  assert.equal((await service.call('GET /v1/limits', { as: account })).status, 200, 'pages and servers go on');

  const credentials = { email: ada.email, password: 'another battery' };
  assert.equal((await post('POST /auth/sign-in', credentials)).body.code, 'two_factor_required');
  const session = await post('POST /auth/sign-in', { ...credentials, code: recoveryCodes[0] });
  assert.equal(session.body.user.needsReview, true);
  const by = { ...ada, cookie: cookieOf(session) };
  const reviews = async () => (await service.call('GET /auth/security', { by })).body.reviews;
  const listed = await reviews();
  assert.deepEqual(
    listed.map(({ type, name, account: of }: { type: string; name: string; account: unknown }) => [type, name, of]),
    [
      ['two_factor', 'Authenticator app and recovery codes', null],
      ['passkey', 'Laptop', null],
      ['key', 'First token', { id: account.id, name: 'Shop' }],
    ],
  );
  const confirm = ({ type, id }: { type: string; id: string }, user = by) =>
    service.call('POST /auth/security/reviews', { by: user, body: { type, id } });
  const [second, passkey, key] = listed;
  assert.equal((await confirm(passkey, owner)).status, 404, 'nobody else can');
  assert.equal((await confirm(passkey)).status, 200);
  assert.equal((await byPasskey()).status, 200);
  assert.equal((await service.call(`DELETE /v1/keys/${key.id}`, { by })).status, 200);
  await confirm(second);
  assert.deepEqual(await reviews(), []);
  assert.equal((await service.call('GET /auth/session', { by })).body.user.needsReview, false);
});

test('what gives access needs a password or passkey of the last ten minutes of this session', async () => {
  const account = await service.newAccount();
  const ada = await createTestUser(service, account);
  const { sign } = await withPasskey(ada);
  const other = { ...ada, ...(await newSession(service, ada.uuid)) };
  const create = (by: TestUser, type = 'secret') => service.call('POST /v1/keys', { by, body: { name: 'Shop', type } });
  const confirm = (by: TestUser, body: object) => service.call('POST /auth/confirm', { by, body });
  assert.equal((await create(ada)).status, 200, 'after a sign-in');
  service.clock.now += 10 * 60_000;
  const refused = await create(ada);
  assert.deepEqual([refused.status, refused.body.code], [401, 'confirmation_required']);
  assert.equal((await create(ada, 'publishable')).status, 200, 'it is not secret');
  assert.equal((await confirm(ada, {})).body.code, 'confirmation_missing');
  assert.equal((await confirm(ada, { currentPassword: 'wrong password' })).body.code, 'password_wrong');
  assert.equal((await create(ada)).status, 401);
  const state = await confirm(ada, { currentPassword: PASSWORD });
  assert.equal(Date.parse(state.body.session.confirmedUntil), service.clock.now + 10 * 60_000);
  assert.equal((await create(ada)).status, 200);
  assert.equal((await create(other)).status, 401, 'another session is not confirmed by that');

  const eve = await createTestUser(service, account);
  service.clock.now += 10 * 60_000;
  assert.equal(
    (await confirm(eve, { credential: await sign() })).body.code,
    'passkey_unknown',
    'the passkey of another',
  );
  assert.equal((await create(eve)).status, 401);
  assert.equal((await confirm(ada, { credential: await sign() })).status, 200);
  assert.equal((await create(ada)).status, 200);
});

test('every route that gives access or decides where secrets are sent asks for it', async () => {
  const asks = service.app.knownRoutes.flatMap(({ method, url, config }) =>
    config?.confirm ? [method].flat().map((each) => `${each} ${url}`) : [],
  );
  assert.deepEqual(asks.filter((name) => !name.startsWith('HEAD ')).sort(), [
    'DELETE /auth/passkeys/:passkeyId',
    'DELETE /v1/sso',
    'GET /operator/backups/:name/archive',
    'PATCH /operator/cells/:cell',
    'PATCH /v1/analytics/cost-sources/:costSourceId',
    'PATCH /v1/destinations/:id',
    'PATCH /v1/members/:userId',
    'PATCH /v1/publish-hooks/:hookId',
    'PATCH /v1/roles/:id',
    'PATCH /v1/warehouses/:warehouseId',
    'PATCH /v1/webhooks/:id',
    'POST /auth/email',
    'POST /auth/passkeys',
    'POST /auth/passkeys/options',
    'POST /auth/password',
    'POST /auth/security/reviews',
    'POST /auth/two-factor',
    'POST /auth/two-factor/confirm',
    'POST /auth/two-factor/disable',
    'POST /auth/two-factor/recovery-codes',
    'POST /operator/backups/:name/check',
    'POST /operator/moves',
    'POST /operator/moves/:account/cancel',
    'POST /v1/account/delete',
    'POST /v1/analytics/cost-sources',
    'POST /v1/destinations',
    'POST /v1/invitations',
    'POST /v1/keys',
    'POST /v1/keys/:keyId/rotate',
    'POST /v1/keys/agents',
    'POST /v1/members/:userId/reset-link',
    'POST /v1/publish-hooks',
    'POST /v1/schema/undo/:undoId',
    'POST /v1/warehouses',
    'POST /v1/webhooks',
    'POST /v1/webhooks/:id/rotate-secret',
    'PUT /v1/schema',
    'PUT /v1/sso',
  ]);
});

test('an invitation to an email is not accepted by a user who only entered that email', async () => {
  const account = await service.newAccount();
  const [owner, eve] = [await createTestUser(service, account), await createTestUser(service, undefined)];
  const invite = async (email?: string) =>
    tokenOf((await service.call('POST /v1/invitations', { by: owner, body: { role: 'owner', email } })).body.url);
  const token = await invite('boss@shop.example');
  const body = { email: 'boss@shop.example', currentPassword: PASSWORD };
  assert.equal((await service.call('POST /auth/email', { by: eve, body })).status, 200);
  const accept = (sent: object, cookie = '') => post('POST /auth/invitations/accept', sent, cookie);
  assert.equal((await accept({ token }, eve.cookie)).body.code, 'email_unconfirmed');
  const signedIn = { token, email: 'boss@shop.example', password: PASSWORD };
  assert.equal((await accept(signedIn)).body.code, 'email_unconfirmed');
  await confirmEmailByCommand(service.control, 'boss@shop.example', service.clock.now);
  assert.equal((await accept(signedIn)).status, 200);
});

test('without SMTP, an email is changed at once, unless another user has it', async () => {
  const account = await service.newAccount();
  const [ada, bob] = [await createTestUser(service, account), await createTestUser(service, undefined)];
  const change = (email: string, currentPassword = PASSWORD) =>
    service.call('POST /auth/email', { by: ada, body: { email, currentPassword } });
  assert.equal((await change('new@people.example', 'wrong password')).body.code, 'password_wrong');
  const taken = await change(bob.email.toUpperCase());
  assert.deepEqual([taken.status, taken.body.errors[0].pointer], [400, '/email']);
  assert.deepEqual((await change('New@People.example')).body, { confirmationSent: false });
  assert.equal((await signIn(ada.email)).status, 401);
  assert.equal((await signIn('new@people.example')).status, 200);
  assert.equal((await post('POST /auth/forgotten-password', { email: 'new@people.example' })).status, 200);
  const { rows } = await service.control.query('select 1 from mails');
  assert.equal(rows.length, 0);
});

test('with SMTP, invitations, resets and changed emails are sent once each, and nothing is stored in clear', async () => {
  const smtp = await fakeSmtp();
  const mailing = await testService({
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    SMTP_FROM: 'Headwater <hw@shop.example>',
  });
  const page = onPage(mailing);
  const account = await mailing.newAccount('Shop');
  const ada = await createTestUser(mailing, account);
  assert.equal((await page('GET /auth/session')).body.sendsEmail, true);
  const invited = await mailing.call('POST /v1/invitations', {
    by: ada,
    body: { role: 'viewer', email: 'eve@people.example' },
  });
  assert.equal(invited.body.emailed, true);
  for (const email of [ada.email, ada.email, 'nobody@people.example']) {
    assert.deepEqual((await page('POST /auth/forgotten-password', { email })).body, { success: true });
  }
  const changed = await mailing.call('POST /auth/email', {
    by: ada,
    body: { email: 'ada@new.example', currentPassword: PASSWORD },
  });
  assert.deepEqual(changed.body, { confirmationSent: true });
  await until(async () => (await mailing.control.query('select 1 from mails')).rows.length === 3);
  const { rows } = await mailing.control.query('select sealed from mails');
  assert.equal(rows.length, 3);
  for (const { sealed } of rows) assert.ok(!sealed.includes('people.example'));

  smtp.refuse = 1;
  for (const worker of mailing.workers) worker.start();
  await until(() => smtp.mails.length === 2);
  mailing.clock.now += 60_000;
  await until(async () => (await mailing.control.query('select 1 from mails')).rows.length === 0);
  assert.equal(smtp.mails.length, 3, 'the refused mail was sent again');
  const to = (email: string) => smtp.mails.filter((mail) => mail.includes(`To: ${email}`));
  assert.equal(invited.body.url, null, 'who invites cannot accept it as somebody else');
  const linkIn = (mail: string | undefined): string | undefined => /http:\S+/.exec(mail ?? '')?.[0];
  const accepted = await page('POST /auth/invitations/accept', {
    token: tokenOf(linkIn(to('eve@people.example')[0])),
    email: 'eve@people.example',
    password: 'another battery',
    name: 'Eve',
  });
  assert.equal(accepted.body.user.isEmailConfirmed, true, 'by the mail');
  const token = tokenOf(linkIn(to('ada@new.example')[0]));
  assert.equal((await page('POST /auth/email/confirm', { token })).status, 200);
  assert.equal((await page('POST /auth/email/confirm', { token })).status, 200, 'who got no response repeats it');
  mailing.clock.now += 10 * 60_000;
  assert.equal((await page('POST /auth/email/confirm', { token })).body.code, 'link_invalid', 'and not for long');
  const reset = { token: tokenOf(linkIn(to(ada.email)[0])), newPassword: 'another battery' };
  const refused = await page('POST /auth/reset-password', reset);
  assert.equal(refused.body.code, 'link_invalid', 'it was sent to the previous email');
  const session = await page('POST /auth/sign-in', { email: 'ada@new.example', password: PASSWORD });
  assert.equal(session.status, 200);
  await until(() => to(ada.email).some((mail) => mail.includes('ada@new.example')));
});

test('the response to a forgotten password waits for nothing that depends on the email', async () => {
  const mailing = await testService({ SMTP_URL: 'smtp://127.0.0.1:1', SMTP_FROM: 'hw@shop.example' });
  const page = onPage(mailing);
  const ada = await createTestUser(mailing, undefined);
  const eve = await createTestUser(mailing, undefined);
  await mailing.control.query('update users set email_confirmed_at = null where id = $1', [eve.uuid]);
  // Nobody can read users, or write links and mails, until this ends.
  const client = await mailing.control.connect('headwater-command');
  await client.query('begin');
  await client.query('lock table users, user_links, mails in access exclusive mode');
  for (const email of [eve.email, 'nobody@people.example', ada.email]) {
    assert.deepEqual((await page('POST /auth/forgotten-password', { email })).body, { success: true });
  }
  await client.query('rollback');
  await client.end();
  await until(async () => (await mailing.control.query('select 1 from mails')).rows.length > 0);
  const { rows } = await mailing.control.query('select user_id from user_links');
  assert.deepEqual(rows, [{ user_id: ada.uuid }], 'an email that is not confirmed gets none either');
});

/** An SMTP server that keeps what it accepts, unquoted, and refuses the next `refuse` mails for now. */
async function fakeSmtp() {
  const state = { port: 0, mails: [] as string[], refuse: 0 };
  const server = createServer((socket) => {
    let isData = false;
    let received = '';
    socket.on('error', () => {});
    socket.write('220 fake\r\n');
    socket.on('data', (chunk) => {
      received += chunk;
      if (isData) {
        const end = received.indexOf('\r\n.\r\n');
        if (end < 0) return;
        isData = false;
        const unfolded = received.slice(0, end).replaceAll('=\r\n', '').replaceAll('=3D', '=');
        received = '';
        state.mails.push(unfolded);
        socket.write('250 accepted\r\n');
        return;
      }
      for (let end = received.indexOf('\r\n'); end >= 0 && !isData; end = received.indexOf('\r\n')) {
        const command = received.slice(0, end).toUpperCase();
        received = received.slice(end + 2);
        if (command.startsWith('MAIL') && state.refuse > 0) {
          state.refuse--;
          socket.write('451 later\r\n');
        } else if (command === 'DATA') {
          isData = true;
          socket.write('354 go\r\n');
        } else if (command === 'QUIT') socket.end('221 bye\r\n');
        else socket.write('250 ok\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address === 'object' && address) state.port = address.port;
  after(() => server.close());
  return state;
}
