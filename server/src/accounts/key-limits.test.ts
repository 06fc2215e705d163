import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { createTestUser } from '../../test/users.ts';
import { claimEndingKeys } from './queries.ts';

const service = await testService();
const { clock, control } = service;
const DAY = 86_400_000;

async function setup(name: string) {
  const account = await service.newAccount(name);
  const owner = await createTestUser(service, account);
  const create = (body: Record<string, unknown>) =>
    service.call('POST /v1/keys', { by: owner, body: { name: 'Server', type: 'secret', ...body } });
  const use = (token: string, request = 'GET /v1/cms/collections', more: Record<string, unknown> = {}) =>
    service.call(request, { ...more, headers: { 'x-api-key': `Bearer ${token}` } });
  return { account, owner, create, use };
}

test('a key ends at its time, with a code of its own, and its owners are told once', async () => {
  const { create, use } = await setup('expiry');
  const created = await create({ expiresAt: new Date(clock.now + 3 * DAY).toISOString() });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  assert.equal((await use(created.body.token)).status, 200);
  const ending = () =>
    claimEndingKeys(control, { now: new Date(clock.now), before: new Date(clock.now + 7 * DAY), limit: 100 });
  const told = (await ending()).filter(({ hint }) => hint === created.body.hint);
  assert.equal(told.length, 1);
  assert.deepEqual(await ending(), []);
  clock.now += 3 * DAY;
  const expired = await use(created.body.token);
  assert.deepEqual([expired.status, expired.body.code], [401, 'key_expired']);
  clock.now -= 3 * DAY;
});

test('a key works from its addresses alone', async () => {
  const { create, use } = await setup('addresses');
  const here = await create({ allowedAddresses: ['127.0.0.0/8', '::1'] });
  assert.deepEqual(here.body.allowedAddresses, ['127.0.0.0/8', '::1']);
  assert.equal((await use(here.body.token)).status, 200);
  const there = await create({ allowedAddresses: ['192.0.2.0/24'] });
  const refused = await use(there.body.token);
  assert.deepEqual([refused.status, refused.body.code], [401, 'address_not_allowed']);
});

test('a token with a role does what a member with that role may', async () => {
  const { create, use } = await setup('roles');
  const { token: viewer } = (await create({ roleId: 'viewer' })).body;
  const { token: editor } = (await create({ roleId: 'editor' })).body;
  const body = { name: 'Posts', fields: [{ id: 'title', label: 'Title', type: 'text' }] };
  const refused = await use(viewer, 'POST /v1/cms/collections', { body });
  assert.deepEqual([refused.status, refused.body.code], [400, 'role_insufficient']);
  assert.equal((await use(viewer)).status, 200);
  assert.equal((await use(editor, 'POST /v1/cms/collections', { body })).status, 200);
  const webhook = { url: 'https://shop.example/hook', topics: ['entry.created'] };
  assert.equal((await use(editor, 'POST /v1/webhooks', { body: webhook })).body.code, 'role_insufficient');
});

test('a rotated key works for another day beside the new one, which has its settings', async () => {
  const { create, use, owner } = await setup('rotation');
  const old = (await create({ roleId: 'viewer', allowedAddresses: ['127.0.0.1', '::1'] })).body;
  const rotate = () => service.call(`POST /v1/keys/${old.id}/rotate`, { by: owner });
  const next = (await rotate()).body;
  assert.deepEqual([next.name, next.roleId, next.allowedAddresses], [old.name, 'viewer', ['127.0.0.1', '::1']]);
  for (const { token } of [old, next]) assert.equal((await use(token)).status, 200);
  clock.now += DAY + 11_000;
  assert.deepEqual((await use(old.token)).body.code, 'key_expired');
  assert.equal((await use(next.token)).status, 200);
  clock.now -= DAY + 11_000;
  await service.call(`DELETE /v1/keys/${old.id}`, { by: owner });
  assert.equal((await rotate()).body.code, 'key_revoked');
});

test('whoever finds a token has it revoked, without a sign-in', async () => {
  const { create, use, account } = await setup('leaked');
  const { token } = (await create({})).body;
  const report = (text: string) => service.call('POST /v1/keys/revoke-leaked', { body: { token: text } });
  assert.deepEqual((await report(`${token.slice(0, -1)}x`)).body, { revoked: false });
  assert.deepEqual((await report(String(account.apiKey))).body, { revoked: false }, 'publishable keys are not secret');
  assert.equal((await use(token)).status, 200);
  assert.deepEqual((await report(token)).body, { revoked: true });
  assert.equal((await use(token)).status, 401);
  assert.equal((await use(String(account.apiKey))).status, 401);
});

test('every fault of the settings of a key is named', async () => {
  const { create } = await setup('faults');
  const faults = async (body: Record<string, unknown>) =>
    (await create(body)).body.errors?.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`);
  assert.deepEqual(await faults({ expiresAt: '2020-01-01T00:00:00Z', allowedAddresses: ['1.2.3', '10.0.0.0/33'] }), [
    '/expiresAt time_past',
    '/allowedAddresses/0 address_invalid',
    '/allowedAddresses/1 address_invalid',
  ]);
  assert.deepEqual(await faults({ type: 'publishable', roleId: 'viewer', allowedAddresses: ['192.0.2.1'] }), [
    '/roleId role_not_allowed',
    '/allowedAddresses addresses_not_allowed',
  ]);
});

test('an account has a bounded number of keys, also of those that are created at the same time', async () => {
  const { account, create } = await setup('number');
  const { LIMITS } = await import('./limits.ts');
  const counted = async () =>
    Number(
      (
        await control.query('select count(*) from api_keys where account_id = $1 and revoked_at is null', [
          account.uuid,
        ])
      ).rows[0].count,
    );
  await control.query(
    `insert into api_keys (account_id, id, type, name, hash, hint, created_at)
     select $1::uuid, gen_random_uuid(), 'secret', 'x', decode(md5(($1::uuid)::text || i) || md5(i::text), 'hex'), 'abcd', now()
     from generate_series(1, $2::int) i`,
    [account.uuid, LIMITS.keys - 3 - (await counted())],
  );
  const answers = await Promise.all(Array.from({ length: 8 }, () => create({})));
  assert.equal(await counted(), LIMITS.keys);
  const [created] = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(refused.length, 5);
  for (const { body } of refused) assert.equal(body.code, 'too_many_keys');
  const owner = await createTestUser(service, account);
  const rotated = await service.call(`POST /v1/keys/${created?.body.id}/rotate`, { by: owner });
  assert.equal(rotated.body.code, 'too_many_keys');
  assert.equal((await service.call(`DELETE /v1/keys/${created?.body.id}`, { by: owner })).status, 200);
  assert.equal((await create({})).status, 200);
});
