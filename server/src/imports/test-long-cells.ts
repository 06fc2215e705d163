import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longestBlock } from '../../test/event-loop.ts';
import { FIELD_TYPES, type Field } from '../content/index.ts';
import { readCell } from './cells.ts';

/** @param texts what long cells are filled with */
export function testLongCells(texts: readonly string[]): void {
  test('no cell of half a megabyte blocks for long, whatever its field', async () => {
    const length = 500_000;
    const fill = (text: string) => text.repeat(length / text.length);
    const cells = texts.flatMap((text) => [
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
}
