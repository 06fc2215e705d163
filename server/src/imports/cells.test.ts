// Its proof reads all long cells.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { escapeFormula, escapeFormulaInJson, unescapeFormula } from '../shared/csv.ts';
import { testLongCells } from './test-long-cells.ts';

test('unescaping restores every text, and no escaped text is a formula', () => {
  const text = fc.array(fc.constantFrom("'", ';', '=', '+', '-', '@', '\t', '\r', '\n', 'a', ' ', '\uff1d'), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(text, (parts) => {
      const whole = parts.join('');
      assert.equal(unescapeFormula(escapeFormula(whole)), whole);
      assert.doesNotMatch(escapeFormula(whole), /^[\r\n]|(^|[;\r\n])[=+\-@\t\uff1d]/);
    }),
  );
});

test('a repeated cell contains no formula after a semicolon, and still reads as the same JSON', () => {
  const values = ['a;=1+1', ';-2', ';\uff1d3', '"; +4', "it's; fine"];
  const cell = escapeFormulaInJson(JSON.stringify(values));
  assert.doesNotMatch(cell, /;[=+\-@\uff1d]/);
  assert.deepEqual(JSON.parse(cell), values);
});

// One text of each kind: digits, a separator, a date, JSON, and a combining character.
testLongCells(['1', ',234', '2026-01-01 ', '{"a":', '\u0301']);
