import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDecimals } from './decimal.ts';

test('decimal numbers are added exactly', () => {
  assert.equal(addDecimals('0.1', '0.2'), '0.3');
  assert.equal(addDecimals('-1', '1.00'), '0');
  assert.equal(addDecimals('1e+21', '1'), '1000000000000000000001');
  assert.equal(addDecimals('5e-7', '-0.0000005'), '0');
  assert.equal(addDecimals('9007199254740993', '1'), '9007199254740994');
  for (const none of ['', '.', 'x', '1,5', '0x1']) assert.equal(addDecimals(none, '1'), undefined);
  const cents = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
  fc.assert(
    fc.property(cents, cents, (a, b) => {
      const text = (value: bigint) => `${value}e-2`;
      assert.equal(addDecimals(text(a), text(b)), addDecimals(text(a + b), '0'));
    }),
  );
});
