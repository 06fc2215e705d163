/** Where the text of a key may be read after it was created. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { createTestUser } from '../../test/users.ts';

const service = await testService();

test('secret and postback keys are shown once and stored only as SHA-256; publishable keys are always shown', async () => {
  const account = await service.newAccount();
  const by = await createTestUser(service, account);
  const created = new Map<string, string>();
  for (const type of ['secret', 'postback', 'publishable']) {
    const { status, body } = await service.call('POST /v1/keys', { by, body: { name: type, type } });
    assert.equal(status, 200, JSON.stringify(body));
    created.set(type, body.token);
    assert.equal(body.key, type === 'publishable' ? body.token : null);
    const path = `/v1/keys/${body.id}`;
    const renamed = await service.call(`PATCH ${path}`, { by, body: { name: `${type} key` } });
    const revoked = type === 'postback' ? await service.call(`DELETE ${path}`, { by }) : renamed;
    const [list, log] = [await service.call('GET /v1/keys', { by }), await service.call('GET /v1/audit', { by })];
    for (const [name, response] of Object.entries({ renamed, revoked, list, log })) {
      const isShown = JSON.stringify(response.body).includes(body.token);
      assert.equal(isShown, type === 'publishable' && name !== 'log', `${type} in ${name}`);
    }
  }
  const { rows: tables } = await service.db.query(
    "select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'",
  );
  assert.ok(tables.length > 20);
  for (const { name } of tables) {
    const { rows } = await service.db.query(`select t::text as row from "${name}" t`);
    for (const { row } of rows) {
      for (const type of ['secret', 'postback']) assert.ok(!row.includes(created.get(type)), `${type} in ${name}`);
    }
  }
  const hash = createHash('sha256')
    .update(created.get('secret') ?? '')
    .digest();
  const { rows } = await service.control.query('select type from api_keys where hash = $1', [hash]);
  assert.deepEqual(rows, [{ type: 'secret' }]);
});

test('revoking a key takes effect at once, also for publishable and postback keys', async () => {
  const account = await service.newAccount();
  const by = await createTestUser(service, account);
  const uses: Record<string, (key: string) => ReturnType<typeof service.call>> = {
    secret: (as) => service.call('GET /v1/limits', { as }),
    publishable: (api_key) => service.call('POST /v1/events', { body: { api_key, event: 'x' } }),
    postback: (key) => service.call(`GET /v1/analytics/report-conversion?gclid=x&key=${key}`),
  };
  for (const [type, call] of Object.entries(uses)) {
    const { body } = await service.call('POST /v1/keys', { by, body: { name: type, type } });
    assert.equal((await call(body.token)).status, 200, type);
    assert.equal((await service.call(`DELETE /v1/keys/${body.id}`, { by })).status, 200);
    const refused = await call(body.token);
    assert.equal(refused.status, 401, type);
    assert.ok(refused.headers['www-authenticate'], type);
  }
});
