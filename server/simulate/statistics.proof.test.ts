// Slow: thousands of simulated shops and experiments, whose statistics hold for all of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCENARIOS as EXPERIMENTS, type Scenario as Experiment, falseDecisions, powerOf } from './experiments.ts';
import { SCENARIOS, type Scenario, simulateForecasts } from './roas.ts';

test('of 80 % intervals of expected revenue 78 to 90 % hold what came, whatever the shop', () => {
  for (const scenario of Object.keys(SCENARIOS) as Scenario[]) {
    for (const sales of [400, 100, 20]) {
      const { coverage, error, naiveError, byAge } = simulateForecasts(scenario, sales, 10, 1);
      assert.ok(coverage >= 0.78 && coverage <= 0.9, `${scenario}, ${sales} a week: ${coverage}`);
      assert.ok(error < naiveError, `${scenario}, ${sales} a week: errors of ${error} and ${naiveError}`);
      if (sales === 400) assert.ok((byAge[0]?.ratio ?? 1) < 0.5, `${scenario}: ${byAge[0]?.ratio}`);
    }
  }
});

test('of experiments without a difference at most 5 % are decided over all hourly looks, and those with one nearly as often as by a single look', () => {
  for (const scenario of Object.keys(EXPERIMENTS) as Experiment[]) {
    // With 400, a true share of 4 % is often found to be above 5 %.
    const share = falseDecisions(scenario, 3_000, 2);
    assert.ok(share <= 0.05, `${scenario}: ${share}`);
  }
  const { low, ratio, high } = powerOf(1_000, 1);
  assert.ok(low >= 0.8, `${ratio} (${low} to ${high})`);
});
