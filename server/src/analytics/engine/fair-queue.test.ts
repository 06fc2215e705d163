import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue } from './fair-queue.ts';

test('an account with many items delays another one by at most one item', () => {
  const queue = new FairQueue<string>(100);
  for (let i = 0; i < 5; i++) queue.push('a', `a${i}`);
  assert.equal(queue.shift(), 'a0');
  queue.push('b', 'b0');
  queue.push('b', 'b1');
  assert.deepEqual(
    Array.from({ length: 7 }, () => queue.shift()),
    ['b0', 'a1', 'b1', 'a2', 'a3', 'a4', undefined],
  );
  // Also when the account that was served last is the first in the queue again.
  queue.push('a', 'a5');
  queue.push('b', 'b2');
  assert.deepEqual([queue.shift(), queue.shift()], ['b2', 'a5']);
});

test('an account may have a limited number of items; removing one makes room', () => {
  const queue = new FairQueue<string>(2);
  assert.deepEqual([queue.push('a', '1'), queue.push('a', '2'), queue.push('a', '3')], [true, true, false]);
  assert.equal(queue.push('b', '4'), true);
  assert.deepEqual(
    queue.remove('a', (item) => item === '1'),
    ['1'],
  );
  assert.deepEqual(
    queue.remove('a', (item) => item === '1'),
    [],
  );
  assert.equal(queue.push('a', '3'), true);
});
