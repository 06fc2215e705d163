import assert from 'node:assert/strict';
import { test } from 'node:test';
import { service } from '../../test/shared.ts';
import { PLATFORM_IDS, platformOf } from './platforms/registry.ts';

const account = await service.newAccount();
const call = (request: string, body?: unknown) => service.call(request, { as: account, body });

const meta = {
  platform: 'meta',
  name: 'Meta',
  credentials: { pixelId: '123456', accessToken: 'secret-access-token' },
  mapping: [{ event: 'order', target: 'Purchase' }],
  consent: 'required',
  mode: 'live',
};

/** Credentials and a mapping that fit a platform, as its form shows them. */
function exampleOf(platform: (typeof PLATFORM_IDS)[number]) {
  const { credentials, target } = platformOf(platform);
  const required = Object.entries(credentials).filter(([, { isRequired }]) => isRequired);
  const more = {
    ...(platform === 'google' && { clientId: 'c', clientSecret: 's', refreshToken: 't' }),
    ...(platform === 'cdn' && { url: 'https://cache.example/' }),
  };
  return {
    ...meta,
    platform,
    credentials: { ...Object.fromEntries(required.map(([name, { example }]) => [name, example])), ...more },
    mapping: platform === 'cdn' ? [] : [{ event: '*', target: target.example }],
  };
}

test('a destination of every platform is created from the examples of its form, and returned without secrets', async () => {
  const { body: list } = await call('GET /v1/destinations/platforms');
  assert.deepEqual(
    list.platforms.map(({ platform }: { platform: string }) => platform),
    PLATFORM_IDS,
  );
  for (const platform of PLATFORM_IDS) {
    const sent = exampleOf(platform);
    const created = await call('POST /v1/destinations', sent);
    assert.equal(created.status, 200, JSON.stringify(created.body));
    const { credentials } = platformOf(platform);
    for (const [name, value] of Object.entries(sent.credentials as Record<string, string>)) {
      const isShown = created.body.connection[name] === value;
      assert.equal(isShown, !credentials[name]?.isSecret, `${platform} ${name}`);
    }
    const read = await call(`GET /v1/destinations/${created.body.id}`);
    assert.deepEqual(read.body, { ...created.body, counts: read.body.counts });
    assert.deepEqual(new Set(Object.values(read.body.counts)), new Set([0]));
  }
});

test('every fault of a destination is named', async () => {
  const { status, body } = await call('POST /v1/destinations', {
    ...meta,
    credentials: { pixelId: 'x y', token: 'a' },
    mapping: [
      { event: 'a', target: ' ' },
      { event: 'a', target: 'Lead', value: 'fixed', currency: 'XX' },
    ],
    filter: { minimumValue: 'much' },
    sendAfter: 7 * 86_400,
  });
  assert.equal(status, 400);
  assert.deepEqual(
    body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
    [
      ['/credentials/pixelId', 'credential_invalid'],
      ['/credentials/token', 'unknown_property'],
      ['/credentials/accessToken', 'required'],
      ['/mapping/0/target', 'target_invalid'],
      ['/mapping/1/event', 'duplicate'],
      ['/mapping/1/amount', 'value_invalid'],
      ['/mapping/1/currency', 'currency_invalid'],
      ['/filter/minimumValue', 'value_invalid'],
      ['/sendAfter', 'out_of_range'],
    ],
  );
  const incomplete = { ...exampleOf('google'), credentials: { customerId: '1234567890', clientId: 'c' } };
  assert.deepEqual(
    (await call('POST /v1/destinations', incomplete)).body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/credentials/clientSecret', '/credentials/refreshToken'],
  );
  const local = { ...exampleOf('http'), credentials: { ...exampleOf('http').credentials, url: 'http://10.0.0.1/' } };
  const refused = (await call('POST /v1/destinations', local)).body;
  assert.deepEqual([refused.errors[0].pointer, refused.code], ['/credentials/url', 'url_not_public']);
});

test('credentials are stored encrypted, replaced one by one, and in no audit entry', async () => {
  const { body: created } = await call('POST /v1/destinations', meta);
  const stored = async () => {
    const { rows } = await service.db.query('select t::text as text from destinations t where account_id = $1', [
      account.uuid,
    ]);
    return rows.map(({ text }) => text).join();
  };
  assert.ok(!(await stored()).includes(Buffer.from('secret-access-token').toString('hex')));
  assert.ok(!(await stored()).includes('secret-access-token'));
  const changed = await call(`PATCH /v1/destinations/${created.id}`, { credentials: { accessToken: 'another-token' } });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.deepEqual(changed.body.connection, { pixelId: '123456' });
  assert.equal((await call(`PATCH /v1/destinations/${created.id}`, { credentials: { other: 'x' } })).status, 400);
  const { rows } = await service.db.query('select t::text as text from audit_log t where account_id = $1', [
    account.uuid,
  ]);
  const log = rows.map(({ text }) => text).join();
  assert.ok(log.includes('destination.credentials_changed'));
  assert.ok(!log.includes('secret-access-token') && !log.includes('another-token'));
});

test('whoever changes where secrets are sent has to send the secrets again', async () => {
  const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
  const stored = { url: 'https://ads.example/a', secret, authorization: 'Bearer of-ads-example' };
  const { body: created } = await call('POST /v1/destinations', { ...exampleOf('http'), credentials: stored });
  const patch = (credentials: object) => call(`PATCH /v1/destinations/${created.id}`, { credentials });
  const url = 'https://thief.example/a';
  const { status, body } = await patch({ url });
  assert.equal(status, 400);
  assert.deepEqual(
    body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
    [
      ['/credentials/secret', 'secret_required'],
      ['/credentials/authorization', 'secret_required'],
    ],
  );
  assert.equal((await patch({ url, secret })).body.code, 'secret_required');
  const { body: kept } = await call(`GET /v1/destinations/${created.id}`);
  assert.equal(kept.connection.url, stored.url);
  // The same URL, or something else, takes no secret.
  assert.equal((await patch({ url: stored.url, template: '{"id": "{{id}}"}' })).status, 200);
  const moved = await patch({ url, secret, authorization: '' });
  assert.equal(moved.status, 200, JSON.stringify(moved.body));
  assert.deepEqual(moved.body.connection, { url, template: '{"id": "{{id}}"}' });
  const preview = await call(`POST /v1/destinations/${created.id}/test`);
  assert.ok(!JSON.stringify(preview.body).includes('of-ads-example'));
});

test('a destination that was read can be sent back, and its platform stays', async () => {
  const { body: created } = await call('POST /v1/destinations', meta);
  const { body: read } = await call(`GET /v1/destinations/${created.id}`);
  const back = await call(`PATCH /v1/destinations/${created.id}`, read);
  assert.equal(back.status, 200, JSON.stringify(back.body));
  assert.deepEqual({ ...back.body, updatedAt: '' }, { ...created, updatedAt: '' });
  const moved = await call(`PATCH /v1/destinations/${created.id}`, { platform: 'x' });
  assert.deepEqual([moved.status, moved.body.code], [400, 'platform_immutable']);
  assert.equal((await call(`DELETE /v1/destinations/${created.id}`)).body.status, 'deleted');
  assert.equal((await call(`GET /v1/destinations/${created.id}`)).status, 404);
});
