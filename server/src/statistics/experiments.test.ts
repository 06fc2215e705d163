import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bucketOf, fnv1a32, variantOfBucket } from './buckets.ts';
import { compareArms, decideByLooks } from './compare-arms.ts';
import { criticalValue, DEFAULT_TUNING, sequentialPValue } from './confidence-sequence.ts';
import { logRatio, relativeDifference } from './effect.ts';
import { holmLevels } from './holm.ts';
import { logGamma, upperQuantile, upperTail } from './normal.ts';
import { fixedSize, sequentialSize } from './power.ts';
import { sampleRatio } from './sample-ratio.ts';

const close = (actual: number | null | undefined, expected: number, tolerance = 1e-6) =>
  assert.ok(
    actual != null && Math.abs(actual - expected) <= tolerance * Math.max(1, Math.abs(expected)),
    `${actual} is not ${expected}`,
  );

/** The arms of `growthbook/growthbook`, packages/stats/tests/frequentist/test_tests.py, TestSequentialTTest. */
const GROWTHBOOK = [
  { n: 3000, sum: 1396.87, sumOfSquares: 52377.9767 },
  { n: 3461, sum: 2422.7, sumOfSquares: 134698.29 },
];

describe('comparisons of arms', () => {
  test('equal the delta method and the confidence sequence that growthbook/growthbook publishes', () => {
    const [control, treatment] = GROWTHBOOK;
    assert.ok(control && treatment);
    close(relativeDifference(control, treatment)?.standardError, 0.3334122146400735);
    // The interval that its test publishes, with a tuning of 1,000, and that of its default.
    for (const [tuning, low, high, relativeLow, relativeHigh] of [
      [1_000, -0.17908917909394972, 0.6478425124272831, -0.5584405051077315, 1.5651626768202032],
      [DEFAULT_TUNING, -0.16011652842982782, 0.6288698617631612, -0.5097177608556427, 1.5164399325681144],
    ] as const) {
      const [comparison] = compareArms(GROWTHBOOK, { alpha: 0.05, tuning }, [1, 1]);
      close(comparison?.difference, 0.23437666666666668);
      close(comparison?.low, low);
      close(comparison?.high, high);
      close(comparison?.relative, 0.5033610858562358);
      close(comparison?.relativeLow, relativeLow);
      close(comparison?.relativeHigh, relativeHigh);
    }
  });

  test('have no interval while an arm shows no variance, and no lift over nothing', () => {
    const none = { n: 100, sum: 0, sumOfSquares: 0 };
    const sequence = { alpha: 0.05, tuning: 100 };
    const [unknown] = compareArms([none, { n: 100, sum: 50, sumOfSquares: 90 }], sequence, [1, 1]);
    assert.deepEqual([unknown?.low, unknown?.relative], [null, null]);
    const balanced = { n: 100, sum: 0, sumOfSquares: 10 };
    const [noLift] = compareArms([balanced, { n: 100, sum: 5, sumOfSquares: 10 }], sequence, [1, 1]);
    close(noLift?.difference, 0.05);
    assert.equal(noLift?.relative, null);
    assert.deepEqual(compareArms([{ n: 0, sum: 0, sumOfSquares: 0 }, balanced], sequence, [1, 1])[0]?.difference, null);
  });

  test('are decided as soon as the difference is, as the error of a ratio is estimated on the scale of logarithms', () => {
    // Katz et al. 1978: √((1 − p₁) / n₁p₁ + (1 − p₂) / n₂p₂) of 20 and 30 out of 100, with the unbiased variances of n − 1.
    const share = (count: number) => ({ n: 100, sum: count, sumOfSquares: count });
    close(logRatio(share(20), share(30))?.estimate, 0.4054651081081644);
    close(logRatio(share(20), share(30))?.standardError, Math.sqrt((0.7 / 30 + 0.8 / 20) * (100 / 99)));
    assert.equal(logRatio(share(20), { n: 100, sum: -1, sumOfSquares: 9 }), null);
    const arm = (mean: number) => ({ n: 1_000, sum: 1_000 * mean, sumOfSquares: 1_000 * (mean ** 2 + 1) });
    const sequence = { alpha: 0.05, tuning: 2_000, planned: 2_000 };
    const [decided] = decideByLooks([[arm(0.5), arm(0.616)]], sequence, [1, 1]);
    assert.equal(decided?.decision, 'better');
    assert.ok((decided?.relativeLow ?? 0) > 0);
    const [published] = compareArms([arm(0.5), arm(0.616)], sequence, [1, 1]);
    close(published?.relative, 0.232);
    assert.ok((published?.relativeLow ?? 0) < 0);
    const mirrored = decideByLooks([[arm(0.616), arm(0.5)]], sequence, [1, 1])[0];
    close(mirrored?.relativeLow, 1 / (1 + (decided?.relativeHigh ?? 0)) - 1);
  });

  test('stay decided after the look that decided, and leave out what any look has left out', () => {
    const arm = (n: number, mean: number) => ({ n, sum: n * mean, sumOfSquares: n * (mean * mean + 1) });
    const looks = [
      [arm(10, 1), arm(10, 1.1)],
      [arm(2_000, 1), arm(2_000, 1.2)],
      [arm(2_500, 1), arm(2_500, 1.08)],
    ];
    const sequence = { alpha: 0.05, tuning: 4_000, planned: 4_000 };
    const [comparison] = decideByLooks(looks, sequence, [1, 1]);
    assert.equal(comparison?.decision, 'better');
    assert.equal(comparison?.decidedAt, 1);
    assert.ok((comparison?.low ?? 0) > 0);
    const [undecided] = decideByLooks(looks.toSpliced(1, 1), sequence, [1, 1]);
    assert.equal(undecided?.decision, 'undecided');
    assert.equal(undecided?.decidedAt, null);
    const [worse] = decideByLooks([[arm(2_000, 1.2), arm(2_000, 1)]], sequence, [1, 1]);
    assert.equal(worse?.decision, 'worse');
  });
});

describe('confidence sequences', () => {
  test('have p-values that are their level at the border', () => {
    for (const sequence of [
      { alpha: 0.05, tuning: 5_000 },
      { alpha: 0.05, tuning: 5_000, planned: 5_000 },
    ]) {
      for (const n of [50, 1_000, 5_000, 5_001, 40_000]) {
        for (const level of [0.05, 0.0125]) {
          close(sequentialPValue(sequence, n, criticalValue(sequence, n, level)), level);
          close(sequentialPValue(sequence, n, -criticalValue(sequence, n, level)), level);
        }
      }
    }
  });

  test('are nearly as narrow at the planned size as the interval of a single look, and go on afterwards', () => {
    const sequence = { alpha: 0.05, tuning: 5_000, planned: 5_000 };
    assert.ok(criticalValue(sequence, 5_000, 0.05) < 2.33, 'that of a single look is 1.96');
    assert.ok(criticalValue({ alpha: 0.05, tuning: 5_000 }, 5_000, 0.05) > 3);
    assert.ok(criticalValue(sequence, 100, 0.05) > 6, 'the first visitors decide nothing');
    assert.ok(criticalValue(sequence, 500_000, 0.05) / Math.sqrt(500_000) < 0.006, 'the width goes to 0');
  });
});

describe('sample ratio', () => {
  test('equals the Bayes factors of optimizely/ssrm', () => {
    // ssrm_test/test_ssrm_test.py, test_regression: 10 visitors of its seed.
    close(sampleRatio([2, 1, 7], [0.1, 0.5, 0.4], 0.05).e, 1.0017496120131435, 1e-9);
    // By its sequential_posteriors, one look at the sums.
    close(sampleRatio([60, 63, 32], [0.4, 0.4, 0.2], 0.05).e, 0.9854631524400319);
    close(sampleRatio([3000, 3461], [0.5, 0.5], 0.05).e, 496.36445067695854);
    close(sampleRatio([500_000, 503_000], [1, 1], 0.05).e, 8.44178398299653);
    close(sampleRatio([88_518, 12_539, 13_001], [0.75, 0.125, 0.125], 0.05).e, 1.1387001137098934e85);
  });

  test('raises the alarm once the evidence reaches 1 / alpha', () => {
    assert.equal(sampleRatio([3000, 3461], [1, 1], 0.05).ok, false);
    assert.equal(sampleRatio([3000, 3461], [3000, 3461], 0.05).ok, true);
    assert.deepEqual(sampleRatio([0, 0], [1, 1], 0.05), { e: 1, ok: true });
    assert.equal(sampleRatio([1e9, 0], [1, 1], 0.05).ok, false);
  });
});

describe('buckets', () => {
  test("equal the hashes of version 2 in growthbook/growthbook, packages/sdk-js/test/cases.json, 'hash'", () => {
    for (const [seed, value, share] of [
      ['seed', 'a', 0.0505],
      ['seed', 'b', 0.2696],
      ['foo', 'ab', 0.2575],
      ['foo', 'def', 0.2019],
      ['89123klj', '8952klfjas09ujkasdf', 0.124],
      ['90850943850283058242805', '123', 0.7516],
      ['()**(%$##$%#$#', '___)((*":&', 0.0128],
    ] as const) {
      assert.equal(bucketOf(seed, value), Math.round(share * 10_000));
    }
    // The vectors of FNV-1a by Landon Curt Noll, as in `isthe/fnv`.
    assert.equal(fnv1a32(''), 0x811c9dc5);
    assert.equal(fnv1a32('a'), 0xe40c292c);
    assert.equal(fnv1a32('foobar'), 0xbf9cf968);
  });

  test("belong to the ranges of growthbook/growthbook, packages/sdk-js/test/cases.json, 'getBucketRange'", () => {
    for (const [weights, coverage, ranges] of [
      [
        [0.5, 0.5],
        1,
        [
          [0, 5000],
          [5000, 10_000],
        ],
      ],
      [
        [0.5, 0.5],
        0.5,
        [
          [0, 2500],
          [5000, 7500],
        ],
      ],
      [
        [0.2, 0.3, 0.5],
        0.2,
        [
          [0, 400],
          [2000, 2600],
          [5000, 6000],
        ],
      ],
      [
        [0.1, 0.2, 0.7],
        1,
        [
          [0, 1000],
          [1000, 3000],
          [3000, 10_000],
        ],
      ],
    ] as [number[], number, [number, number][]][]) {
      for (let bucket = 0; bucket < 10_000; bucket++) {
        const expected = ranges.findIndex(([start, end]) => bucket >= start && bucket < end);
        if (variantOfBucket(bucket, weights, coverage) !== expected) assert.fail(`${weights}: ${bucket}`);
      }
    }
    assert.equal(variantOfBucket(0, [0.5, 0.5], 0), -1);
  });
});

test('Holm levels are those of the step-down procedure', () => {
  // statsmodels/statsmodels, multipletests(method='holm'): these p-values reject the first three of 0.05.
  assert.deepEqual(holmLevels([0.01, 0.04, 0.012, 0.013], 0.05), [0.0125, 0.05, 0.05 / 3, 0.025]);
  assert.deepEqual(holmLevels([0.02, 0.03], 0.05), [0.025, 0.05]);
  assert.deepEqual(holmLevels([0.03, 0.03], 0.05), [0.025, 0.025]);
  assert.deepEqual(holmLevels([0.03], 0.05), [0.05]);
});

test('tails, quantiles and gamma functions equal those of scipy/scipy', () => {
  close(upperTail(0.5), 0.3085375387259869, 1e-14);
  close(upperTail(2.9), 0.0018658133003840378, 1e-14);
  assert.ok(Math.abs(upperTail(8) / 6.22096057427178e-16 - 1) < 1e-12);
  close(upperTail(-1), 0.8413447460685429, 1e-14);
  close(upperQuantile(0.025), 1.959963984540054, 1e-12);
  close(logGamma(0.1), 2.252712651734206, 1e-12);
  close(logGamma(1.5), -0.12078223763524522, 1e-12);
  close(logGamma(20), 39.339884187199495, 1e-12);
});

test('a planned size is that of a single look, and a little more for all looks', () => {
  // power of statsmodels/statsmodels, NormalIndPower: 2 × (1.959964 + 0.8416212)² / 0.1², of each arm.
  const baseline = { mean: 1, variance: 1, weights: [0.5, 0.5] as const };
  assert.equal(fixedSize(baseline, 0.1, 0.05, 0.8), 3_140);
  const all = sequentialSize(baseline, 0.1, 0.05, 0.8);
  assert.ok(all > 3_140 && all < 3_140 * 1.2, `${all}`);
});
