import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Attempts } from './attempts.ts';

const START = Date.parse('2026-11-20T08:00:00Z');

test('what failed is tried again soon, then after growing pauses, and says so until it succeeds', async () => {
  let now = START;
  const attempts = new Attempts(() => now, 300_000);
  const tries: number[] = [];
  let fails = true;
  const work = async () => {
    tries.push((now - START) / 1_000);
    if (fails) throw new Error('the bucket refuses');
  };
  const pass = async (seconds: number) => {
    for (let i = 0; i < seconds; i++, now += 1_000) await attempts.run(work).catch(() => {});
  };
  await pass(700);
  assert.deepEqual(tries, [0, 5, 20, 80, 380, 680]);
  assert.deepEqual(attempts.failing, {
    since: '2026-11-20T08:00:00.000Z',
    error: 'the bucket refuses',
    nextAttemptAt: '2026-11-20T08:16:20.000Z',
  });
  fails = false;
  await pass(600);
  assert.deepEqual([tries.slice(6), attempts.failing], [[980, 1_280], null]);
  fails = true;
  await pass(300);
  assert.deepEqual(tries.slice(8), [1_580, 1_585], 'pauses start again');
  attempts.dueNow();
  await pass(1);
  assert.equal(tries.length, 11);
});
