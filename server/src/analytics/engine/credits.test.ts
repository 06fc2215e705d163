import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MODELS, sharesOf } from './attribution-models.ts';
import { Credits, parseAmount } from './credits.ts';

test('shares of amounts are exact at any size and rounded once', () => {
  const credits = new Credits();
  const amounts = ['123456789012345678.91', '-0.00001', '0.00001', '10.01', '-20.02', '0'];
  for (const amount of amounts) {
    const shares = sharesOf([300, 200, 100]);
    for (const i of [0, 1, 2]) credits.add(i, 'EUR', parseAmount(amount), shares, i);
  }
  credits.add(0, null, null, sharesOf([0]), 0);
  const revenueOf = (value: number, model: (typeof MODELS)[number], currency: string | null = 'EUR') =>
    credits
      .result()
      .get(value)
      ?.find((each) => each.currency === currency)?.shares[model].revenue;
  assert.equal(revenueOf(0, 'first'), '123456789012345668.9000');
  assert.equal(revenueOf(1, 'first'), '0.0000');
  assert.equal(revenueOf(2, 'last'), '123456789012345668.9000');
  assert.equal(revenueOf(0, 'first', null), null);
});

test('the shares of each model add up to 1 for any number of sessions', () => {
  for (const before of [[0], [9, 3], [900_000, 5, -3], Array.from({ length: 100 }, (_, i) => 1e9 - i)]) {
    const shares = sharesOf(before);
    for (const model of MODELS) {
      const sum = shares[model].reduce((a, b) => a + b, 0);
      assert.ok(Math.abs(sum - 1) < 1e-9, `${model} of ${before.length}: ${sum}`);
      assert.equal(shares[model].length, before.length);
    }
  }
});
