import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PacedRefusals } from './paced-refusals.ts';

test('a sender gets 32 refusals at once, then 50 a second, and others do not wait for it', () => {
  const refusals = new PacedRefusals();
  const now = 1_000_000;
  const holds = Array.from({ length: 40 }, () => refusals.hold('a', now));
  assert.deepEqual(holds, [...Array(33).fill(0), 20, 40, 60, 80, 100, 120, 140]);
  assert.equal(refusals.hold('b', now), 0);
  assert.equal(refusals.hold('a', now + 160), 0, 'it has waited');
  // None is held for longer than that, and afterwards all is as before.
  const many = Array.from({ length: 1_000 }, () => refusals.hold('a', now + 160));
  assert.equal(Math.max(...many), 2_000);
  assert.equal(refusals.hold('a', now + 10_000), 0);
});

test('memory follows the senders of the last second', () => {
  const refusals = new PacedRefusals();
  for (let i = 0; i < 50_000; i++) refusals.hold(`sender ${i}`, 1_000_000 + i);
  const held = Array.from({ length: 34 }, () => refusals.hold('sender 49999', 1_049_999));
  assert.equal(held.at(-1), 40, 'those of now are kept');
});
