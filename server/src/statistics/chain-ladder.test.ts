import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chainLadder, checkTriangle, type Triangle } from './chain-ladder.ts';

/** Taylor and Ashe (1983), which Mack (1993) analyzes first. */
const TAYLOR_ASHE: Triangle = [
  [357848, 1124788, 1735330, 2218270, 2745596, 3319994, 3466336, 3606286, 3833515, 3901463],
  [352118, 1236139, 2170033, 3353322, 3799067, 4120063, 4647867, 4914039, 5339085, null],
  [290507, 1292306, 2218525, 3235179, 3985995, 4132918, 4628910, 4909315, null, null],
  [310608, 1418858, 2195047, 3757447, 4029929, 4381982, 4588268, null, null, null],
  [443160, 1136350, 2128333, 2897821, 3402672, 3873311, null, null, null, null],
  [396132, 1333217, 2180715, 2985752, 3691712, null, null, null, null, null],
  [440832, 1288463, 2419861, 3483130, null, null, null, null, null, null],
  [359480, 1421128, 2864498, null, null, null, null, null, null, null],
  [376686, 1363294, null, null, null, null, null, null, null, null],
  [344014, null, null, null, null, null, null, null, null, null],
];

/** Mortgage guarantee business, the second example of Mack (1993). */
const MORTGAGE: Triangle = [
  [58046, 127970, 476599, 1027692, 1360489, 1647310, 1819179, 1906852, 1950105],
  [24492, 141767, 984288, 2142656, 2961978, 3683940, 4048898, 4115760],
  [32848, 274682, 1522637, 3203427, 4445927, 5158781, 5342585],
  [21439, 529828, 2900301, 4999019, 6460112, 6853904],
  [40397, 763394, 2920745, 4989572, 5648563],
  [90748, 951994, 4210640, 5866482],
  [62096, 868480, 1954797],
  [24983, 284441],
  [13121],
];

/** Reinsurance Association of America, the example of Mack (1994), "Measuring the variability of chain ladder reserve estimates". */
const RAA: Triangle = [
  [5012, 8269, 10907, 11805, 13539, 16181, 18009, 18608, 18662, 18834],
  [106, 4285, 5396, 10666, 13782, 15599, 15496, 16169, 16704],
  [3410, 8992, 13873, 16141, 18735, 22214, 22863, 23466],
  [5655, 11555, 15766, 21266, 23425, 26083, 27067],
  [1092, 9565, 15836, 22169, 25955, 26180],
  [1513, 6445, 11702, 12935, 15852],
  [557, 4020, 10946, 12314],
  [1351, 6947, 13112],
  [3133, 5395],
  [2063],
];

const rounded = (values: number[], digits = 0) => values.map((value) => Number(value.toFixed(digits)));

describe('chain ladder', () => {
  test('equals the figures of Mack (1993) for the triangle of Taylor and Ashe', () => {
    const { factors, reserves, standardErrors, total } = chainLadder(TAYLOR_ASHE);
    assert.deepEqual(rounded(factors, 4), [3.4906, 1.7473, 1.4574, 1.1739, 1.1038, 1.0863, 1.0539, 1.0766, 1.0177]);
    assert.deepEqual(
      rounded(reserves),
      [0, 94634, 469511, 709638, 984889, 1419459, 2177641, 3920301, 4278972, 4625811],
    );
    assert.deepEqual(
      rounded(standardErrors),
      [0, 75535, 121699, 133549, 261406, 411010, 558317, 875328, 971258, 1363155],
    );
    assert.equal(Math.round(total.reserve), 18680856);
    assert.equal(Math.round(total.standardError), 2447095);
  });

  test('equals the variance parameters of Mack (1993) for mortgage guarantees', () => {
    const { factors, sigmaSquared } = chainLadder(MORTGAGE);
    assert.deepEqual(rounded(factors, 3), [11.104, 4.092, 1.708, 1.276, 1.139, 1.069, 1.026, 1.023]);
    assert.deepEqual(
      sigmaSquared.map((sigma) => Number(Math.sqrt(sigma).toPrecision(4))),
      [1337, 988.5, 440.1, 207, 164.2, 74.6, 35.49, 16.89],
    );
  });

  test('equals the figures of Mack (1994) for the triangle of the Reinsurance Association of America', () => {
    const { total } = chainLadder(RAA);
    assert.equal(Math.round(total.reserve), 52135);
    assert.equal(Math.round(total.standardError), 26909);
  });

  test('cohorts that are older than the last age are used and keep what they have', () => {
    const rows = [[100, 150, 160], [200, 310, 330], [150, 220], [120]];
    const { factors, ultimates, reserves, standardErrors } = chainLadder(rows);
    assert.deepEqual(factors, [680 / 450, 490 / 460]);
    assert.deepEqual(ultimates.slice(0, 2), [160, 330]);
    assert.deepEqual(reserves.slice(0, 2), [0, 0]);
    assert.deepEqual(standardErrors.slice(0, 2), [0, 0]);
    assert.ok((standardErrors[3] ?? 0) > (standardErrors[2] ?? 0));
  });

  test('cohorts without revenue are finite', () => {
    const result = chainLadder([[0, 0, 0], [0, 10, 12], [0, 0], [0]]);
    assert.ok([...result.ultimates, ...result.standardErrors, result.total.standardError].every(Number.isFinite));
  });

  test('a triangle names each faulty row, and one of fewer than three ages is too young', () => {
    assert.deepEqual(checkTriangle(TAYLOR_ASHE), []);
    assert.deepEqual(
      checkTriangle([[1, 2, 3], [null, null], [1, null, 3], [1, 'x'], 'row', [1]]).map((each) => each.row),
      [2, 3, 4, 5],
    );
    assert.match(checkTriangle([[1, 2], [1]])[0]?.detail ?? '', /too young/);
    assert.equal(checkTriangle({ rows: [] }).length, 1);
  });
});
