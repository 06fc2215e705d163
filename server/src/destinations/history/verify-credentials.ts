import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '../../shared/postgres/database.ts';
import { MINUTE } from '../../shared/units.ts';
import { type PlatformClient, storable, verdictOf } from '../delivery/client.ts';
import type { TestResult } from '../delivery-contract.ts';
import { requireDestination } from '../manage/serialize.ts';
import { canValidate, type OutgoingEvent } from '../platforms/platform.ts';
import { readStatus } from '../platforms/read-status.ts';
import { platformOf } from '../platforms/registry.ts';

/** A click id and an email that no platform knows. */
function sample(target: string, event: string, clickId: OutgoingEvent['clickId'], now: number): OutgoingEvent {
  return {
    conversionId: '00000000-0000-7000-8000-000000000000',
    action: 'send',
    version: 1,
    wireId: `headwater-test-${now}`,
    target,
    event,
    value: '1',
    currency: 'USD',
    occurredAt: now - MINUTE,
    adjustedAt: now,
    clickId,
    clickedAt: now - 120_000,
    email: 'test@example.com',
    address: null,
    userAgent: 'Mozilla/5.0 (Headwater test)',
    url: null,
    country: null,
    consent: { adStorage: 'granted', adUserData: 'granted', adPersonalization: null },
  };
}

/** For how long somebody waits for a result. */
const LIMIT_MS = 8_000;

/**
 * Tests the credentials without a conversion being counted: by a request that only reads, by a validation, by obtaining an
 * access token, or by a test request to the HTTP destination. @throws 404
 */
export async function testDestination(
  tx: Tx,
  client: PlatformClient,
  accountId: string,
  destinationId: string,
  now: number,
): Promise<TestResult> {
  const destination = await requireDestination(tx, accountId, destinationId);
  const platform = platformOf(destination.platform);
  const context = await client.context(tx, destination, true);
  const [rule] = destination.mapping;
  const [name] = platform.clickIds;
  const clickId = name ? { name, value: `headwater-test-${now}` } : null;
  const event = sample(rule?.target ?? 'headwater-test', rule?.event ?? '', clickId, now);
  const validates = canValidate(platform, context.credentials);
  const test = await Promise.race([send(), timeLimit()]);
  if (test === undefined) {
    const detail = `${platform.name} has no request that tests credentials. Send a conversion, and look at the log.`;
    return { success: true, status: null, detail, response: null };
  }
  const { outcome, verdict } = test;
  const shorten = (text: string) => storable(destination.platform, context.credentials, [event], text);
  // A validation may refuse the sample, whose click id does not exist; then it accepted the credentials.
  const isSampleRefused = validates && (verdict.type === 'culprits' || verdict.type === 'refused');
  const success = verdict.type === 'accepted' || verdict.type === 'pending' || isSampleRefused;
  const message = 'message' in verdict ? shorten(verdict.message ?? '').slice(0, 200) : '';
  const refusal = `${platform.name} refused the test: ${message || verdict.type}`;
  const detail = success ? `${platform.name} accepts the credentials.` : refusal;
  return { success, status: outcome.status, detail, response: shorten(outcome.response ?? '') || null };

  async function timeLimit(): Promise<NonNullable<Awaited<ReturnType<typeof send>>>> {
    await sleep(LIMIT_MS, undefined, { ref: false });
    const outcome = { status: null, error: 'timeout', response: null, ms: LIMIT_MS, retryAfter: undefined };
    return { outcome, verdict: readStatus(outcome) };
  }

  async function send() {
    if (validates || destination.platform === 'http' || platform.purges) {
      const outcome = await client.send(destination, platform, context, (context) => platform.build([event], context));
      return { outcome, verdict: verdictOf(platform, outcome, [event], context) };
    }
    const { probe } = platform;
    if (probe !== undefined) {
      const outcome = await client.send(destination, platform, context, probe);
      return { outcome, verdict: readStatus(outcome) };
    }
    if (platform.oauth?.request(context) === undefined) return undefined;
    const outcome = await client.obtainToken(destination, platform, context);
    return { outcome, verdict: readStatus(outcome) };
  }
}
