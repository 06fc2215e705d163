// Slow: hashes many passwords.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, testService } from '../../../test/harness.ts';
import { unlessOverloaded, until } from '../../../test/until.ts';
import { createTestUser, newSession, PASSWORD } from '../../../test/users.ts';
import { cookieOf, onPage } from '../test-support.ts';
import { attempt } from './attempt-limits.ts';
import { limitHashing } from './password.ts';

const service = await testService();
const post = onPage(service);
const DAY = 86_400_000;

test('a sign-in sets an HttpOnly cookie and ends the previous session', async () => {
  const ada = await createTestUser(service, await service.newAccount());
  const first = await post('POST /auth/sign-in', { email: ada.email.toUpperCase(), password: PASSWORD });
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.match(
    [first.headers['set-cookie']].flat()[0] as string,
    /^headwater=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  assert.equal(first.headers['cache-control'], 'no-store');
  assert.equal(first.body.user.email, ada.email);
  const cookie = cookieOf(first);
  const second = await post('POST /auth/sign-in', { email: ada.email, password: PASSWORD }, cookie);
  assert.notEqual(cookieOf(second), cookie);
  assert.equal((await post('GET /auth/session', undefined, cookie)).body.user, null, 'it was replaced');
  assert.equal((await post('GET /auth/sessions', undefined, cookieOf(second))).status, 200);
});

test('under https, the cookie is bound to the host', async () => {
  const secure = await testService({}, { publicUrl: 'https://headwater.test' });
  const ada = await createTestUser(secure, await secure.newAccount());
  const response = await secure.call('POST /auth/sign-in', {
    body: { email: ada.email, password: PASSWORD },
    headers: { origin: 'https://headwater.test' },
  });
  assert.match(
    [response.headers['set-cookie']].flat()[0] as string,
    /^__Host-headwater=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const plain = { cookie: cookieOf(response).replace('__Host-', '') };
  assert.equal((await secure.call('GET /auth/session', { headers: plain })).body.user, null);
  const state = await secure.call('GET /auth/session', { headers: { cookie: cookieOf(response) } });
  assert.equal(state.body.user.email, ada.email);
});

test('a wrong password and an unknown email get the same response', async () => {
  const ada = await createTestUser(service, undefined);
  const strange = ['nobody@users.example', 'nobody', '', ' ', `${'x'.repeat(900)}@users.example`];
  const responses = [await post('POST /auth/sign-in', { email: ada.email, password: 'wrong password' })];
  for (const email of strange) responses.push(await post('POST /auth/sign-in', { email, password: 'wrong password' }));
  for (const { status, body, headers } of responses) {
    assert.equal(status, 401);
    assert.deepEqual({ ...body, requestId: '' }, { ...responses[0]?.body, requestId: '' });
    assert.equal(headers['set-cookie'], undefined);
  }
});

test('a page of another scheme cannot act on a session, whatever its host', async () => {
  const secure = await testService({}, { publicUrl: 'https://headwater.test' });
  const [ada, eve] = [await createTestUser(service, undefined), await createTestUser(secure, undefined)];
  const codeFor = async (by: typeof service, user: typeof ada, headers: Record<string, string>) => {
    const answer = await by.call('PATCH /auth/user', {
      by: user,
      body: { name: 'Ada' },
      headers: { host: 'headwater.test', ...headers },
    });
    return answer.body.code;
  };
  for (const headers of [{ origin: 'https://headwater.test' }, { origin: 'ftp://headwater.test' }]) {
    assert.equal(await codeFor(service, ada, headers), 'origin_not_allowed', headers.origin);
  }
  assert.equal(await codeFor(service, ada, { origin: 'http://headwater.test' }), undefined);
  const proxied = { host: 'shop.example', origin: 'https://shop.example', 'x-forwarded-proto': 'https' };
  assert.equal(await codeFor(service, ada, proxied), undefined, 'behind a proxy with TLS');
  const plain = { ...proxied, origin: 'http://shop.example' };
  assert.equal(await codeFor(service, ada, plain), 'origin_not_allowed', 'a page over plain http');

  const cookie = eve.cookie.replace('headwater=', '__Host-headwater=');
  assert.equal(await codeFor(secure, { ...eve, cookie }, { origin: 'http://headwater.test' }), 'origin_not_allowed');
  assert.equal(await codeFor(secure, { ...eve, cookie }, { origin: 'https://headwater.test' }), undefined);
});

test('an attempt that is not checked, because too many wait, is no failed one', async () => {
  const idle = await testService();
  const ada = await createTestUser(idle, undefined);
  const { promise, resolve } = Promise.withResolvers<void>();
  const busy = limitHashing({ address: '203.0.113.77' }, () => promise, 60_000);
  const wrong = { email: ada.email, password: 'wrong one' };
  const tries = Array.from({ length: 4 }, () => onPage(idle)('POST /auth/sign-in', wrong));
  const answers = await Promise.all(tries);
  assert.deepEqual(new Set(answers.map(({ body }) => body.code)), new Set(['overloaded']));
  resolve();
  await busy;
  const { rows } = await idle.control.query('select distinct failures from sign_in_attempts');
  assert.deepEqual(rows, [{ failures: 0 }]);
});

test('repeated failures cause growing pauses, also for concurrent attempts', async () => {
  const ada = await createTestUser(service, undefined);
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const proxied = await testService({ TRUST_PROXY: '127.0.0.1' });
  const bob = await createTestUser(proxied, undefined);
  const page = onPage(proxied);
  const tries = (email: string, password: string, address: string) =>
    unlessOverloaded(() => page('POST /auth/sign-in', { email, password }, '', from(address)));

  const burst = await Promise.all(Array.from({ length: 12 }, () => tries(bob.email, 'wrong password', '192.0.2.1')));
  const count = (status: number) => burst.filter((response) => response.status === status).length;
  assert.deepEqual([count(401), count(429)], [5, 7]);
  const blocked = await tries(bob.email, PASSWORD, '192.0.2.1');
  assert.deepEqual([blocked.status, blocked.body.code], [429, 'too_many_attempts']);
  assert.equal(blocked.headers['retry-after'], '1');
  assert.equal((await tries(bob.email, PASSWORD, '192.0.2.2')).status, 200, 'the right password from another address');

  const pauses: number[] = [];
  for (let i = 0; i < 16; i++) {
    proxied.clock.now += 3_600_000;
    assert.equal((await tries('nobody@users.example', 'wrong password', '192.0.2.3')).status, 401);
    const again = await tries('nobody@users.example', 'wrong password', '192.0.2.3');
    if (again.status === 429) pauses.push(Number(again.headers['retry-after']));
  }
  assert.ok(pauses.length > 5, `${pauses}`);
  for (const [i, pause] of pauses.entries()) assert.ok(i === 0 || pause >= (pauses[i - 1] ?? 0), `${pauses}`);
  assert.equal(Math.max(...pauses), 900);

  proxied.clock.now += DAY + 1;
  assert.equal(
    (await tries('nobody@users.example', 'wrong password', '192.0.2.3')).status,
    401,
    'failures expire after a day',
  );
  assert.equal((await post('POST /auth/sign-in', { email: ada.email, password: PASSWORD })).status, 200);
});

test('attempts on one user from many addresses are limited, too', async () => {
  const proxied = await testService({ TRUST_PROXY: '127.0.0.1' });
  const bob = await createTestUser(proxied, undefined);
  const page = onPage(proxied);
  let refused = 0;
  for (let i = 0; i < 25; i++) {
    const headers = { 'x-forwarded-for': `192.0.2.${i}` };
    const { status } = await page('POST /auth/sign-in', { email: bob.email, password: 'wrong password' }, '', headers);
    if (status === 429) refused++;
  }
  assert.equal(refused, 5);
});

test('strangers cannot lock out a device on which the user signed in before, until the password changes', async () => {
  const proxied = await testService({ TRUST_PROXY: '127.0.0.1' });
  const account = await proxied.newAccount();
  const [bob, eve] = [await createTestUser(proxied, account), await createTestUser(proxied, account)];
  const page = onPage(proxied);
  const signIn = (email: string, password: string, address: string, cookie = '') =>
    page('POST /auth/sign-in', { email, password }, cookie, { 'x-forwarded-for': address });
  const deviceOf = (response: Answer) =>
    [response.headers['set-cookie']].flat().map((set) => String(set).split(';', 1)[0])[1];
  const device = deviceOf(await signIn(bob.email, PASSWORD, '192.0.2.1'));
  assert.match(device ?? '', /^headwater-device-[\w-]{8}=/);

  // From many addresses, and from Bob's own; without hashing, which the limits do not depend on.
  const deps = { control: proxied.control, secret: proxied.secret, clock: () => proxied.clock.now };
  const fail = (email: string, ip: string) =>
    attempt(deps, { email, ip }, async () => undefined).catch(() => undefined);
  const attack = async () => {
    for (let i = 0; i < 30; i++) await fail(bob.email, `198.51.100.${i}`);
    for (let i = 0; i < 60; i++) await fail(`nobody${i}@users.example`, '192.0.2.1');
    for (let i = 0; i < 10; i++) await fail(bob.email, '192.0.2.1');
  };
  await attack();
  assert.equal((await signIn(bob.email, PASSWORD, '203.0.113.1')).status, 429, 'an unknown device has to wait');
  assert.equal((await signIn(bob.email, PASSWORD, '192.0.2.1')).status, 429, 'so does one at the same address');
  const again = await signIn(bob.email, PASSWORD, '192.0.2.1', device);
  assert.equal(again.status, 200, JSON.stringify(again.body));
  assert.equal((await signIn(bob.email, PASSWORD, '203.0.113.1')).status, 429, 'which does not help strangers');

  const others = deviceOf(await signIn(eve.email, PASSWORD, '203.0.113.2'));
  const forged = `${device?.slice(0, -1)}${device?.endsWith('A') ? 'B' : 'A'}`;
  for (const cookie of [
    others,
    forged,
    `${device?.split('=')[0]}=`,
    `${device?.split('=')[0]}=${others?.split('=')[1]}`,
  ]) {
    assert.equal((await signIn(bob.email, PASSWORD, '203.0.113.1', cookie)).status, 429, `${cookie}`);
  }

  const guesses: number[] = [];
  for (let i = 0; i < 8; i++) guesses.push((await signIn(bob.email, 'guess', `203.0.113.${i}`, device)).status);
  assert.deepEqual(guesses, [401, 401, 401, 401, 401, 429, 429, 429], 'a stolen cookie does not allow guessing');
  proxied.clock.now += 60_000;

  const session = { ...bob, ...(await newSession(proxied, bob.uuid)) };
  await attack();
  const body = { currentPassword: PASSWORD, newPassword: 'another battery' };
  const changed = await proxied.call('POST /auth/password', { by: session, body });
  assert.equal(changed.status, 200, 'nor can they keep a signed-in user from changing the password');
  await attack();
  assert.equal(
    (await signIn(bob.email, 'another battery', '192.0.2.9', device)).status,
    429,
    'the old cookie is revoked',
  );
  const renewed = deviceOf(changed);
  assert.equal((await signIn(bob.email, 'another battery', '192.0.2.9', renewed)).status, 200);
  proxied.clock.now += 366 * DAY;
  await attack();
  assert.equal((await signIn(bob.email, 'another battery', '192.0.2.9', renewed)).status, 429, 'cookies expire');
});

test('a session ends after 30 days, after 7 idle days, and when it is ended', async () => {
  const account = await service.newAccount();
  const ada = await createTestUser(service, account);
  const other = await newSession(service, ada.uuid);
  const third = { ...ada, ...(await newSession(service, ada.uuid)) };
  const listed = await service.call('GET /auth/sessions', { by: ada });
  assert.equal(listed.body.sessions.length, 3);
  const { id, isCurrent, address } = listed.body.sessions.find(({ id }: { id: string }) => id === ada.sessionId);
  assert.deepEqual([id, isCurrent, address], [ada.sessionId, true, '203.0.113.9']);

  assert.equal((await service.call(`DELETE /auth/sessions/${other.sessionId}`, { by: ada })).status, 200);
  assert.equal((await service.call(`DELETE /auth/sessions/${other.sessionId}`, { by: ada })).status, 404);
  const ended = await service.call('GET /v1/account', { by: { ...ada, ...other } });
  assert.deepEqual([ended.status, ended.body.code], [401, 'signed_out']);
  assert.deepEqual((await service.call('POST /auth/sessions/end-others', { by: ada })).body, { ended: 1 });
  assert.equal((await service.call('GET /v1/account', { by: third })).status, 401);

  const start = service.clock.now;
  for (let day = 6; day < 30; day += 6) {
    service.clock.now = start + day * DAY;
    assert.equal((await service.call('GET /v1/account', { by: ada })).status, 200, `day ${day}`);
    // The last use is recorded after the response.
    await until(async () => {
      const { rows } = await service.control.query('select last_seen_at from user_sessions where user_id = $1', [
        ada.uuid,
      ]);
      return rows[0].last_seen_at.getTime() === service.clock.now;
    });
  }
  service.clock.now = start + 30 * DAY + 1;
  assert.equal((await service.call('GET /v1/account', { by: ada })).status, 401);
  const idle = await createTestUser(service, account);
  service.clock.now += 7 * DAY;
  assert.equal((await service.call('GET /v1/account', { by: idle })).status, 401);
});

test('signing out ends the session and clears the cookie', async () => {
  const ada = await createTestUser(service, await service.newAccount());
  const out = await service.call('POST /auth/sign-out', { by: { ...ada, account: undefined } });
  assert.match(String(out.headers['set-cookie']), /^headwater=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/);
  assert.equal((await service.call('GET /v1/account', { by: ada })).status, 401);
});

test('a new password ends all other sessions and replaces the old one', async () => {
  const ada = await createTestUser(service, await service.newAccount());
  const other = { ...ada, ...(await newSession(service, ada.uuid)) };
  const change = (currentPassword: string) =>
    service.call('POST /auth/password', { by: ada, body: { currentPassword, newPassword: 'another battery' } });
  const wrong = await change('wrong password');
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'password_wrong']);
  assert.equal((await service.call('GET /v1/account', { by: other })).status, 200);
  const changed = await change(PASSWORD);
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  for (const by of [ada, other]) assert.equal((await service.call('GET /v1/account', { by })).status, 401);
  const now = { ...ada, cookie: cookieOf(changed) };
  assert.equal((await service.call('GET /v1/account', { by: now })).status, 200);
  assert.equal((await post('POST /auth/sign-in', { email: ada.email, password: PASSWORD })).status, 401);
  assert.equal((await post('POST /auth/sign-in', { email: ada.email, password: 'another battery' })).status, 200);
});
