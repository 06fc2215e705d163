import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { command, commandJson } from '../../test/service-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'statistics-'));
const file = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

test('headwater forecast prints the chain ladder of a triangle, without a service or data folder', async () => {
  const path = file('triangle.json', JSON.stringify({ triangle: [[100, 150, 170], [110, 160, null], [120]] }));
  const forecast = await commandJson(['forecast', path], {});
  assert.deepEqual(forecast.factors, [310 / 210, 170 / 150]);
  assert.deepEqual(Object.keys(forecast).sort(), [
    'factors',
    'reserves',
    'sigmaSquared',
    'standardErrors',
    'total',
    'ultimates',
  ]);
  const readable = await command(['forecast', path], {});
  assert.match(readable.stdout, /^factors: 1\.47619\d+, 1\.1333/);
});

test('headwater forecast names every faulty row and prints no number', async () => {
  const path = file('faulty.json', JSON.stringify({ triangle: [[100, 150, 170], [null, 160], ['x']] }));
  const { code, stdout, stderr } = await command(['forecast', path, '--json'], {});
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /Row 2: .*\nRow 3: /);
  assert.doesNotMatch(stderr, /at .*\.ts/);
  for (const [name, content] of [
    ['young.json', '{"triangle":[[1,2],[1]]}'],
    ['broken.json', '{'],
    ['empty.json', '{}'],
  ] as const) {
    const refused = await command(['forecast', file(name, content), '--json'], {});
    assert.equal(refused.code, 1);
    assert.equal(refused.stdout, '');
  }
  assert.match((await command(['forecast', join(folder, 'absent.json')], {})).stderr, /cannot be read/);
});

test('headwater statistics compares the arms of a file and tests their sample ratio', async () => {
  const arms = [
    { n: 3000, sum: 1396.87, sumOfSquares: 52377.9767 },
    { n: 3461, sum: 2422.7, sumOfSquares: 134698.29 },
  ];
  const result = await commandJson(['statistics', file('arms.json', JSON.stringify({ alpha: 0.05, arms }))], {});
  assert.deepEqual(Object.keys(result), ['comparisons', 'sampleRatio']);
  assert.ok(Math.abs(result.comparisons[0].relativeHigh - 1.5164399325681144) < 1e-9);
  assert.equal(result.sampleRatio.ok, false);
  const planned = file('planned.json', JSON.stringify({ arms, weights: [3, 3.461], planned: 6_461 }));
  const narrower = await commandJson(['statistics', planned], {});
  assert.ok(narrower.comparisons[0].relativeHigh < 1.3);
  assert.equal(narrower.sampleRatio.ok, true);
});

test('headwater statistics names every fault and prints no number', async () => {
  const arms = [{ n: 1.5, sum: 1, sumOfSquares: 1 }, { n: 2, sum: 4, sumOfSquares: 7 }, null];
  const path = file('faulty-arms.json', JSON.stringify({ alpha: 1, weights: [1], arms }));
  const { code, stdout, stderr } = await command(['statistics', path, '--json'], {});
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match((await command(['statistics'], {})).stderr, /the path of the arms/);
  assert.match(stderr, /alpha is .*\nweights are .*\nArm 1: n .*\nArm 2: no 2 values .*\nArm 3: n /);
});
