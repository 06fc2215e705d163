import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { kindOfKey, makeKey } from './key-format.ts';
import { createKey, revokeAccountKey } from './manage-keys.ts';

const service = await testService();

test('a key carries its kind and a checksum that a mistyped character breaks', () => {
  for (const kind of ['secret', 'publishable', 'postback'] as const) {
    const key = makeKey(kind);
    assert.match(key, /^hw_(sk|pk|pb)_[0-9A-Za-z]{38}$/);
    assert.equal(kindOfKey(key), kind);
    const at = 10;
    const mistyped = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1);
    assert.equal(kindOfKey(mistyped), undefined);
    assert.equal(kindOfKey(key.slice(0, -1)), undefined);
    assert.equal(kindOfKey(` ${key}`), undefined);
  }
});

test('every wrong token gets the same 401, with WWW-Authenticate', async () => {
  const account = await service.newAccount();
  const wrong: Record<string, string>[] = [
    {},
    { 'x-api-key': account.token },
    { 'x-api-key': `bearer ${account.token}` },
    { 'x-api-key': 'Bearer ' },
    { 'x-api-key': `Bearer ${account.apiKey}` },
    { 'x-api-key': `Bearer ${account.token.slice(0, -1)}` },
    { 'x-api-key': `Bearer ${makeKey('secret')}` },
    { authorization: `Bearer ${account.token}` },
  ];
  for (const headers of wrong) {
    const answer = await service.call('GET /v1/limits', { headers });
    assert.equal(answer.status, 401);
    assert.ok(answer.headers['www-authenticate']);
    const { requestId, ...rest } = answer.body;
    assert.equal(requestId, answer.headers['x-request-id']);
    assert.deepEqual(rest, {
      type: 'urn:headwater:error:unauthorized',
      title: 'Unauthorized',
      status: 401,
      detail: 'The API token is missing, malformed or revoked.',
      code: 'unauthorized',
      errors: [],
    });
  }
  assert.equal((await service.call('GET /v1/limits', { as: account })).status, 200);
});

test('a revoked token is refused by another process from the moment the revocation returns', async () => {
  const account = await service.newAccount();
  for (let round = 0; round < 20; round++) {
    const key = await createKey(service.db, account.id, 'secret', 'short-lived');
    assert.equal((await service.call('GET /v1/limits', { as: key.token })).status, 200);
    assert.equal((await service.call('GET /v1/limits', { as: key.token })).status, 200);
    const revoked = await revokeAccountKey(service.db, key.id);
    assert.ok(revoked.revokedAt);
    assert.equal((await service.call('GET /v1/limits', { as: key.token })).status, 401);
  }
  assert.equal((await service.call('GET /v1/limits', { as: account })).status, 200);
});
