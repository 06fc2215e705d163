import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certainMark, readUnits, unitsOf, unitsText } from './amounts.ts';

test('amounts of statements are read exactly, in the notations of providers', () => {
  const read = (text: string, mark: Parameters<typeof readUnits>[1] = 'auto') => {
    const units = readUnits(text, mark);
    return typeof units === 'bigint' ? unitsText(units) : units;
  };
  const cases: [string, string][] = [
    ['12', '12'],
    ['-12.30', '-12.3'],
    ['1,234.56', '1234.56'],
    ['1.234,56', '1234.56'],
    ['1.234.567', '1234567'],
    ['1,234,567', '1234567'],
    ['1 234,5', '1234.5'],
    ["1'234.50", '1234.5'],
    ['12,5', '12.5'],
    ['(7.00)', '-7'],
    ['€ 3.20', '3.2'],
    ['-$12.00', '-12'],
    ['$-12.00', '-12'],
    ['($12.00)', '-12'],
    ['12.00-', '-12'],
    ['12,50 €', '12.5'],
    ['EUR 12,50', '12.5'],
    ['US$1,234.50', '1234.5'],
    ['1234,567', '1234.567'],
    ['0,125', '0.125'],
    ['1.234', '1.234'],
    ['.5', '0.5'],
    ['1,234', 'amount_ambiguous'],
    ['', 'amount_invalid'],
    ['12a', 'amount_invalid'],
    ['1,23,4.5', 'amount_invalid'],
    ['1.2.3,4', 'amount_invalid'],
    ['0.1234567', 'amount_invalid'],
    ['(5', 'amount_invalid'],
    ['5)', 'amount_invalid'],
    ['-5-', 'amount_invalid'],
    ['(-5)', 'amount_invalid'],
    ['12%', 'amount_invalid'],
    ['1e3', 'amount_invalid'],
    ['12.00 CR', 'amount_invalid'],
  ];
  assert.deepEqual(
    cases.map(([text]) => [text, read(text)]),
    cases,
  );
  const usual = (text: string, mark: ',' | '.') => {
    const units = readUnits(text, 'auto', mark);
    return typeof units === 'bigint' ? unitsText(units) : units;
  };
  assert.deepEqual(
    [usual('1.234', ','), usual('1,234', '.'), usual('1,234', ','), usual('1.234', '.')],
    ['1234', '1234', 'amount_ambiguous', '1.234'],
  );
  assert.deepEqual(['12,5', '1.234', '1,234', '12', '1,234.5', '1.2.3'].map(certainMark), [
    ',',
    undefined,
    undefined,
    undefined,
    '.',
    ',',
  ]);
  assert.deepEqual([read('1,234', 'point'), read('1,234', 'comma'), read('1.234', 'comma')], ['1234', '1.234', '1234']);
});

test('amounts of conversions are rounded to the same units', () => {
  assert.deepEqual(
    ['10.00', '-3.5', '0.0000005', '123456789012345678.91'].map((each) => unitsText(unitsOf(each))),
    ['10', '-3.5', '0.000001', '123456789012345678.91'],
  );
});
