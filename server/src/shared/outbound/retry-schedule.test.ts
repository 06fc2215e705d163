import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRetryAfter, retryDelay } from './retry-schedule.ts';

const NOW = Date.parse('2026-11-20T08:00:00Z');
const DAY = 86_400_000;

test('Retry-After is read as seconds or as an HTTP date; anything else is ignored', () => {
  for (const [text, ms] of [
    ['0', 0],
    ['120', 120_000],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 3_600_000],
    ['Friday, 20-Nov-26 09:00:00 GMT', 3_600_000],
    ['Fri Nov 20 09:00:00 2026 GMT', 3_600_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    [undefined, undefined],
    ['', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['1e9', undefined],
    ['soon', undefined],
    ['2026', 2_026_000],
    ['2026-11-20T09:00:00Z', undefined],
    ['9'.repeat(65), undefined],
    [`Fri, ${' '.repeat(16_000)}`, undefined],
  ] as const) {
    assert.equal(parseRetryAfter(text, NOW), ms, `${text}`);
  }
});

test('whatever Retry-After says, the next attempt comes after the scheduled delay and within a day', () => {
  for (const text of ['0', '1', '86401', '9'.repeat(64), 'Fri, 31 Dec 9999 23:59:59 GMT', 'soon', undefined]) {
    for (let tries = 1; tries <= 9; tries++) {
      const plain = retryDelay(tries, undefined, 0.5) ?? Number.NaN;
      const delay = retryDelay(tries, parseRetryAfter(text, NOW), 0.5) ?? Number.NaN;
      assert.ok(delay >= plain && delay <= Math.max(plain, DAY), `${text}, ${tries}: ${delay}`);
    }
    assert.equal(retryDelay(10, parseRetryAfter(text, NOW), 0.5), undefined, 'after the last attempt there is none');
  }
});
