import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Field } from '../collections/collection.ts';
import { type FieldType, typeOf } from '../field-types/index.ts';
import { compareKeys, MISSING } from '../field-types/sort-key.ts';
import { allocateBits, allowedBuckets, filterBitmapOf } from './filter-bitmap.ts';
import { ABSENT, between, complement, END, exactly, type KeyRanges, PRESENT } from './key-ranges.ts';

const sortKey = (type: FieldType, value: unknown) => typeOf({ type }).sortKey(value);

const field = (type: Field['type'], key: number, taken: Field[] = [], repeated = false): Field => {
  const filterBits = allocateBits({ type, repeated }, taken);
  const rest = { id: 'f', label: 'F', required: false, status: 'active', options: null, fields: null } as const;
  return { ...rest, type, key, repeated, ...(filterBits && { filterBits }) };
};

const date = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((each) => each.toISOString());
const keyOf: Partial<Record<Field['type'], fc.Arbitrary<string>>> = {
  boolean: fc.boolean().map((each) => sortKey('boolean', each)),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => sortKey('number', each)),
  date: date.map((each) => each.slice(0, 10)),
  timestamp: date,
  select: fc.string({ unit: 'grapheme', minLength: 1 }).map((each) => sortKey('select', each)),
};

test('a filter bitmap never excludes an entry that matches the filter', () => {
  for (const type of ['boolean', 'number', 'date', 'timestamp', 'select'] as const) {
    const one = field(type, 7, [field('number', 1), field('select', 2)]);
    const key = keyOf[type] ?? fc.constant('');
    const ranges: fc.Arbitrary<KeyRanges> = fc.oneof(
      fc.array(key, { minLength: 1, maxLength: 4 }).map(exactly),
      fc.tuple(key, key).map(([low, high]) => between(low, high)),
      key.map((low) => between(low, MISSING)),
      key.map((high) => between('', high)),
      key.map((each) => complement(exactly([each]))),
      fc.constantFrom(['', END], PRESENT, ABSENT),
    );
    fc.assert(
      fc.property(ranges, fc.option(key, { nil: undefined }), (set, value) => {
        const bitmap = BigInt(filterBitmapOf([one], value === undefined ? {} : { 7: value }));
        const has = set.filter((bound) => compareKeys(bound, value ?? MISSING) <= 0).length % 2 === 1;
        const allowed = allowedBuckets(one, set);
        const { offset, width } = one.filterBits ?? { offset: 0, width: 0 };
        const bucket = (bitmap >> BigInt(offset)) & (2n ** BigInt(width) - 1n);
        if (has) assert.ok(allowed === undefined || ((BigInt.asUintN(64, BigInt(allowed)) >> bucket) & 1n) === 1n);
        assert.ok(bitmap < 2n ** 63n);
      }),
      { numRuns: 300 },
    );
  }
});

test('a filter on a select, a number, a boolean or a month leaves little more than the entries that match', () => {
  const passing = (one: Field, set: KeyRanges, keys: string[]) => {
    const allowed = BigInt.asUintN(64, BigInt(allowedBuckets(one, set) ?? -1n));
    const { offset = 0 } = one.filterBits ?? {};
    return keys.filter((key) => (allowed >> (BigInt(filterBitmapOf([one], { [one.key]: key })) >> BigInt(offset))) & 1n)
      .length;
  };
  const numbers = Array.from({ length: 1000 }, (_, i) => sortKey('number', i));
  assert.ok(passing(field('number', 1), exactly([sortKey('number', 5)]), numbers) < 60);
  assert.equal(passing(field('boolean', 1), exactly(['1']), ['0', '1', '0']), 1);
  const days = Array.from({ length: 1000 }, (_, i) => new Date(1.6e12 + i * 86_400_000).toISOString().slice(0, 10));
  assert.ok(passing(field('date', 1), between('2021-03-01', '2021-03-31'), days) <= 31);
});

test('the first fields whose type has a use for bits get some, which never overlap', () => {
  const fields: Field[] = [];
  for (let i = 0; i < 15; i++) fields.push(field(i % 4 === 0 ? 'boolean' : 'number', i + 1, fields));
  const bitRanges = fields.flatMap(({ filterBits }) => filterBits ?? []);
  const bits = bitRanges.flatMap(({ offset, width }) => Array.from({ length: width }, (_, i) => offset + i));
  assert.equal(new Set(bits).size, bits.length);
  assert.ok(Math.max(...bits) < 63 && bitRanges.length >= 10);
  for (const type of ['text', 'url', 'asset', 'group'] as const)
    assert.equal(allocateBits({ type, repeated: false }, []), undefined);
  assert.equal(allocateBits({ type: 'number', repeated: true }, []), undefined);
});
