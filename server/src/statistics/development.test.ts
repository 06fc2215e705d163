import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chainLadder, type Triangle } from './chain-ladder.ts';
import {
  addOrigins,
  credibleDevelopments,
  developmentOf,
  forecast,
  lognormalInterval,
  normalQuantile,
  noSteps,
  sumSteps,
} from './development.ts';

const TRIANGLE: Triangle = [[100, 150, 170, 175], [110, 160, 190], [90, 150], [120]];

const incrementsOf = (cells: readonly (number | null)[]) =>
  cells.flatMap((cell, age): [number, number][] =>
    cell === null ? [] : [[age, cell - (age === 0 ? 0 : (cells[age - 1] ?? 0))]],
  );

function stepsOf(triangle: Triangle) {
  const steps = noSteps(3);
  for (const cells of triangle) addOrigins(steps, [{ increments: incrementsOf(cells), known: cells.length - 1 }]);
  return steps;
}

const close = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)), `${actual} is not ${expected}`);

describe('development of sparse cohorts', () => {
  test('factors, reserve and total error are those of the chain ladder of the same triangle and variances', () => {
    const classic = chainLadder(TRIANGLE);
    const development = developmentOf(stepsOf(TRIANGLE));
    for (const [k, factor] of development.factors.entries()) close(factor, classic.factors[k] ?? 0);
    classic.sigmaSquared.forEach((variance, k) => {
      development.variances[k] = variance;
      development.errors[k] = variance / (classic.volumes[k] ?? 1);
    });
    const amounts = new Map(TRIANGLE.map((cells) => [cells.length - 1, cells.at(-1) ?? 0]));
    const { reserve, standardError } = forecast(development, amounts);
    close(reserve, classic.total.reserve);
    close(standardError, classic.total.standardError);
  });

  test('a cohort whose step is half over is between one at its start and one at its end', () => {
    const development = developmentOf(stepsOf(TRIANGLE));
    const at = (age: number) => forecast(development, new Map([[age, 100]]));
    assert.ok(at(0.5).reserve < at(0).reserve && at(0.5).reserve > at(1).reserve);
    assert.ok(at(0.5).standardError < at(0).standardError && at(0.5).standardError > at(1).standardError);
    assert.deepEqual(at(3), { reserve: 0, standardError: 0 });
    assert.deepEqual(at(99), { reserve: 0, standardError: 0 });
  });

  test('a key with little revenue borrows the factors of its group, one with much has its own', () => {
    const slow = stepsOf([
      [1e6, 3e6, 3.1e6, 3.1e6],
      [1e6, 2.9e6, 3e6],
    ]);
    const fast = stepsOf([
      [1e6, 1.1e6, 1.1e6, 1.1e6],
      [1e6, 1.12e6, 1.12e6],
    ]);
    const tiny = stepsOf([
      [1, 1, 1, 1],
      [1, 9, 9],
    ]);
    const group = developmentOf(sumSteps([slow, fast, tiny], 3));
    const [ofSlow, ofFast, ofTiny] = credibleDevelopments([slow, fast, tiny], group);
    assert.ok((ofSlow?.factors[0] ?? 0) > 2.9 && (ofFast?.factors[0] ?? 0) < 1.15);
    assert.ok(Math.abs((ofTiny?.factors[0] ?? 0) - (group.factors[0] ?? 0)) < 0.1);
    assert.ok((ofTiny?.weights[0] ?? 1) < 0.01 && (ofSlow?.weights[0] ?? 0) > 0.95);
    // What is borrowed is less certain than what is known.
    assert.ok((ofTiny?.errors[0] ?? 0) > (ofSlow?.errors[0] ?? 0));
  });

  test('keys that do not differ have the factors of their group', () => {
    const one = stepsOf([
      [100, 150, 170, 170],
      [100, 150, 170],
    ]);
    const group = developmentOf(sumSteps([one, one], 3));
    for (const { factors, weights } of credibleDevelopments([one, one], group)) {
      assert.deepEqual([...factors], [...group.factors]);
      assert.deepEqual([...weights], [0, 0, 0]);
    }
  });

  test('refunds lower what is expected, and cohorts without revenue add nothing', () => {
    const steps = noSteps(2);
    addOrigins(steps, [
      {
        increments: [
          [0, 100],
          [2, -50],
        ],
        known: 2,
      },
    ]);
    addOrigins(steps, [{ increments: [[1, 10]], known: 2 }]);
    addOrigins(steps, [{ increments: [], known: 2 }]);
    const development = developmentOf(steps);
    close(development.factors[0] ?? 0, 1.1);
    close(development.factors[1] ?? 0, 60 / 110);
    assert.ok(forecast(development, new Map([[0, 100]])).reserve < 0);
    assert.deepEqual(forecast(development, new Map([[0, 0]])), { reserve: 0, standardError: 0 });
  });

  test('days of one block are one residual, and a day that does not know an age does not count for it', () => {
    const [together, apart] = [noSteps(2), noSteps(2)];
    const origins = [
      { increments: [[0, 100] as const, [1, 50] as const], known: 1 },
      { increments: [[0, 100] as const, [1, 70] as const, [2, 9] as const], known: 2 },
      { increments: [[0, 999] as const], known: 0 },
    ];
    addOrigins(together, origins);
    for (const origin of origins) addOrigins(apart, [origin]);
    assert.deepEqual([...together.volumes], [200, 170]);
    assert.deepEqual([...together.later], [...apart.later]);
    assert.deepEqual([together.squares[0], apart.squares[0]], [40_000, 20_000]);
  });

  test('a lognormal interval has the quantiles of its distribution', () => {
    assert.ok(Math.abs(normalQuantile(0.9) - 1.2815516) < 1e-5 && Math.abs(normalQuantile(0.025) + 1.959964) < 1e-5);
    const [low, high] = lognormalInterval(100, 20, 0.8);
    assert.ok(low > 70 && low < 100 && high > 100 && high < 130 && high - 100 > 100 - low - 5);
    assert.deepEqual(lognormalInterval(100, 0, 0.8).map(Math.round), [100, 100]);
    assert.ok((lognormalInterval(-5, 1, 0.8)[0] ?? 0) < -5);
  });
});
