import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseCsvDate } from '../../server/src/content/field-types/csv-date.ts';
import { parseCsvNumber } from '../../server/src/content/field-types/csv-number.ts';
import { ValueFault } from '../../server/src/content/field-types/field-type.ts';
import { unescapeFormula } from '../../server/src/shared/csv.ts';
import { csvRows } from '../src/conversions/csv.ts';
import { type CsvFormats, columnFormats, readCsvDay, readCsvNumber } from '../src/field-types/csv-cells.ts';

describe('the preview of CSV cells', () => {
  it('reads dates and numbers as the import does, and nothing where they have two meanings', () => {
    assert.equal(readCsvDay('03/04/2026', null), undefined);
    assert.equal(readCsvDay('03/04/2026', 'mdy'), '2026-03-04');
    assert.equal(readCsvDay('25/12/2026', null), '2026-12-25');
    assert.equal(readCsvDay('03.04.2026', 'mdy'), '2026-04-03');
    assert.equal(readCsvDay('2026-04-03T10:00:00Z', null), '2026-04-03');
    assert.equal(readCsvDay('31/02/2026', 'dmy'), undefined);
    assert.equal(readCsvNumber('1,234', null), undefined);
    assert.equal(readCsvNumber('1,234', '.'), 1234);
    assert.equal(readCsvNumber('1,234', ','), 1.234);
    assert.equal(readCsvNumber('1.234,50', null), 1234.5);
    assert.equal(readCsvNumber('1234,5', null), 1234.5);
    assert.equal(readCsvNumber('1 234', null), 1234);
    assert.equal(readCsvNumber('n/a', null), undefined);
  });

  it('reads numbers and days in every notation as the import does', () => {
    const characters = fc.constantFrom(...'0123456789', ',', '.', ' ', "'", '\u00a0', '-', '+', 'e');
    const number = fc.array(characters, { maxLength: 9 }).map((parts) => parts.join(''));
    const grouped = fc.tuple(
      fc.nat(1_500),
      fc.constantFrom(',', '.', ' '),
      fc.nat(999),
      fc.constantFrom('', ',5', '.50'),
    );
    const text = fc.oneof(
      number,
      grouped.map(([a, by, b, rest]) => `${a}${by}${String(b).padStart(3, '0')}${rest}`),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(null, '.' as const, ',' as const), (cell, decimal) => {
        const read = parseCsvNumber(unescapeFormula(cell.trim()), decimal);
        assert.equal(readCsvNumber(cell, decimal), read instanceof ValueFault ? undefined : read, cell);
      }),
      { numRuns: 2_000 },
    );
    const part = fc.integer({ min: 0, max: 32 }).map(String);
    const day = fc.tuple(part, part, fc.constantFrom('/', '-', '.')).map(([a, b, by]) => `${a}${by}${b}${by}2026`);
    fc.assert(
      fc.property(day, fc.constantFrom(null, 'dmy' as const, 'mdy' as const), (cell, order) => {
        const read = parseCsvDate(cell, order);
        assert.equal(readCsvDay(cell, order), read instanceof ValueFault ? undefined : read, cell);
      }),
    );
  });

  it('reads a column in one way throughout, and nothing of one that contradicts itself', () => {
    const numbers = {
      formats: ['decimal'],
      preview: (cell: string, { decimal }: CsvFormats) => readCsvNumber(cell, decimal ?? null),
    };
    const of = (cells: string[], decimal: '.' | ',' | null = null) =>
      columnFormats(cells, { decimal, dateOrder: null }, numbers);
    assert.equal(of(['1.234', '99,90'])?.decimal, ',');
    assert.equal(of(['1.234', '2.5'])?.decimal, '.');
    assert.equal(of(['1.234', '7', ''])?.decimal, null);
    assert.equal(of(['2.5', '99,90']), undefined);
    assert.equal(of(['2.5', '99,90'], '.')?.decimal, '.');
    const days = {
      formats: ['dateOrder'],
      preview: (cell: string, { dateOrder }: CsvFormats) => readCsvDay(cell, dateOrder ?? null),
    };
    assert.equal(
      columnFormats(['03/04/2026', '25/12/2026'], { decimal: null, dateOrder: null }, days)?.dateOrder,
      'dmy',
    );
  });
});

describe('a CSV of conversions', () => {
  it('is read as spreadsheets write it', () => {
    for (const start of ['', 'sep=;\r\n', '\ufeffsep=;\r\n', '"sep=;"\n', 'SEP=;;\n']) {
      assert.deepEqual(
        [...csvRows(`${start}gclid;value\r\nScreen 24";1,5\r\n ;\u00a0\r\n;\r\nb;2`)],
        [
          ['gclid', 'value'],
          ['Screen 24"', '1,5'],
          ['b', '2'],
        ],
      );
    }
  });
});
