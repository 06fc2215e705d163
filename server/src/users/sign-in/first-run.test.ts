import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../../test/harness.ts';
import { unlessOverloaded } from '../../../test/until.ts';
import { cookieOf, GOOD, ORIGIN, onPage, rightsOf, tokenOf } from '../test-support.ts';

const person = (email: string, link: string | undefined) => ({
  token: tokenOf(link),
  email,
  password: GOOD,
  name: 'Ada',
});

test('the first-run link creates the first user with a new account, once, whatever other links exist', async () => {
  const service = await testService();
  const post = onPage(service);
  const links = await Promise.all([service.firstRunLink(), service.firstRunLink(), service.firstRunLink()]);
  assert.equal((await post('GET /auth/session')).body.isFirstRun, true);
  assert.match(links[0] ?? '', /^http:\/\/headwater\.test\/first-run#[\w-]{43}$/);
  const inspected = await post('POST /auth/first-run/inspect', { token: tokenOf(links[0]) });
  assert.deepEqual(inspected.body.accounts, []);

  // The same link three times and two other links, concurrently.
  const tries = [0, 0, 0, 1, 2].map(async (at, i) => {
    const body = { ...person(`ada${i}@shop.example`, links[at]), accountName: ' Shop ' };
    return unlessOverloaded(() => post('POST /auth/first-run', body));
  });
  const responses = await Promise.all(tries);
  assert.equal(responses.filter(({ status }) => status === 200).length, 1);
  for (const { status, body } of responses) {
    if (status !== 200) assert.equal(body.code, 'link_invalid');
  }
  const { rows } = await service.control.query(
    'select (select count(*) from users) as users, count(*) as accounts from accounts',
  );
  assert.deepEqual(rows[0], { users: 1, accounts: 1 });

  const made = responses.find(({ status }) => status === 200);
  assert.ok(made);
  assert.deepEqual(
    made.body.accounts.map(({ name, role }: { name: string; role: string }) => [name, role]),
    [['Shop', 'owner']],
  );
  const state = await post('GET /auth/session', undefined, cookieOf(made));
  assert.deepEqual(state.body, made.body);
  assert.equal(state.body.isFirstRun, false);
  assert.equal(await service.firstRunLink(), undefined, 'a user exists');
  assert.equal((await post('POST /auth/first-run/inspect', { token: tokenOf(links[2]) })).body.code, 'link_invalid');
});

test('who got no response to the first run repeats the request, with the same password only', async () => {
  const service = await testService();
  const post = onPage(service);
  const body = { ...person('ada@shop.example', await service.firstRunLink()), accountName: 'Shop' };
  const made = await post('POST /auth/first-run', body);
  const again = await post('POST /auth/first-run', body);
  assert.equal(again.status, 200, JSON.stringify(again.body));
  assert.deepEqual(again.body.accounts, made.body.accounts);
  assert.equal((await post('GET /auth/session', undefined, cookieOf(again))).body.user.email, 'ada@shop.example');
  for (const other of [{ password: 'another battery' }, { email: 'eve@shop.example' }]) {
    assert.equal((await post('POST /auth/first-run', { ...body, ...other })).body.code, 'link_invalid');
  }
  service.clock.now += 10 * 60_000;
  assert.equal((await post('POST /auth/first-run', body)).body.code, 'link_invalid', 'and not for long');
});

test('the first user can take over an account created on the command line', async () => {
  const service = await testService();
  const post = onPage(service);
  const account = await service.newAccount('By command');
  const link = await service.firstRunLink();
  const { body } = await post('POST /auth/first-run/inspect', { token: tokenOf(link) });
  assert.deepEqual(body.accounts, [{ id: account.id, name: 'By command' }]);
  const both = { ...person('ada@shop.example', link), accountId: account.id, accountName: 'x' };
  assert.equal((await post('POST /auth/first-run', both)).body.code, 'account_choice_invalid');
  const never = { ...person('ada@shop.example', link), accountId: account.id.replace(/_0/, '_1') };
  assert.equal((await post('POST /auth/first-run', never)).status, 404);
  const made = await post('POST /auth/first-run', { ...person('Ada@Shop.example', link), accountId: account.id });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  assert.deepEqual(made.body.accounts, [
    {
      ...{ id: account.id, name: 'By command', role: 'owner', area: null, timeZone: 'UTC', currency: null },
      ...{ ...rightsOf('owner'), isView: false },
    },
  ]);
  assert.equal(made.body.user.email, 'ada@shop.example');
});

test('a first-run link expires; neither links nor passwords are stored in plain text', async () => {
  const service = await testService();
  const post = onPage(service);
  const link = await service.firstRunLink();
  service.clock.now += 86_400_001;
  const late = await post('POST /auth/first-run', { ...person('ada@shop.example', link), accountName: 'x' });
  assert.equal(late.body.code, 'link_invalid');
  const next = await service.firstRunLink();
  const made = await post('POST /auth/first-run', { ...person('ada@shop.example', next), accountName: 'x' });
  assert.equal(made.status, 200);
  const secrets = [tokenOf(link), tokenOf(next), GOOD, cookieOf(made).split('=')[1]?.split('.')[0] ?? ''];
  for (const table of ['users', 'user_sessions', 'user_links', 'audit_log', 'members']) {
    const { rows } = await service.control.query(`select t::text as row from ${table} t`);
    for (const { row } of rows) for (const secret of secrets) assert.ok(!row.includes(secret), `${table}: ${row}`);
  }
});

test('all faults of a first user are reported, and other sites cannot create one', async () => {
  const service = await testService();
  const link = await service.firstRunLink();
  const body = { token: tokenOf(link), email: 'ada', password: 'short', name: ' ', accountName: 'x' };
  const refused = await service.call('POST /auth/first-run', { body, headers: ORIGIN });
  assert.deepEqual(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), [
    '/email',
    '/name',
    '/password',
  ]);
  for (const headers of [{}, { origin: 'https://evil.example' }, { ...ORIGIN, 'sec-fetch-site': 'cross-site' }]) {
    const good = { ...person('ada@shop.example', link), accountName: 'x' };
    const response = await service.call('POST /auth/first-run', { body: good, headers });
    assert.deepEqual([response.status, response.body.code], [401, 'origin_not_allowed']);
  }
});
