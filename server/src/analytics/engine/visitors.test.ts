import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReportTooLarge } from './report-too-large.ts';
import { DistinctVisitors } from './visitors.ts';

test('distinct visitors are exact in groups with a bitmap and in the others', () => {
  const visitors = 3_000;
  const distinct = new DistinctVisitors(visitors, { maxBitmapBytes: 4 * 400 });
  const groups = Array.from({ length: 50 }, () => distinct.addGroup());
  const expected = groups.map(() => new Set<number>());
  for (let i = 0; i < 100_000; i++) {
    const [group, visitor] = [(i * 7_919) % groups.length, (i * 104_729 + (i >> 5)) % visitors];
    const isNew = !expected[group]?.has(visitor);
    expected[group]?.add(visitor);
    assert.equal(distinct.add(visitor, groups[group] ?? 0), isNew);
  }
});

test('distinct visitors take a bounded amount of memory', () => {
  const distinct = new DistinctVisitors(1_000_000, { maxBitmapBytes: 0, maxPairs: 1_000 });
  const group = distinct.addGroup();
  for (let visitor = 0; visitor < 1_000; visitor++) distinct.add(visitor, group);
  assert.throws(() => distinct.add(1_000, group), ReportTooLarge);
});
