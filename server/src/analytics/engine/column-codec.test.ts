import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ColumnReader, decodeColumn, encodeColumn, endOfColumn, lengthOfColumn } from './column-codec.ts';

const small = fc.integer({ min: 0, max: 3 });
const number = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const columns = [
  fc.array(small),
  fc.array(number),
  fc.array(fc.integer({ min: -400, max: 70_000 })),
  fc.array(fc.integer({ min: 2 ** 31 - 20_000_000, max: 2 ** 31 - 1 })),
  fc
    .tuple(
      number.filter((first) => first < 2 ** 31 - 99),
      fc.nat({ max: 99 }),
    )
    .map(([first, count]) => Array.from({ length: count }, (_, i) => first + i)),
  // Few different values that are far apart.
  fc
    .tuple(fc.array(number, { minLength: 1, maxLength: 400 }), fc.array(fc.nat(), { maxLength: 2_000 }))
    .map(([values, indexes]) => indexes.map((index) => values[index % values.length] ?? 0)),
];

test('a column decodes to what was encoded, wherever it is', () => {
  fc.assert(
    fc.property(fc.oneof(...columns), fc.uint8Array({ maxLength: 9 }), (values, before) => {
      const bytes = Buffer.concat([before, encodeColumn(Int32Array.from(values)), before]);
      assert.equal(endOfColumn(bytes, before.length), bytes.length - before.length);
      assert.equal(lengthOfColumn(bytes, before.length), values.length);
      const decoded = new Int32Array(values.length + 1).fill(7);
      decodeColumn(bytes, before.length, decoded);
      assert.deepEqual([...decoded], [...values, 7]);
      const reader = new ColumnReader();
      reader.show(bytes, before.length);
      assert.deepEqual(
        values.map((_, i) => reader.valueAt(i)),
        values,
      );
      assert.ok(values.every((_, i) => reader.codeAt(i) < (reader.codes ?? Number.POSITIVE_INFINITY)));
    }),
  );
});

test('numbers that are close together, and few different ones, take a byte each', () => {
  const times = Int32Array.from({ length: 1_000 }, (_, i) => 800_000_000 + (i % 250));
  const texts = Int32Array.from({ length: 1_000 }, (_, i) => (i % 9) * 123_456_789);
  assert.ok(encodeColumn(times).length < 1_050);
  assert.ok(encodeColumn(texts).length < 1_100);
  assert.ok(encodeColumn(new Int32Array(1_000).fill(-5)).length < 20);
  assert.ok(encodeColumn(Int32Array.from(times.keys())).length < 20);
});
