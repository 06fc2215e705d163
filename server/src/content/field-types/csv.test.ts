import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseCsvDate, parseCsvTimestamp } from './csv-date.ts';
import { parseCsvNumber } from './csv-number.ts';
import { ValueFault } from './field-type.ts';

const shown = (value: unknown) => (value instanceof ValueFault ? value.code : value);

test('numbers are parsed in common notations, and ambiguous ones are errors', () => {
  const table: [text: string, unsaid: unknown, point: unknown, comma: unknown][] = [
    ['1234.5', 1234.5, 1234.5, 'number_invalid'],
    ['-1', -1, -1, -1],
    ['+7', 7, 7, 7],
    ['.5', 0.5, 0.5, 'number_invalid'],
    ['1e3', 1000, 1000, 1000],
    ['1,234', 'number_ambiguous', 1234, 1.234],
    ['1.234', 'number_ambiguous', 1.234, 1234],
    ['-1.000', 'number_ambiguous', -1, -1000],
    ['0.125', 0.125, 0.125, 'number_invalid'],
    ['0,125', 0.125, 'number_invalid', 0.125],
    ['1 234.567', 1234.567, 1234.567, 'number_invalid'],
    ['1,234.50', 1234.5, 1234.5, 'number_invalid'],
    ['1.234,50', 1234.5, 'number_invalid', 1234.5],
    ['1,234,567', 1234567, 1234567, 'number_invalid'],
    ['1.234.567', 1234567, 'number_invalid', 1234567],
    ['12,5', 12.5, 'number_invalid', 12.5],
    ['1 234', 1234, 1234, 1234],
    ['1\u00a0234,5', 1234.5, 'number_invalid', 1234.5],
    ["1'234.5", 1234.5, 1234.5, 'number_invalid'],
    ['1,23,4', 'number_invalid', 'number_invalid', 'number_invalid'],
    ['1.2.3', 'number_invalid', 'number_invalid', 'number_invalid'],
    ['12 34', 'number_invalid', 'number_invalid', 'number_invalid'],
    ['1,5.5', 'number_invalid', 'number_invalid', 'number_invalid'],
    ['€5', 'number_invalid', 'number_invalid', 'number_invalid'],
    ['5%', 'number_invalid', 'number_invalid', 'number_invalid'],
    ['1e999', 'number_invalid', 'number_invalid', 'number_invalid'],
    ['NaN', 'number_invalid', 'number_invalid', 'number_invalid'],
    ['0x10', 'number_invalid', 'number_invalid', 'number_invalid'],
  ];
  for (const [text, ...expected] of table) {
    assert.deepEqual(
      [null, '.' as const, ',' as const].map((decimal) => shown(parseCsvNumber(text, decimal))),
      expected,
      text,
    );
  }
});

test('every number of an export is restored exactly', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      assert.equal(parseCsvNumber(String(value), '.'), value + 0);
    }),
  );
});

test('dates are parsed in common notations, and ambiguous ones are errors', () => {
  const table: [text: string, unsaid: string, dayFirst?: string, monthFirst?: string][] = [
    ['2026/11/20', '2026-11-20'],
    ['2026-1-2', '2026-01-02'],
    ['20.11.2026', '2026-11-20'],
    ['3.4.2026', '2026-04-03'],
    ['20 Nov 2026', '2026-11-20'],
    ['20 november 2026', '2026-11-20'],
    ['Nov 20, 2026', '2026-11-20'],
    ['25/12/2026', '2026-12-25', '2026-12-25', 'date_invalid'],
    ['12/25/2026', '2026-12-25', 'date_invalid', '2026-12-25'],
    ['03/04/2026', 'date_ambiguous', '2026-04-03', '2026-03-04'],
    ['03-04-2026', 'date_ambiguous', '2026-04-03', '2026-03-04'],
    ['04/04/2026', '2026-04-04'],
    ['30/02/2026', 'date_invalid'],
    ['31.02.2026', 'date_invalid'],
    ['3/4/26', 'date_invalid'],
    ['45981', 'date_invalid'],
    ['20 Foo 2026', 'date_invalid'],
    ['Marvel 20 2026', 'date_invalid'],
  ];
  for (const [text, unsaid, dmy = unsaid, mdy = unsaid] of table) {
    const read = [null, 'dmy' as const, 'mdy' as const].map((order) => shown(parseCsvDate(text, order)));
    assert.deepEqual(read, [unsaid, dmy, mdy], text);
  }
});

test('a time without an offset needs a time zone in which it is unambiguous', () => {
  const at = (text: string, timeZone: string | null) =>
    shown(parseCsvTimestamp(text, { timeZone, decimal: null, dateOrder: null }));
  assert.equal(at('2026-11-20 08:00', null), 'timestamp_ambiguous');
  assert.equal(at('2026-11-20 08:00', 'Europe/Berlin'), '2026-11-20T07:00:00.000Z');
  assert.equal(at('2026-11-20T08:00:30', 'UTC'), '2026-11-20T08:00:30.000Z');
  assert.equal(at('20.11.2026', 'Asia/Kathmandu'), '2026-11-19T18:15:00.000Z');
  assert.equal(at('Nov 20, 2026, 8:05 PM', 'UTC'), '2026-11-20T20:05:00.000Z');
  assert.equal(at('11/20/2026 12:00 am', 'UTC'), '2026-11-20T00:00:00.000Z');
  assert.equal(at('03/04/2026 08:00', 'UTC'), 'date_ambiguous');
  assert.equal(at('2026-03-29 02:30', 'Europe/Berlin'), 'timestamp_invalid', 'the hour that is skipped');
  assert.equal(at('2026-10-25 02:30', 'Europe/Berlin'), 'timestamp_invalid', 'the hour that is there twice');
  assert.equal(at('2026-11-20 25:00', 'UTC'), 'timestamp_invalid');
  assert.equal(at('2026-11-20 13:00 pm', 'UTC'), 'timestamp_invalid');
  assert.equal(at('soon', 'UTC'), 'timestamp_invalid');
});
