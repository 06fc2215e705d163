import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { base32 } from '@better-auth/utils/base32';
import { createOTP } from '@better-auth/utils/otp';
import { testService } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { createTestUser, PASSWORD } from '../../../test/users.ts';
import { cookieOf, onPage, tokenOf } from '../test-support.ts';
import { SoftwarePasskey } from './test-passkey.ts';

const service = await testService();
const post = onPage(service);
const STEP = 30_000;
const code = (secret: string, ms = service.clock.now) =>
  createOTP(new TextDecoder().decode(base32.decode(secret))).hotp(Math.floor(ms / STEP));
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
  const first = await code(body.secret);
  const { recoveryCodes } = (await confirm(first)).body;
  assert.equal(new Set(recoveryCodes).size, 10);
  assert.equal((await confirm(first)).body.code, 'two_factor_enabled');
  const { rows } = await service.control.query('select secret from user_authenticators where user_id = $1', [ada.uuid]);
  assert.ok(!rows[0]?.secret.includes(base32.decode(body.secret)), 'the secret is stored encrypted');

  const without = await signIn(ada.email);
  assert.deepEqual([without.status, without.body.code], [401, 'two_factor_required']);
  assert.equal(without.headers['set-cookie'], undefined);
  assert.equal(
    (await post('POST /auth/sign-in', { email: ada.email, password: 'wrong password', code: first })).body.code,
    'credentials_invalid',
  );
  assert.equal((await signIn(ada.email, { code: first })).body.code, 'code_invalid', 'the code was used');
  service.clock.now += STEP;
  const second = await code(body.secret);
  const both = await Promise.all([signIn(ada.email, { code: second }), signIn(ada.email, { code: second })]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401], 'of concurrent sign-ins, one succeeds');
  const cookie = cookieOf(both.find(({ status }) => status === 200) ?? without);
  assert.equal((await post('GET /auth/session', undefined, cookie)).body.user.email, ada.email);
  assert.equal((await signIn(ada.email, { code: recoveryCodes[3].toUpperCase().replace('-', ' ') })).status, 200);
  assert.equal((await signIn(ada.email, { code: recoveryCodes[3] })).body.code, 'code_invalid');
  const security = await service.call('GET /auth/security', { by: ada });
  assert.deepEqual(security.body, { twoFactor: { enabled: true, recoveryCodesLeft: 9 }, passkeys: [] });

  const again = { by: ada, body: { currentPassword: PASSWORD } };
  const renewed = (await service.call('POST /auth/two-factor/recovery-codes', again)).body.recoveryCodes;
  assert.equal((await signIn(ada.email, { code: recoveryCodes[0] })).status, 401);
  assert.equal((await signIn(ada.email, { code: renewed[0] })).status, 200);
  assert.equal((await service.call('POST /auth/two-factor/disable', again)).body.twoFactor.enabled, false);
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
  await service.call('POST /auth/two-factor/confirm', { by: ada, body: { code: await code(body.secret) } });
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
  assert.ok(to('eve@people.example')[0]?.includes(invited.body.url));
  const linkIn = (mail: string | undefined): string | undefined => /http:\S+/.exec(mail ?? '')?.[0];
  const reset = { token: tokenOf(linkIn(to(ada.email)[0])), newPassword: 'another battery' };
  assert.equal((await page('POST /auth/reset-password', reset)).status, 200);
  const token = tokenOf(linkIn(to('ada@new.example')[0]));
  assert.equal((await page('POST /auth/email/confirm', { token })).status, 200);
  assert.equal((await page('POST /auth/email/confirm', { token })).body.code, 'link_invalid');
  const session = await page('POST /auth/sign-in', { email: 'ada@new.example', password: 'another battery' });
  assert.equal(session.status, 200);
  await until(() => to(ada.email).some((mail) => mail.includes('ada@new.example')));
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
