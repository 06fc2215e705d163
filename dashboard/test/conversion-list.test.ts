import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decimalOf, guessTargets, itemOf } from '../src/conversions/columns.ts';
import { needsDateOrder, provenDateOrder, readTime } from '../src/conversions/conversion-times.ts';
import { csvRows, writeCsvRow } from '../src/conversions/csv.ts';

describe('a list of conversions', () => {
  it('is parsed as written, whatever its cells contain', () => {
    const cell = fc.string().map((text) => text.replace(/[\r\n]/g, ' ').replace(/^[=+\-@\t]+/, ''));
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 });
    fc.assert(
      fc.property(rows, (written) => {
        // A heading with commas, which decide the separator.
        const all = [['a', 'b', 'c', 'd'], ...written.filter((row) => row.some((each) => each !== ''))];
        assert.deepEqual([...csvRows(all.map(writeCsvRow).join(''))], all);
      }),
    );
  });

  it('may use semicolons, quotes, a byte order mark and line breaks in cells', () => {
    assert.deepEqual(
      [...csvRows('\uFEFFgclid;note\r\na;"he said ""yes"";\nthen left"\r\n\r\n')],
      [
        ['gclid', 'note'],
        ['a', 'he said "yes";\nthen left'],
      ],
    );
  });

  it('contains no formula when its results are opened in a spreadsheet', () => {
    assert.equal(writeCsvRow(['=1+1', '-5', '@x', '+a']), "'=1+1,-5,'@x,'+a\r\n");
  });

  it('has its columns detected by their headings, each once', () => {
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

  it('has amounts parsed in the notation of several countries, and none guessed', () => {
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

  it('omits empty cells', () => {
    const targets = ['gclid', 'gbraid', 'value', null] as const;
    assert.deepEqual(itemOf([' a ', '', '5', 'x'], targets), { gclid: 'a', value: '5' });
  });

  it('has times parsed in the chosen format, and none guessed', () => {
    const local = (...parts: [number, number, number, number?, number?]) => new Date(...parts).toISOString();
    for (const [cell, order, time] of [
      ['03/04/2026', 'dmy', local(2026, 3, 3)],
      ['03/04/2026', 'mdy', local(2026, 2, 4)],
      ['03.04.26 14:30', 'dmy', local(2026, 3, 3, 14, 30)],
      ['2026-04-03', null, local(2026, 3, 3)],
      ['2026-04-03 14:30:15', null, new Date(2026, 3, 3, 14, 30, 15).toISOString()],
      ['2026-04-03T14:30:00+02:00', null, '2026-04-03T12:30:00.000Z'],
      ['Fri, 03 Apr 2026 14:30:00 +0200', null, '2026-04-03T12:30:00.000Z'],
      ['1775219400', null, '2026-04-03T12:30:00.000Z'],
      ['1775219400000', null, '2026-04-03T12:30:00.000Z'],
      ['03/04/2026', null, undefined],
      ['31/02/2026', 'dmy', undefined],
      ['13/13/2026', 'dmy', undefined],
      ['soon', null, undefined],
      ['', null, undefined],
    ] as const) {
      assert.equal(readTime(cell, order), time, cell);
    }
    assert.equal(needsDateOrder(['2026-04-03', '']), false);
    assert.equal(needsDateOrder(['3/4/2026']), true);
    assert.equal(provenDateOrder(['3/4/2026', '3/14/2026']), 'mdy');
    assert.equal(provenDateOrder(['3/4/2026', '14/3/2026']), 'dmy');
    assert.equal(provenDateOrder(['3/4/2026']), null);
  });
});
