import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FunnelAttempts } from './funnel-attempts.ts';
import { ReportTooLarge } from './report-too-large.ts';
import { countVisitors, VisitorActions } from './visitor-actions.ts';

const PLAN = { period: { from: 0, to: 1_000 }, window: 1_000, breakdownBy: 'device' as const };
const VISITORS = 400_000;

/** The same actions of visitors all over the range of numbers, in an order unrelated to it. */
function addTo(actions: VisitorActions, isMine = (_i: number) => true): void {
  for (let i = 0; i < 6_000; i++) {
    const visitor = (((i % 1_500) * 104_729) >> 3) % VISITORS;
    if (isMine(visitor)) actions.add(visitor, (i * 7_919) % 1_200, 1 << ((3 - Math.floor(i / 1_500)) % 3), i % 4);
  }
}

test('visitors for whose actions there is no memory are counted by further scans, with those of other threads', () => {
  const all = new VisitorActions(0, true, 1_000_000);
  addTo(all);
  const expected = new FunnelAttempts(3, PLAN);
  countVisitors([all.collected], Number.POSITIVE_INFINITY, expected);
  assert.ok((expected.result().counts[2] ?? 0) > 0);

  const attempts = new FunnelAttempts(3, PLAN);
  let scans = 0;
  for (let from = 0; from < VISITORS; scans++) {
    const threads = [0, 1].map(() => new VisitorActions(from, true, 4_000));
    threads.forEach((actions, thread) => {
      addTo(actions, (visitor) => visitor % 3 > 0 === (thread === 0));
    });
    const parts = threads.map(({ collected }) => collected);
    from = Math.min(...parts.map(({ end }) => end));
    countVisitors(parts, from, attempts);
  }
  assert.ok(scans > 1);
  assert.deepEqual(attempts.result(), expected.result());
});

test('a few visitors with more actions than memory is given for are refused', () => {
  const actions = new VisitorActions(0, false, 10_000);
  assert.throws(() => {
    for (let at = 0; at < 10_001; at++) actions.add(3, at, 1, 0);
  }, ReportTooLarge);
});

test('the first visitors are counted as long as there is memory for them alone', () => {
  const actions = new VisitorActions(0, false, 1_500);
  for (let at = 0; at < 1_000; at++) actions.add(3, at, 1, 0);
  for (let at = 0; at < 1_000; at++) actions.add(70_000, at, 1, 0);
  assert.equal(actions.collected.end, 65_536);
  assert.equal(actions.collected.ranges[0]?.size, 1_000);
});
