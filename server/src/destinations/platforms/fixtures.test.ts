/**
 * The requests of `docs/destinations/`: what each platform is sent for the same conversion, and for its change where the
 * platform takes one. After a change of a platform, `UPDATE_FIXTURES=1 npm test -- server/src/destinations/platforms` writes them.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CONNECTIONS } from '../test-support.ts';
import { signOAuth1 } from './oauth.ts';
import type { Action, HttpRequest, OutgoingEvent } from './platform.ts';
import { PLATFORM_IDS, type PlatformId, platformOf } from './registry.ts';

const FOLDER = join(import.meta.dirname, '../../../../docs/destinations');
const OCCURRED_AT = Date.parse('2026-11-20T08:00:00.000Z');

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/** Those that send to a URL of the account have no fake. */
const OWN = {
  http: { credentials: { url: 'https://ads.example/conversions', secret: SECRET }, target: 'purchase' },
  cdn: {
    credentials: { provider: 'purge', url: 'https://cache.example/', token: 'TOKEN' },
    target: 'ent_01ja2m9c3tfxk8n4r6w7y5z0ab',
  },
};
const connectionTo = (id: PlatformId) => ({ ...OWN, ...CONNECTIONS })[id];

function eventFor(id: PlatformId, action: Action): OutgoingEvent {
  const { clickIds, uses, normalizeEmail = (email: string) => email } = platformOf(id);
  const [name] = clickIds;
  return {
    conversionId: '019a9ec4-d0e0-7000-8000-000000000001',
    action,
    version: action === 'send' ? 1 : 2,
    wireId: 'order-1',
    target: connectionTo(id).target,
    event: 'order',
    value: action === 'send' ? '129.90' : '64.95',
    currency: 'EUR',
    occurredAt: OCCURRED_AT,
    adjustedAt: OCCURRED_AT + 86_400_000,
    clickId: name ? { name, value: 'EAIaIQ' } : { name: 'gclid', value: 'EAIaIQ' },
    clickedAt: OCCURRED_AT - 3_600_000,
    email: uses.email ? normalizeEmail('ada.lovelace@gmail.com') : null,
    address: uses.client ? '203.0.113.7' : null,
    userAgent: uses.client ? 'Mozilla/5.0' : null,
    url: 'https://shop.example/',
    country: 'DE',
    consent: { adStorage: 'granted', adUserData: 'granted', adPersonalization: 'denied' },
  };
}

function requestFor(id: PlatformId, action: Action): unknown {
  const platform = platformOf(id);
  const { credentials } = connectionTo(id);
  const context = { credentials, hosts: platform.hosts, version: platform.version, validates: false };
  const request = platform.build([eventFor(id, action)], { ...context, accessToken: 'ACCESS_TOKEN', now: OCCURRED_AT });
  return readable(request);
}

function readable({ method, url, headers, body }: HttpRequest) {
  const shown = { ...headers };
  // Differs each time, by its nonce.
  if (shown.authorization?.startsWith('OAuth '))
    shown.authorization = 'OAuth oauth_consumer_key="…", oauth_signature="…"';
  return { method, url, headers: shown, ...(body !== '' && { body: JSON.parse(body) }) };
}

for (const id of PLATFORM_IDS) {
  test(`${id}: the documented request is the one that is sent`, () => {
    const { adjustment } = platformOf(id);
    const fixture = {
      conversion: requestFor(id, 'send'),
      ...(adjustment !== 'none' && { adjustment: requestFor(id, 'adjust') }),
      ...(adjustment === 'restate' && { retraction: requestFor(id, 'retract') }),
    };
    const file = join(FOLDER, `${id}.json`);
    const text = `${JSON.stringify(fixture, null, 2)}\n`;
    if (process.env.UPDATE_FIXTURES) {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(file, text);
    }
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), JSON.parse(text));
  });
}

test('OAuth 1.0a signs as the example of its specification', () => {
  const header = signOAuth1(
    'GET',
    'http://photos.example.net/photos?file=vacation.jpg&size=original',
    {
      consumerKey: 'dpf43f3p2l4k3l03',
      consumerSecret: 'kd94hf93k423kf44',
      accessToken: 'nnch734d00sl2jdk',
      accessTokenSecret: 'pfkkdhi9sl3r4s00',
    },
    1_191_242_096_000,
    'kllo9940pd9333jh',
  );
  const signature = /oauth_signature="([^"]+)"/.exec(header)?.[1] ?? '';
  assert.equal(decodeURIComponent(signature), 'tR3+Ty81lMeYAr/Fid0kMTYa/WM=');
});

test('a credential that does not decide the host has no influence on it, whatever its value', () => {
  for (const id of PLATFORM_IDS) {
    const platform = platformOf(id);
    const examples = Object.entries(platform.credentials).map(([name, { example }]) => [name, example]);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const given: Record<string, string> = {
      ...Object.fromEntries(examples),
      secret: SECRET,
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
    const hostsWith = (credentials: Record<string, string>) => {
      const { hosts, version } = platform;
      const context = { credentials, hosts, version, validates: true, accessToken: 'T', now: OCCURRED_AT };
      const requests = [
        platform.build([eventFor(id, 'send')], context),
        platform.oauth?.request(context),
        platform.poll?.request('1', context),
        platform.probe?.(context),
      ];
      return requests.map((request) => request && new URL(request.url).host);
    };
    for (const [name, field] of Object.entries(platform.credentials)) {
      if (field.isSecret || field.decidesHost) continue;
      for (const value of [
        'thief.example',
        '@thief.example',
        '//thief.example/',
        'https://thief.example/',
        '.thief',
        '"//thief.example"',
      ]) {
        const changed = { ...given, [name]: value };
        if ((platform.checkCredentials?.(changed) ?? []).length > 0) continue;
        assert.deepEqual(hostsWith(changed), hostsWith(given), `${id} ${name}`);
      }
    }
  }
});
