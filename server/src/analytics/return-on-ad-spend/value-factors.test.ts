import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../../test/harness.ts';
import { newUuid } from '../../shared/ids.ts';
import { randomFrom } from '../test-traffic.ts';
import { readValueFactors } from './value-factors.ts';

const service = await testService();
const DAY = 86_400_000;
const NOW = Date.parse('2026-03-01T06:00:00Z');
const SETTINGS = { timeZone: 'UTC', currency: 'EUR', exchangeRates: {} };

/** Refunds and restatements of the sales of a day, by age: `refunds` of them are taken back, most of them within two weeks. */
function* reports(sales: number, refunds: number, chance: (share: number) => boolean) {
  yield { age: 0, value: sales * 50 };
  for (let age = 1; age < 60; age++) {
    const share = (refunds * 0.12 * 0.88 ** (age - 1)) / (1 - 0.88 ** 59);
    let taken = 0;
    for (let i = 0; i < sales; i++) if (chance(share)) taken++;
    if (taken > 0) yield { age, value: -50 * taken };
  }
}

test('values that are sent at once, scaled, add up to what the sales are worth in the end within 2 %, by source and whatever was refunded', async () => {
  const account = await service.newAccount();
  const { chance } = randomFrom(5);
  const shops = [
    { source: 'google', sales: 120, refunds: 0.08 },
    { source: 'facebook', sales: 60, refunds: 0.35 },
  ];
  const rows: [string, string, Date, Date, number, string][] = [];
  const truth = new Map<string, { sent: number; worth: number }>();
  for (const { source, sales, refunds } of shops) {
    for (let day = 239; day >= 1; day--) {
      const soldAt = NOW - day * DAY;
      let worth = 0;
      for (const { age, value } of reports(sales, refunds, chance)) {
        worth += value;
        const knownAt = soldAt + age * DAY;
        if (knownAt <= NOW)
          rows.push([account.uuid, newUuid(soldAt), new Date(knownAt), new Date(soldAt), value, source]);
      }
      // Of the latest month, which is not of full age.
      const sum = truth.get(source) ?? { sent: 0, worth: 0 };
      if (day <= 30) truth.set(source, { sent: sum.sent + sales * 50, worth: sum.worth + worth });
    }
  }
  await service.db.query(
    `insert into analytics_increments (account_id, conversion_id, number, known_at, sale_at, value, currency, conversions, is_refund, is_bot, is_internal, source)
     select a, c, 1, k, s, v, 'EUR', 1, false, false, false, o from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::numeric[], $6::text[]) u (a, c, k, s, v, o)`,
    [0, 1, 2, 3, 4, 5].map((i) => rows.map((row) => row[i])),
  );
  const factorOf = await readValueFactors(service.db, account.uuid, SETTINGS, NOW);
  let [sent, worth, unscaled] = [0, 0, 0];
  for (const [source, sum] of truth) {
    const factor = factorOf(source, 0) ?? 1;
    assert.ok(Math.abs((sum.sent * factor) / sum.worth - 1) < 0.02, `${source}: ${sum.sent * factor} for ${sum.worth}`);
    [sent, worth, unscaled] = [sent + sum.sent * factor, worth + sum.worth, unscaled + sum.sent];
  }
  assert.ok(Math.abs(sent / worth - 1) < 0.02);
  assert.ok(unscaled / worth > 1.15, 'without scaling, bids are too high');
  // A source without history has the factor of the account; what is of full age is what it is.
  assert.ok((factorOf('tiktok', 0) ?? 1) < 0.9);
  assert.equal(factorOf('google', 60), 1);
});

test('before three ages are known, nothing is scaled', async () => {
  const account = await service.newAccount();
  const factorOf = await readValueFactors(service.db, account.uuid, SETTINGS, NOW);
  assert.equal(factorOf('google', 0), undefined);
});
