import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../../test/harness.ts';
import { service } from '../../../test/shared.ts';
import { deleteExpiredIdempotencyKeys } from './idempotency.ts';

function create(as: Account, key: string | undefined, name = 'Posts') {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  return service.call('POST /v1/cms/collections', { as, headers, body: { name, description: 'x' } });
}

async function count(as: Account): Promise<number> {
  return (await service.call('GET /v1/cms/collections', { as })).body.collections.length;
}

const age = (key: string, by: string) =>
  service.db.query('update idempotency_keys set created_at = now() - $2::interval where key = $1', [key, by]);

test('the same key and body replays the first response and creates one resource', async () => {
  const account = await service.newAccount();
  const first = await create(account, 'one');
  assert.equal(first.status, 200);
  const patch = { as: account, body: { name: 'Renamed' } };
  assert.equal((await service.call(`PATCH /v1/cms/collections/${first.body.id}`, patch)).status, 200);
  const again = await create(account, 'one');
  assert.equal(JSON.stringify(again.body), JSON.stringify(first.body));
  assert.notEqual(again.headers['x-request-id'], first.headers['x-request-id']);
  assert.equal(await count(account), 1);
});

test('concurrent requests with one key create one resource and all return it', async () => {
  const account = await service.newAccount();
  const answers = await Promise.all(Array.from({ length: 12 }, () => create(account, 'together')));
  for (const { status } of answers) assert.equal(status, 200);
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
  assert.equal(await count(account), 1);
});

test('the same key with another body or path is 400 and creates nothing', async () => {
  const account = await service.newAccount();
  const { body: made } = await create(account, 'used');
  const other = await create(account, 'used', 'Others');
  assert.deepEqual([other.status, other.body.code], [400, 'idempotency_key_reused']);
  const entry = { as: account, headers: { 'idempotency-key': 'used' }, body: { values: {} } };
  const elsewhere = await service.call(`POST /v1/cms/collections/${made.id}/entries`, entry);
  assert.deepEqual([elsewhere.status, elsewhere.body.code], [400, 'idempotency_key_reused']);
  assert.equal(await count(account), 1);
});

test('a key belongs to its account', async () => {
  const [a, b] = [await service.newAccount(), await service.newAccount()];
  const [first, second] = [await create(a, 'shared'), await create(b, 'shared')];
  assert.notEqual(first.body.id, second.body.id);
  assert.deepEqual([await count(a), await count(b)], [1, 1]);
});

test('a failed request does not use up its key', async () => {
  const account = await service.newAccount();
  assert.equal((await create(account, 'retried', '')).status, 400);
  assert.equal((await create(account, 'retried')).status, 200);
});

test('a key has 1 to 255 characters', async () => {
  const account = await service.newAccount();
  assert.equal((await create(account, 'k'.repeat(255))).status, 200);
  for (const key of ['', 'k'.repeat(256)]) {
    const answer = await create(account, key);
    assert.deepEqual([answer.status, answer.body.code], [400, 'idempotency_key_invalid']);
  }
  assert.equal(await count(account), 1);
});

test('a key expires after 24 h, not earlier', async () => {
  const account = await service.newAccount();
  const { body: first } = await create(account, 'old');
  await create(account, 'young');
  await age('old', '23:59:59');
  assert.equal((await create(account, 'old')).body.id, first.id);
  await age('old', '24:00:01');
  assert.notEqual((await create(account, 'old')).body.id, first.id);

  await age('old', '24:00:01');
  await deleteExpiredIdempotencyKeys(service.db);
  const { rows } = await service.db.query('select key from idempotency_keys where account_id = $1', [account.uuid]);
  assert.deepEqual(rows, [{ key: 'young' }]);
});
