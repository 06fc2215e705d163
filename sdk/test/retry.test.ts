import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RETRY, retryDelay } from '../src/retry.ts';

const NOW = Date.parse('2026-11-20T08:00:00Z');
const pause = (status: number, attempt: number, isRepeatable: boolean, retryAfter: string | null = null, random = 1) =>
  retryDelay({ status, retryAfter }, attempt, isRepeatable, RETRY, NOW, random);

it('delays double up to eight seconds, with jitter', () => {
  const policy = { ...RETRY, attempts: 99 };
  const longest = [0, 1, 2, 5, 50].map((n) => retryDelay({ status: 500, retryAfter: null }, n, true, policy, 0, 1));
  assert.deepEqual(longest, [250, 500, 1000, 8000, 8000]);
  assert.equal(pause(500, 0, true, null, 0), 125);
});

it('retries end after the configured attempts', () => assert.equal(pause(500, RETRY.attempts, true), undefined));

it('only repeatable requests are retried, except after a 429', () => {
  for (const status of [0, 500, 503]) assert.equal(pause(status, 0, false), undefined);
  for (const status of [0, 500, 503]) assert.equal(pause(status, 0, true), 250);
  for (const status of [400, 401, 404, 405]) assert.equal(pause(status, 0, true), undefined);
  assert.equal(pause(429, 0, false), 250);
});

it('Retry-After is respected, in seconds or as a date, with jitter', () => {
  assert.equal(pause(429, 0, false, '7'), 7_250);
  assert.equal(pause(429, 0, false, '7', 0), 7_125);
  assert.equal(pause(429, 0, false, '60'), 60_250);
  assert.equal(pause(429, 0, false, 'Fri, 20 Nov 2026 08:00:30 GMT'), 30_250);
  assert.equal(pause(429, 0, false, 'Fri, 20 Nov 2026 07:00:00 GMT'), 250);
  assert.equal(pause(429, 0, false, 'soon'), 250);
  assert.equal(pause(429, 0, false, '61'), undefined);
});
