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

test('distinct visitors of another thread are added, each once, to groups with a bitmap and to others', () => {
  const visitors = 500;
  const own = new DistinctVisitors(visitors, { maxBitmapBytes: 200 });
  const other = new DistinctVisitors(visitors, { maxBitmapBytes: 1_000 });
  // The other thread has met the groups in the opposite order.
  const groups = Array.from({ length: 20 }, () => own.addGroup());
  for (const _ of groups) other.addGroup();
  const counts = groups.map(() => 0);
  const expected = groups.map(() => new Set<number>());
  for (let i = 0; i < 4_000; i++) {
    const [group, visitor] = [(i * 31) % 20, ((i * 7_919) >> 3) % visitors];
    expected[group]?.add(visitor);
    if (i % 3 === 0 && own.add(visitor, group)) counts[group] = (counts[group] ?? 0) + 1;
    if (i % 3 !== 0 || i % 5 === 0) other.add(visitor, 19 - group);
  }
  const added = own.union(other.content, groups.toReversed());
  for (const group of groups) {
    assert.equal((counts[group] ?? 0) + (added[19 - group] ?? 0), expected[group]?.size);
  }
});
