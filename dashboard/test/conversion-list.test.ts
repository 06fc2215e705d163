import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decimalOf, guessTargets, itemOf } from '../src/conversions/columns.ts';
import { csvRows, writeCsvRow } from '../src/conversions/csv.ts';

describe('a list of conversions', () => {
  it('is read as it was written, whatever stands in it', () => {
    const cell = fc.string().map((text) => text.replace(/[\r\n]/g, ' ').replace(/^[=+\-@\t]+/, ''));
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 });
    fc.assert(
      fc.property(rows, (written) => {
        // The first line tells the separator: a plain one, so that the commas are it.
        const all = [['a', 'b', 'c', 'd'], ...written.filter((row) => row.some((each) => each !== ''))];
        assert.deepEqual([...csvRows(all.map(writeCsvRow).join(''))], all);
      }),
    );
  });

  it('may come from a spreadsheet that writes semicolons, quotes, a byte order mark and line breaks in cells', () => {
    assert.deepEqual(
      [...csvRows('\uFEFFgclid;note\r\na;"he said ""yes"";\nthen left"\r\n\r\n')],
      [
        ['gclid', 'note'],
        ['a', 'he said "yes";\nthen left'],
      ],
    );
  });

  it('never becomes a formula when its results are opened', () => {
    assert.equal(writeCsvRow(['=1+1', '-5', '@x', '+a']), "'=1+1,-5,'@x,'+a\r\n");
  });

  it('has its columns told by their headings, each once', () => {
    assert.deepEqual(guessTargets(['GCLID', 'Order ID', 'Revenue', 'Amount', 'Currency', 'Note', 'Conversion time']), [
      'gclid',
      'eventId',
      'value',
      null,
      'currency',
      null,
      'createdOn',
    ]);
  });

  it('has its amounts read as they are written in different countries, and none guessed', () => {
    for (const [cell, decimal] of [
      ['129.9', '129.9'],
      ['129,90', '129.90'],
      ['1.234,50 €', '1234.50'],
      ['$1,234.50', '1234.50'],
      ['1,234', '1234'],
      ['1.234.567', '1234567'],
      ['-5', '-5'],
      ['0', '0'],
      ['n/a', 'n/a'],
      ['1.2.3', '1.2.3'],
      ['', ''],
    ] as const) {
      assert.equal(decimalOf(cell), decimal, cell);
    }
  });

  it('leaves out what is empty', () => {
    const targets = ['gclid', 'gbraid', 'value', null] as const;
    assert.deepEqual(itemOf([' a ', '', '5', 'x'], targets), { gclid: 'a', value: '5' });
  });
});
