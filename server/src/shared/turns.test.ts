import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { runAs, Work } from './postgres/work.ts';
import { mapInTurns } from './turns.ts';

/** Longer than a slice. */
function compute(): void {
  for (const until = performance.now() + 6; performance.now() < until; );
}

const longWork = (account: string, slices: number, log: string[]) =>
  runAs(new Work('requests', () => account), () =>
    mapInTurns(Array(slices).fill(account), (each) => {
      compute();
      log.push(each);
      return each;
    }),
  );

test('each turn of the event loop runs one slice of all long work', async () => {
  const log: string[] = [];
  const working = Promise.all([longWork('a', 4, log), longWork('b', 4, log), longWork('c', 4, log)]);
  const perTurn: number[] = [];
  // The first slice of each begins at once.
  for (let known = log.length; known < 12; known = log.length) {
    await setImmediate();
    perTurn.push(log.length - known);
  }
  assert.ok(
    perTurn.every((slices) => slices <= 1),
    perTurn.join(),
  );
  assert.deepEqual(
    await working,
    ['a', 'b', 'c'].map((each) => Array(4).fill(each)),
  );
});

test('accounts take turns, however much one has begun', async () => {
  const log: string[] = [];
  const many = Array.from({ length: 8 }, () => longWork('busy', 5, log));
  const one = longWork('quiet', 5, log);
  await one;
  // For each slice of its own, the quiet account waits for one of the other.
  assert.ok(log.length <= 8 + 1 + 2 * 4 + 1, log.join());
  await Promise.all(many);
  assert.equal(log.length, 45);
});
