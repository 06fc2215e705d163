import assert from 'node:assert/strict';
import { type Account, type TestService, testService } from '../../test/harness.ts';
import { type FakePlatform, startPlatform } from '../../test/platforms/fake.ts';
import { type FakeName, RULES, TOKEN } from '../../test/platforms/fakes.ts';
import { until } from '../../test/until.ts';
import type { Worker } from '../shared/deps.ts';

/** Credentials that the fake platforms accept, a target, and the click id that each uses. */
export const CONNECTIONS: Record<FakeName, { credentials: Record<string, string>; target: string; clickId: string }> = {
  google: {
    credentials: {
      customerId: '1234567890',
      clientId: 'client',
      clientSecret: 'fake-client-secret',
      refreshToken: 'fake-refresh-token',
    },
    target: '987654321',
    clickId: 'gclid',
  },
  meta: { credentials: { pixelId: '123456', accessToken: TOKEN }, target: 'Purchase', clickId: 'fbclid' },
  microsoft: {
    credentials: {
      clientId: 'client',
      refreshToken: 'fake-refresh-token',
      developerToken: 'fake-developer-token',
      customerId: '11',
      accountId: '22',
    },
    target: 'Purchase',
    clickId: 'msclkid',
  },
  tiktok: { credentials: { pixelId: 'C4A1B2', accessToken: TOKEN }, target: 'Purchase', clickId: 'ttclid' },
  linkedin: { credentials: { accessToken: TOKEN }, target: '104012', clickId: 'li_fat_id' },
  pinterest: { credentials: { adAccountId: '5497', accessToken: TOKEN }, target: 'checkout', clickId: 'epik' },
  snapchat: { credentials: { pixelId: 'ab-12', accessToken: TOKEN }, target: 'PURCHASE', clickId: 'sclid' },
  reddit: { credentials: { pixelId: 't2_abc', accessToken: TOKEN }, target: 'PURCHASE', clickId: 'rdt_cid' },
  x: {
    credentials: {
      pixelId: 'o8z6j',
      consumerKey: 'key',
      consumerSecret: 'fake-consumer-secret',
      accessToken: 'fake-user-token',
      accessTokenSecret: 'fake-token-secret',
    },
    target: 'tw-o8z6j-o8z21',
    clickId: 'twclid',
  },
  taboola: { credentials: { accountId: '1234567' }, target: 'make_purchase', clickId: 'tblci' },
  outbrain: { credentials: {}, target: 'Purchase', clickId: 'ob_click_id' },
  applovin: { credentials: { pixelId: '0a-1b', apiKey: TOKEN }, target: 'generate_lead', clickId: 'aleid' },
  openai: { credentials: { pixelId: '1345', apiKey: TOKEN }, target: 'order_created', clickId: 'oppref' },
  amazon: {
    credentials: {
      clientId: 'client',
      clientSecret: 'fake-client-secret',
      refreshToken: 'fake-refresh-token',
      region: 'EU',
      advertiserId: '5772',
      countryCode: 'DE',
    },
    target: 'OFF_AMAZON_PURCHASES',
    // It has none of its own.
    clickId: 'gclid',
  },
};

export const FAKE_NAMES = Object.keys(CONNECTIONS) as FakeName[];

interface SendingService extends TestService {
  platforms: Record<FakeName, FakePlatform>;
  /** Moves the service's clock, and lets the worker run. */
  pass(ms: number): void;
}

/** A service with running workers, whose platforms are fakes. They share its clock. */
export async function sendingService(
  env: Record<string, string> = {},
  runs: (worker: Worker) => boolean = () => true,
): Promise<SendingService> {
  const clock = { now: Date.now() };
  const started = await Promise.all(
    FAKE_NAMES.map(async (name) => [name, await startPlatform(RULES[name](), () => clock.now)] as const),
  );
  const urls = started.map(([name, { url }]) => [`DESTINATION_${name.toUpperCase()}_URL`, url]);
  const service = await testService({ ...Object.fromEntries(urls), ...env });
  service.clock.now = clock.now;
  for (const worker of service.workers.filter(runs)) worker.start();
  return {
    ...service,
    platforms: Object.fromEntries(started) as Record<FakeName, FakePlatform>,
    pass(ms) {
      clock.now += ms;
      service.clock.now = clock.now;
    },
  };
}

export async function newDestination(
  service: TestService,
  as: Account,
  name: FakeName,
  more: Record<string, unknown> = {},
): Promise<string> {
  const { credentials, target } = CONNECTIONS[name];
  const mapping = [{ event: '*', target, currency: 'EUR' }];
  const body = { platform: name, name, credentials, mapping, consent: 'unless_denied', mode: 'live', ...more };
  const response = await service.call('POST /v1/destinations', { as, body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body.id;
}

/** A visitor with a click id and, from a later visit, an email. Returns the session's hash. */
export async function visit(
  service: TestService,
  { apiKey: api_key }: Account,
  clickId: string,
  value: string,
  { email, ...more }: { email?: string; consent?: unknown } = {},
): Promise<string> {
  const headers = { origin: 'https://shop.example', 'user-agent': 'Mozilla/5.0 (Test)' };
  const body = { api_key, url: `https://shop.example/?${clickId}=${value}`, visitorId: `v-${value}`, ...more };
  const { sessionHash } = (await service.call('POST /v1/visits', { body, headers })).body;
  if (email !== undefined) {
    const properties = { email, sessionHash };
    await service.call('POST /v1/events', { body: { api_key, event: 'signup', properties }, headers });
  }
  return sessionHash;
}

export async function report(service: TestService, as: Account, item: Record<string, unknown>): Promise<string> {
  const { body } = await service.call('POST /v1/analytics/report-conversion', { as, body: item });
  assert.equal(body.status, 'reported', JSON.stringify(body));
  return body._id;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape
export type Delivery = any;

/** What became of a conversion at its only destination. */
export async function deliveryOf(service: TestService, as: Account, conversionId: string): Promise<Delivery> {
  const { body } = await service.call(`GET /v1/conversions/${conversionId}/deliveries`, { as });
  return body.deliveries[0];
}

/** Waits until nothing of the conversion is queued any more. Returns what became of it. */
export async function decidedDelivery(service: TestService, as: Account, conversionId: string): Promise<Delivery> {
  let delivery: Delivery;
  await until(async () => {
    delivery = await deliveryOf(service, as, conversionId);
    return delivery !== undefined && delivery.nextAttemptAt === null;
  });
  return delivery;
}
