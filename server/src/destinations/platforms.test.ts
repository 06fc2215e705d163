/** Every platform: a conversion, its changes, refusals, repetitions and credentials, over real sockets. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { until } from '../../test/until.ts';
import { platformOf } from './platforms/registry.ts';
import {
  CONNECTIONS,
  decidedDelivery,
  deliveryOf,
  FAKE_NAMES,
  newDestination,
  report,
  sendingService,
  visit,
} from './test-support.ts';

const service = await sendingService();

// Google answers later, and retries wait.
const ticking = setInterval(() => service.pass(60_000), 50);
after(() => clearInterval(ticking));

describe('every platform', { concurrency: true }, () => {
  for (const name of FAKE_NAMES) {
    const platform = platformOf(name);
    const { clickId } = CONNECTIONS[name];

    test(`${name}: a conversion is counted once, and a change reaches it as the platform allows`, async () => {
      const fake = service.platforms[name];
      const account = await service.newAccount();
      const id = await newDestination(service, account, name);
      await visit(service, account, clickId, `${name}-1`, { email: 'Ada.Lovelace+x@gmail.com' });
      const item = { [clickId]: `${name}-1`, eventId: `order-${name}`, currency: 'EUR' };
      const conversionId = await report(service, account, { ...item, value: 129.9 });
      const sent = await decidedDelivery(service, account, conversionId);
      assert.deepEqual([sent.status, sent.value, sent.currency, sent.reason], ['sent', '129.9', 'EUR', null]);
      const counted = fake.ledger.filter(({ value }) => value === 129.9);
      assert.equal(counted.length, 1);
      assert.equal(counted[0]?.currency, 'EUR');

      await report(service, account, { ...item, value: 50 });
      await until(async () => (await decidedDelivery(service, account, conversionId)).version === 2);
      const changed = await deliveryOf(service, account, conversionId);
      if (platform.adjustment === 'none') {
        assert.deepEqual([changed.status, changed.reason], ['not_adjustable', 'platform_cannot_adjust']);
        assert.equal(changed.value, '129.9');
        assert.equal(counted[0]?.value, 129.9);
      } else {
        assert.deepEqual([changed.status, changed.value], ['adjusted', '50']);
        assert.equal(counted[0]?.value, 50);
        await report(service, account, { ...item, value: 0 });
        await until(async () => (await decidedDelivery(service, account, conversionId)).version === 3);
        const { status } = await deliveryOf(service, account, conversionId);
        assert.equal(status, platform.adjustment === 'restate' ? 'retracted' : 'adjusted');
        assert.ok(counted.every(({ isRetracted, value }) => isRetracted || value === 0));
      }
      assert.equal(changed.attempts.length, 2);
      const { body } = await service.call(`GET /v1/destinations/${id}`, { as: account });
      assert.equal(
        Object.values(body.counts as Record<string, number>).reduce((a, b) => a + b),
        1,
      );
      assert.equal(body.failingSince, null);
    });
  }
});

describe('every platform under faults', { concurrency: true }, () => {
  for (const name of FAKE_NAMES) {
    const platform = platformOf(name);
    const { clickId } = CONNECTIONS[name];

    test(`${name}: what is lost is repeated without being counted twice, or uncertain`, async () => {
      const fake = service.platforms[name];
      const account = await service.newAccount();
      await newDestination(service, account, name);
      await visit(service, account, clickId, `${name}-2`, { email: 'ada@shop.example' });
      const before = fake.ledger.length;
      fake.faults.push('lost answer', 'throttled', 'failure after processing', 'reset');
      const conversionId = await report(service, account, {
        [clickId]: `${name}-2`,
        eventId: `lost-${name}`,
        value: 7,
      });
      const { status, reason } = await decidedDelivery(service, account, conversionId);
      fake.faults.length = 0;
      if (platform.dedupeHours === 0) assert.deepEqual([status, reason], ['uncertain', 'answer_lost']);
      else assert.equal(status, 'sent');
      assert.equal(fake.ledger.length, before + 1);
    });
  }
});
