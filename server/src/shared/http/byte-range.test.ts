import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseByteRange } from './byte-range.ts';

test('a Range header is parsed according to RFC 9110', () => {
  for (const [header, expected] of [
    [undefined, undefined],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=5-', { start: 5, end: 9 }],
    ['bytes=5-500', { start: 5, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-30', { start: 0, end: 9 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=4-2', undefined],
    ['bytes=0-1,3-4', undefined],
    ['bytes=-', undefined],
    ['lines=1-2', undefined],
  ] as const) {
    assert.deepEqual(parseByteRange(header, 10), expected, String(header));
  }
  assert.equal(parseByteRange('bytes=0-', 0), 'unsatisfiable');
  assert.equal(parseByteRange('bytes=-5', 0), 'unsatisfiable');
});
