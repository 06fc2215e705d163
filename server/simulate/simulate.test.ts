// Slow: clusters and reports are simulated over and over.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SHOPS, simulateAlerts } from './alerts.ts';
import { falseDecisions } from './experiments.ts';
import { needsOf } from './limits.ts';
import { balance, loadsOf, randomOf, type SimulatedAccount, zipfLoads } from './load.ts';
import { simulateForecasts } from './roas.ts';

test('few moves balance skewed accounts, and none makes a cell hotter than it must be', () => {
  const cells = ['a', 'b', 'c', 'd'];
  const loads = zipfLoads(2_000, 10_000, 1, randomOf(7));
  assert.ok(Math.abs(loads.reduce((sum, load) => sum + load, 0) - 10_000) < 1e-6);
  const accounts: SimulatedAccount[] = loads.map((load, i) => ({ id: String(i), cell: cells[i % 4] as string, load }));
  const spread = () => Math.max(...loadsOf(accounts, cells).values()) / 2_500;
  const before = spread();
  assert.ok(before > 1.1, 'it is skewed');
  const moves = balance(accounts, cells, 1.1);
  assert.ok(spread() <= 1.1 && moves.length > 0 && moves.length < 100, `${moves.length} moves, ${spread()}`);
  assert.equal(balance(accounts, cells, 1.1).length, 0);
});

test('an account that is larger than the mean stays alone', () => {
  const accounts = [1_000, 10, 10, 10].map((load, i) => ({ id: String(i), cell: 'a', load }));
  balance(accounts, ['a', 'b'], 1.1);
  assert.deepEqual(
    accounts.map(({ cell }) => cell),
    ['a', 'b', 'b', 'b'],
  );
});

test('what a load takes grows with it', () => {
  const [small, large] = [needsOf(1_000), needsOf(1_000_000)];
  assert.deepEqual([small.cells, small.processes], [1, 1]);
  assert.ok(large.cells > 1 && large.processes > large.cells / 10 && large.diskPerDay === 1_000 * small.diskPerDay);
});

// All scenarios are in `statistics.proof.test.ts`.
test('of 80 % intervals of expected revenue of a shop 78 to 90 % hold what came', () => {
  const { coverage, error, naiveError } = simulateForecasts('steady', 100, 10, 1);
  assert.ok(coverage >= 0.78 && coverage <= 0.9 && error < naiveError, `${coverage}, ${error}, ${naiveError}`);
});

test('of experiments without a difference at most 5 % are decided over all hourly looks', () => {
  const share = falseDecisions('none', 200, 2);
  assert.ok(share <= 0.05, `${share}`);
});

test('the alert on sales of yesterday raises at most one false alarm in a quarter, and sees a halving within a day', () => {
  for (const shop of SHOPS) {
    const results = Array.from({ length: 6 }, (_, seed) => simulateAlerts(shop, seed + 1));
    const alarms = results.map(({ falseAlarms }) => falseAlarms);
    assert.ok(Math.max(...alarms) <= 1, `${shop.name}: ${alarms}`);
    // With a dozen sales a day, half of them is no surprise.
    if (shop.salesPerDay < 60) continue;
    const seen = results.map(({ halvingSeenAfter }) => halvingSeenAfter);
    assert.ok(seen.filter((days) => days === 1).length >= 5, `${shop.name}: ${seen}`);
  }
});
