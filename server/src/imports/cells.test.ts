// Slow: every type of field reads 135 long cells, each in two notations.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { longestBlock } from '../../test/event-loop.ts';
import { FIELD_TYPES, type Field } from '../content/index.ts';
import { escapeFormula, escapeFormulaInJson, unescapeFormula } from '../shared/csv.ts';
import { readCell } from './cells.ts';

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

test('no cell of half a megabyte blocks for long, whatever its field', async () => {
  const length = 500_000;
  const fill = (text: string) => text.repeat(length / text.length);
  const cells = [
    ...[
      ' ',
      '1',
      '1.',
      '1,234',
      ' 234',
      ',234',
      "'",
      ';',
      ";'",
      '\r\n',
      'a',
      '1 ',
      ', ',
      'T',
      '1:1',
      '1e',
      '[',
      '{"a":',
    ],
    ...['http://', '@', '"', '\\', '\u0301', '\u202f', '-', '/', '2026-01-01 '],
  ].flatMap((text) => [
    fill(text),
    `${fill(text)}x`,
    `2026-01-01${fill(text)}x`,
    `1${fill(text)}`,
    `["${fill(text)}"]`,
  ]);
  const formats = [
    { decimal: null, dateOrder: null, timeZone: 'UTC' },
    { decimal: ',', dateOrder: 'dmy', timeZone: 'Europe/Berlin' },
  ] as const;
  const options = [{ value: 'a', label: 'A', status: 'active' as const }];
  const of = { id: 'x', label: 'X', key: 1, required: false, status: 'active' as const, fields: [] };
  for (const type of FIELD_TYPES) {
    for (const repeated of [false, true]) {
      const field: Field = { ...of, type, repeated, options };
      for (const cell of cells) {
        const block = await longestBlock(async () => {
          for (const format of formats) readCell({ name: 'x', field, nested: undefined }, cell, ',', format);
        });
        assert.ok(block < 125, `${type}, ${JSON.stringify(cell.slice(0, 20))}: ${block} units`);
      }
    }
  }
});
