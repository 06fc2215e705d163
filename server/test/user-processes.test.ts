// Slow: two services and four commands, each a process, and often the first to need the bundled service.
/** Users with real processes and sockets: the first run, sign-ins on two services that share a database, the log. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from './harness.ts';
import { command, commandJson, type ServiceProcess, startService } from './service-process.ts';

const db = await testDatabase();
const { host, port, user, database } = db.connection as Record<string, string>;
const env = { DATABASE_URL: `postgres://${user}:ignored@/${database}?host=${host}&port=${port}`, LOG_LEVEL: 'trace' };
const PASSWORD = 'correct horse battery';
const EMAIL = 'ada@shop.example';

async function send({ url }: ServiceProcess, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { origin: url, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const cookie = (response.headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? '';
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape, and fails where they differ
  return { status: response.status, cookie, body: (await response.json()) as any };
}

test('the first run on two services at once creates one user, who is signed in on both; no log contains a secret', async () => {
  const services = await Promise.all([startService(env), startService(env)]);
  const [one, two] = services as [ServiceProcess, ServiceProcess];
  const links = await Promise.all(services.map(() => commandJson(['users', 'first-run-link'], env)));
  // The commands know neither PORT nor PUBLIC_URL.
  const ports = services.map(({ url }) => new URL(url).port);
  for (const { url } of links) assert.ok(ports.includes(new URL(url).port), url);
  const tokens = links.map(({ url }) => new URL(url).hash.slice(1));
  const tries = await Promise.all(
    services.map((service, i) =>
      send(service, '/auth/first-run', {
        token: tokens[i],
        email: EMAIL,
        password: PASSWORD,
        name: 'Ada',
        accountName: 'Shop',
      }),
    ),
  );
  assert.deepEqual(tries.map(({ status }) => status).sort(), [200, 400]);
  const made = tries.find(({ status }) => status === 200);
  assert.ok(made);
  const { code, stderr } = await command(['users', 'first-run-link'], env);
  assert.deepEqual([code, /already has a user/.test(stderr)], [1, true]);

  const account = { 'x-headwater-account': made.body.accounts[0].id };
  for (const service of services) {
    const answer = await send(service, '/v1/keys', undefined, { ...account, cookie: made.cookie });
    // A new account has a publishable key for its pages, and no secret token.
    const types = answer.body.keys.map((each: { type: string }) => each.type);
    assert.deepEqual([answer.status, types], [200, ['publishable']]);
  }
  const foreign = await send(
    one,
    '/v1/keys',
    { name: 'x', type: 'secret' },
    { ...account, cookie: made.cookie, origin: two.url },
  );
  assert.deepEqual([foreign.status, foreign.body.code], [401, 'origin_not_allowed']);
  const key = await send(one, '/v1/keys', { name: 'x', type: 'secret' }, { ...account, cookie: made.cookie });
  const limits = await fetch(`${two.url}/v1/limits`, { headers: { 'x-api-key': `Bearer ${key.body.token}` } });
  assert.equal(limits.status, 200);

  const wrong = 'not the password';
  assert.equal((await send(two, '/auth/sign-in', { email: EMAIL, password: wrong })).status, 401);
  const signedIn = await send(two, '/auth/sign-in', { email: EMAIL, password: PASSWORD });
  assert.equal(signedIn.status, 200);
  await send(one, '/auth/sign-out', {}, { cookie: signedIn.cookie });
  assert.equal((await send(two, '/auth/sessions', undefined, { cookie: signedIn.cookie })).status, 401);

  const reset = await commandJson(['users', 'reset-link', EMAIL], env);
  const resetToken = new URL(reset.url).hash.slice(1);
  assert.equal(
    (await send(one, '/auth/reset-password', { token: resetToken, newPassword: 'another battery' })).status,
    200,
  );
  assert.equal(
    (await send(two, '/auth/sessions', undefined, { cookie: made.cookie })).status,
    401,
    'its sessions ended',
  );

  const secrets = [...tokens, resetToken, PASSWORD, wrong, 'another battery', EMAIL, key.body.token];
  secrets.push(...[made, signedIn].map(({ cookie }) => cookie.split('=')[1]?.split('.')[0] ?? ''));
  for (const service of services) {
    service.kill('SIGTERM');
    const { stdout, code } = await service.ended;
    assert.equal(code, 0);
    const lines = stdout.split('\n');
    const ready = lines.filter((line) => line.startsWith('Headwater is ready'));
    assert.match(ready[0] ?? '', /Create the first user within a day: http:\/\/localhost:\d+\/first-run#[\w-]{43}$/);
    secrets.push(ready[0]?.split('#')[1] ?? '');
    const logged = lines.filter((line) => line.startsWith('{'));
    assert.ok(logged.length > 5, 'requests are logged at this level');
    for (const secret of secrets) for (const line of logged) assert.ok(!line.includes(secret), line);
  }
});
