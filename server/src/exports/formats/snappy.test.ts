import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { snappyUncompress } from 'hyparquet/src/snappy.js';
import { SnappyCompressor } from './snappy.ts';

const compressor = new SnappyCompressor();

function assertRestored(input: Buffer): number {
  const compressed = compressor.compress(input);
  const output = new Uint8Array(input.length);
  snappyUncompress(compressed, output);
  assert.ok(input.equals(output));
  return compressed.length;
}

test('input of any size and content is restored: empty, short, repetitive, random, in many fragments', () => {
  for (const length of [0, 1, 3, 15, 16, 17, 60, 61, 256, 257, 65_535, 65_536, 65_537, 300_000]) {
    assertRestored(randomBytes(length));
    assertRestored(Buffer.alloc(length, 'a'));
    assertRestored(Buffer.alloc(length, 'headwater, '));
    assertRestored(Buffer.concat([randomBytes(length), Buffer.alloc(length, 'abcde'), randomBytes(length)]));
  }
});

test('any bytes are restored', () => {
  const few = fc.uint8Array({ max: 3, maxLength: 5_000 });
  const repeated = fc
    .array(fc.uint8Array({ minLength: 1, maxLength: 90 }), { minLength: 1, maxLength: 8 })
    .chain((parts) => fc.array(fc.constantFrom(...parts), { maxLength: 3_000 }).map((all) => Buffer.concat(all)));
  fc.assert(
    fc.property(fc.oneof(few, repeated), (bytes) => void assertRestored(Buffer.from(bytes))),
    { numRuns: 500 },
  );
});

test('text that repeats becomes small, and random bytes hardly larger', () => {
  const text = Buffer.from(Array.from({ length: 10_000 }, (_, n) => `{"event": "purchase", "value": ${n}}`).join('\n'));
  assert.ok(assertRestored(text) < text.length / 3);
  assert.ok(assertRestored(randomBytes(1_000_000)) < 1_000_100);
});
