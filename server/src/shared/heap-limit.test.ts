import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextGrowth } from './heap-limit.ts';

test('the heap grows by what is allocated in two seconds, within limits', () => {
  assert.equal(nextGrowth(50, 60), 50);
  assert.equal(nextGrowth(100, 2), 100);
  assert.equal(nextGrowth(50, 0.5), 200);
  assert.equal(nextGrowth(50, 0), 300);
  assert.equal(nextGrowth(300, 60), 50);
});
