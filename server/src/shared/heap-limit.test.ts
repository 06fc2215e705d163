import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextGrowth } from './heap-limit.ts';

test('the heap grows by what is allocated in two seconds, within limits', () => {
  assert.equal(nextGrowth(50, 60), 50);
  assert.equal(nextGrowth(100, 2), 100);
  assert.equal(nextGrowth(100, 1.6), 125);
  assert.equal(nextGrowth(100, 0), 150);
  assert.equal(nextGrowth(250, 0.5), 300);
  assert.equal(nextGrowth(300, 60), 50);
});
