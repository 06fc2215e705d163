import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testDatabase } from '../../../test/harness.ts';
import { readAmount } from './amount.ts';

const db = await testDatabase();

test('only a number or a numeric string is an amount', () => {
  for (const sent of [
    0,
    -0,
    1,
    -1.5,
    0.1,
    1e-7,
    5e-324,
    999999999999999900,
    '0',
    '-0',
    '12',
    '12.50',
    '+3',
    '007',
    '.5',
    '5.',
    ' 1',
    '1\t',
  ]) {
    assert.notEqual(readAmount(sent), undefined, String(sent));
  }
  for (const sent of ['1e3', '1E-2', '-1.5e+3', '0.000000000000000000000001', '999999999999999999']) {
    assert.equal(readAmount(sent), sent);
  }
  for (const sent of [
    '',
    ' ',
    '1 2',
    '1,5',
    '1.5.2',
    '.',
    '-',
    '+',
    'e1',
    '1e',
    '0x10',
    '1_000',
    'NaN',
    'Infinity',
    '١٢',
    '€5',
  ]) {
    assert.equal(readAmount(sent), undefined, sent);
  }
  for (const sent of [1.1e18, -1.1e18, 1e300, '1000000000000000100', '1e19', '1e999', '9'.repeat(65)]) {
    assert.equal(readAmount(sent), undefined, String(sent));
  }
  for (const sent of [null, undefined, true, [], ['1'], {}, { value: 1 }]) assert.equal(readAmount(sent), undefined);
});

test('PostgreSQL reads every accepted amount as the same number', async () => {
  const text = fc
    .tuple(
      fc.constantFrom('', '+', '-'),
      fc.stringMatching(/^(?:\d{1,17}(?:\.\d{0,20})?|\.\d{1,20})$/),
      fc.constantFrom('', 'e0', 'E+1', 'e-3', 'e-200'),
    )
    .map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()), { maxLength: 50 }),
      async (sent) => {
        const taken = sent.filter((each) => readAmount(each) !== undefined);
        const { rows } = await db.query<{ same: boolean }>(
          'select a = b as same from unnest($1::numeric[], $2::numeric[]) as w (a, b)',
          [taken.map(readAmount), taken.map(String)],
        );
        assert.equal(rows.length, taken.length);
        assert.ok(rows.every(({ same }) => same));
      },
    ),
    { numRuns: 50 },
  );
});
