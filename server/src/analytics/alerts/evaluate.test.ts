import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AlertState, evaluate, nextState, type Series } from './evaluate.ts';
import { windowsOf } from './windows.ts';

const RULE = { kind: 'expected', direction: 'below', value: null, percent: 40 } as const;
/** Weeks of days with little noise, the latest first. */
const steady = (value: number, days = 56) =>
  Array.from({ length: days }, (_, i) => value * (1 + 0.03 * Math.sin(i * 2.1)));
const series = (current: number, earlier: Series['earlier'] = steady(100)): Series => ({
  current,
  earlier,
  perWeek: 7,
});

test('a value under what is usual by the percent of the rule breaches, and is clear once it is back by a part of the way', () => {
  const states = [59, 61, 70, 71, 100].map((value) => evaluate(RULE, series(value)).state);
  assert.deepEqual(states, ['breach', 'between', 'between', 'clear', 'clear']);
  const { expected, limit } = evaluate(RULE, series(50));
  assert.ok(Math.abs((expected ?? 0) - 100) < 3 && Math.abs((limit ?? 0) - 60) < 2, `${expected}, ${limit}`);
  assert.equal(evaluate({ ...RULE, direction: 'above' }, series(150)).state, 'breach');
});

test('weekdays are compared with themselves, and one outlier is not usual', () => {
  const weekend = Array.from({ length: 56 }, (_, i) => ((i + 1) % 7 === 0 ? 30 : 100));
  assert.equal(evaluate(RULE, series(30, weekend)).state, 'clear');
  const withOutlier = steady(100).map((value, i) => (i === 6 ? 5_000 : value));
  assert.ok(Math.abs((evaluate(RULE, series(100, withOutlier)).expected ?? 0) - 100) < 5);
});

test('the noise of few sales needs a larger difference than the rule says', () => {
  const noisy = Array.from({ length: 56 }, (_, i) => [2, 9, 0, 5, 12, 3, 7, 1, 6, 10, 4][i % 11] ?? 0);
  assert.equal(evaluate(RULE, series(0, noisy)).state, 'clear');
});

test('before three weeks are known, nothing is usual', () => {
  const young = Array.from({ length: 56 }, (_, i) => (i < 20 ? 100 : null));
  assert.deepEqual(evaluate(RULE, series(0, young)), { value: 0, expected: null, limit: null, state: 'tooYoung' });
});

test('silence breaches where something usually arrives, and only there', () => {
  const silence = { ...RULE, kind: 'silence' } as const;
  assert.equal(evaluate(silence, series(0, steady(40))).state, 'breach');
  assert.equal(evaluate(silence, series(1, steady(40))).state, 'clear');
  assert.equal(evaluate(silence, series(0, steady(5))).state, 'between');
  assert.equal(evaluate(silence, series(0, [30, null])).state, 'breach');
  assert.equal(evaluate(silence, series(0, [null])).state, 'tooYoung');
});

test('an incident opens once, and is resolved once', () => {
  const changes = (observed: ('breach' | 'clear' | 'between' | 'tooYoung')[], isRunning: boolean) => {
    let state: AlertState = { status: 'ok', breaches: 0 };
    return observed.map((each) => {
      const { change, ...next } = nextState(state, { value: 0, expected: null, limit: null, state: each }, isRunning);
      state = next;
      return change;
    });
  };
  const story = ['clear', 'breach', 'breach', 'between', 'breach', 'clear', 'between', 'breach'] as const;
  assert.deepEqual(changes([...story], false), [null, 'opened', null, null, null, 'resolved', null, 'opened']);
  // A window that is still running must breach twice in a row.
  assert.deepEqual(changes(['breach', 'clear', 'breach', 'breach', 'tooYoung', 'clear'], true), [
    ...[null, null, null, 'opened', null, 'resolved'],
  ]);
});

test('windows follow the clock of the account, over changes of it, too', () => {
  const now = Date.parse('2026-10-26T09:30:20Z');
  const { all, perWeek, isRunning } = windowsOf('yesterday', 'Europe/Berlin', now);
  const iso = (ms = 0) => new Date(ms).toISOString();
  assert.deepEqual([perWeek, isRunning, all.length], [7, false, 57]);
  // The day of the change has 25 hours.
  assert.deepEqual([iso(all[0]?.from), iso(all[0]?.to)], ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z']);
  assert.deepEqual([iso(all[1]?.from), iso(all[1]?.to)], ['2026-10-23T22:00:00.000Z', '2026-10-24T22:00:00.000Z']);
  assert.equal(iso(all[0]?.knownAt), '2026-10-26T09:30:00.000Z');
  assert.equal(iso(all[1]?.knownAt), '2026-10-25T09:30:00.000Z');
  const week = windowsOf('last7Days', 'UTC', now);
  assert.deepEqual([week.perWeek, week.all.length], [1, 9]);
  assert.equal(week.all[0]?.from, week.all[1]?.to);
  assert.equal(windowsOf('today', 'UTC', now).isRunning, true);
  const half = windowsOf({ minutes: 30 }, 'UTC', now).all[0];
  assert.equal((half?.to ?? 0) - (half?.from ?? 0), 30 * 60_000);
});
