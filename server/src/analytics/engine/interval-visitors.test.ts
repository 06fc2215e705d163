import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countIntervalVisitors } from './interval-visitors.ts';
import { ReportTooLarge } from './report-too-large.ts';

const [VISITORS, INTERVALS] = [700, 24];
/** Visits in an order unrelated to their intervals; the last interval has none. */
const visits = Array.from({ length: 3_000 }, (_, i) => ({
  visitor: ((i * 104_729) >> 4) % VISITORS,
  interval: ((i * 7_919) >> 3) % (INTERVALS - 1),
}));
const expected = {
  total: new Set(visits.map(({ visitor }) => visitor)).size,
  intervals: Array.from(
    { length: INTERVALS },
    (_, n) => new Set(visits.filter(({ interval }) => interval === n).map(({ visitor }) => visitor)).size,
  ),
};

for (const [name, limits] of [
  ['by bitmaps', {}],
  ['by their latest interval', { maxBitmapBytes: 0 }],
] as const) {
  test(`distinct visitors of a period and its intervals are exact in any order of visits, ${name}`, () => {
    const visitors = countIntervalVisitors(VISITORS, INTERVALS, limits);
    for (const { visitor, interval } of visits) visitors.add(visitor, interval);
    assert.deepEqual(visitors.counts(), expected);
  });

  test(`distinct visitors of another thread are added, each once, ${name}`, () => {
    const own = countIntervalVisitors(VISITORS, INTERVALS, limits);
    const other = countIntervalVisitors(VISITORS, INTERVALS, limits);
    visits.forEach(({ visitor, interval }, i) => {
      if (i % 3 === 0) own.add(visitor, interval);
      if (i % 3 > 0 || i % 5 === 0) other.add(visitor, interval);
    });
    own.union(other.content);
    assert.deepEqual(own.counts(), expected);
  });
}

test('visitors of many intervals take a bounded amount of memory', () => {
  const visitors = countIntervalVisitors(2_000, 2, { maxBitmapBytes: 0, maxEarlier: 1_000 });
  for (let visitor = 0; visitor < 1_000; visitor++) for (const interval of [0, 1]) visitors.add(visitor, interval);
  visitors.add(1_000, 0);
  assert.throws(() => visitors.add(1_000, 1), ReportTooLarge);
});
