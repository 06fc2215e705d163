import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { verifyWebhook, type WebhookMessage, WebhookVerificationError } from '@headwater/sdk';
import { Webhook } from 'standardwebhooks';

const NOW = Date.parse('2026-11-20T08:00:00Z');
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const BODY = JSON.stringify({
  id: 'msg_1',
  type: 'conversion.reported',
  timestamp: '2026-11-20T08:00:00.000Z',
  data: { id: 'cnv_1', value: '9.90', sequence: 1, note: 'Füße' },
});
const headersOf = (signatures: string, at = NOW) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(at / 1_000),
  'webhook-signature': signatures,
});
const hmac = (secret: string, body = BODY, at = NOW) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`msg_1.${at / 1_000}.${body}`)
    .digest('base64')}`;

test('a message is verified as Standard Webhooks says, from text or bytes, and Headers or an object', async () => {
  assert.equal(new Webhook(SECRET).sign('msg_1', new Date(NOW), BODY), hmac(SECRET));
  const sent = headersOf(`v1,AAAA v1a,AAAA ${hmac(SECRET)}`);
  for (const body of [BODY, new TextEncoder().encode(BODY)]) {
    for (const headers of [sent, new Headers(sent)]) {
      assert.deepEqual(await verifyWebhook(body, headers, SECRET, { now: NOW }), JSON.parse(BODY));
    }
  }
  const rotated = [`whsec_${Buffer.alloc(32, 8).toString('base64')}`, SECRET];
  assert.equal((await verifyWebhook(BODY, sent, rotated, { now: NOW })).id, 'msg_1');
});

test('the type of a message tells what its data is', async () => {
  const message: WebhookMessage = await verifyWebhook(BODY, headersOf(hmac(SECRET)), SECRET, { now: NOW });
  switch (message.type) {
    case 'conversion.reported': {
      const value: string | null = message.data.value;
      assert.equal(value, '9.90');
      break;
    }
    case 'lead.created':
      assert.fail(message.data.email);
      break;
    default:
      assert.fail(message.type);
  }
});

test('a message is verified by a public key', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
  const signature = sign(null, Buffer.from(`msg_1.${NOW / 1_000}.${BODY}`), privateKey).toString('base64');
  const headers = headersOf(`${hmac(SECRET)} v1a,${signature}`);
  assert.equal((await verifyWebhook(BODY, headers, `whpk_${raw}`, { now: NOW })).id, 'msg_1');
  await assert.rejects(verifyWebhook(`${BODY} `, headers, `whpk_${raw}`, { now: NOW }), WebhookVerificationError);
});

test('a message of somebody else, another one, an old one and one without headers are refused', async () => {
  const good = headersOf(hmac(SECRET));
  const refused = (body: string, headers: Parameters<typeof verifyWebhook>[1], now = NOW) =>
    assert.rejects(verifyWebhook(body, headers, SECRET, { now }), WebhookVerificationError);
  await refused(BODY.replace('9.90', '9.91'), good);
  await refused(BODY, headersOf(hmac(`whsec_${Buffer.alloc(32, 8).toString('base64')}`)));
  await refused(BODY, headersOf('v1,'));
  await refused(BODY, headersOf(hmac(SECRET).replace('v1,', 'v2,')));
  await refused(BODY, { ...good, 'webhook-id': 'msg_2' });
  await refused(BODY, good, NOW + 300_001);
  await refused(BODY, good, NOW - 300_001);
  for (const name of Object.keys(good)) await refused(BODY, { ...good, [name]: undefined });
  await refused(BODY, { ...good, 'webhook-timestamp': 'now' });
  await assert.rejects(verifyWebhook(BODY, good, 'secret', { now: NOW }), TypeError);
  assert.equal((await verifyWebhook(BODY, good, SECRET, { now: NOW + 299_000 })).id, 'msg_1');
});
