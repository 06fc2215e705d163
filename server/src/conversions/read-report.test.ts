import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { IDENTIFIER_NAMES } from '../tracking/index.ts';
import { readCurrency } from './currency.ts';
import { readReport } from './read-report.ts';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const gclid = 'EAIaIQobChMI';

function codesOf(item: unknown): string[] {
  return (readReport(item, NOW).faults ?? []).map(({ code, at }) => (at === '' ? code : `${code} ${at}`));
}

test('each rule has its code and names the member it is about', () => {
  const cases: [unknown, string[]][] = [
    [{ gclid }, []],
    [{}, ['identifier_missing']],
    [{ gclid: null, hash: '', fbclid: ' \t' }, ['identifier_missing']],
    [{ gclid: '', gbraid: 'x' }, []],
    [{ gclid, gbraid: gclid }, ['identifier_conflict gclid', 'identifier_conflict gbraid']],
    [{ gclid: [gclid] }, ['identifier_conflict gclid']],
    [{ gclid: 5 }, ['identifier_invalid gclid']],
    [{ sessionId: 5 }, []],
    [{ sessionId: 1.5 }, ['identifier_invalid sessionId']],
    [{ hash: {} }, ['identifier_invalid hash']],
    [{ shortHash: true }, ['identifier_invalid shortHash']],
    [{ gclid, event: 'signup' }, []],
    [{ gclid, event: 'é'.repeat(255) }, []],
    [{ gclid, event: '😀'.repeat(255) }, []],
    [{ gclid, event: '😀'.repeat(256) }, ['event_invalid event']],
    [{ gclid, event: 'x'.repeat(256) }, ['event_invalid event']],
    [{ gclid, event: '' }, ['event_invalid event']],
    [{ gclid, event: null }, ['event_invalid event']],
    [{ gclid, event: 1 }, ['event_invalid event']],
    [{ gclid, eventId: null }, []],
    [{ gclid, eventId: '' }, []],
    [{ gclid, eventId: 'x'.repeat(255) }, []],
    [{ gclid, eventId: 'x'.repeat(256) }, ['event_id_invalid eventId']],
    [{ gclid, eventId: 7 }, ['event_id_invalid eventId']],
    [{ gclid, eventId: ['a'] }, ['event_id_invalid eventId']],
    [{ gclid, value: null }, []],
    [{ gclid, value: 0 }, []],
    [{ gclid, value: '12.50' }, []],
    [{ gclid, value: '' }, ['value_invalid value']],
    [{ gclid, value: ' ' }, ['value_invalid value']],
    [{ gclid, value: true }, ['value_invalid value']],
    [{ gclid, value: { value: 1 } }, ['value_invalid value']],
    [{ gclid, value: ['1', '2'] }, ['value_invalid value']],
    [{ gclid, conversion: null }, []],
    [{ gclid, conversion: {} }, []],
    [{ gclid, conversion: { value: '3', type: 'sale' } }, []],
    [{ gclid, conversion: { value: '' } }, ['value_invalid conversion/value']],
    [{ gclid, conversion: { value: [] } }, ['value_invalid conversion/value']],
    [{ gclid, conversion: 3 }, ['value_invalid conversion']],
    [{ gclid, value: 1, conversion: { value: '' } }, []],
    [{ gclid, value: '', conversion: { value: 1 } }, ['value_invalid value']],
    [{ gclid, currency: null }, []],
    [{ gclid, currency: 'eUr' }, []],
    [{ gclid, currency: '' }, ['currency_invalid currency']],
    [{ gclid, currency: 'EURO' }, ['currency_invalid currency']],
    [{ gclid, currency: 'ABC' }, ['currency_invalid currency']],
    [{ gclid, currency: 978 }, ['currency_invalid currency']],
    [{ gclid, extra: null }, []],
    [{ gclid, extra: { plan: ['pro'] } }, []],
    [{ gclid, extra: [] }, ['extra_invalid extra']],
    [{ gclid, extra: 'x' }, ['extra_invalid extra']],
    [{ gclid, extra: { text: 'x'.repeat(32_768) } }, ['extra_invalid extra']],
    [{ gclid, createdOn: 'whenever' }, []],
    [{ gclid, utm_source: 'x', type: 1 }, []],
    [null, ['item_invalid']],
    ['x', ['item_invalid']],
    [[], ['item_invalid']],
    [
      { value: '', currency: 'x', event: '', eventId: 1, extra: 1 },
      [
        'identifier_missing',
        'event_invalid event',
        'event_id_invalid eventId',
        'value_invalid value',
        'currency_invalid currency',
        'extra_invalid extra',
      ],
    ],
  ];
  for (const [item, codes] of cases) assert.deepEqual(codesOf(item), codes, JSON.stringify(item)?.slice(0, 100));
});

test('what a report does not name is null, so that restating leaves it as it was', () => {
  const nothing = { event: null, createdOn: null, eventId: null, value: null, currency: null, extra: null };
  const { identifier: _, ...rest } = readReport({ gclid, conversion: {}, value: null }, NOW).report ?? {};
  assert.deepEqual(rest, nothing);
});

test('the top-level value wins over the deprecated one, but null and absence are no value', () => {
  const amountOf = (item: object) => readReport({ gclid, ...item }, NOW).report?.value;
  assert.equal(amountOf({ value: 1, conversion: { value: 2 } }), '1');
  assert.equal(amountOf({ value: 0, conversion: { value: 2 } }), '0');
  assert.equal(amountOf({ value: null, conversion: { value: 2 } }), '2');
  assert.equal(amountOf({ conversion: { value: '2.50' } }), '2.50');
  assert.equal(amountOf({ conversion: { value: null } }), null);
  assert.equal(amountOf({ value: 0.1 }), '0.1');
});

test('currency is a code of ISO 4217 in any case, kept in capitals', () => {
  assert.equal(readCurrency('eur'), 'EUR');
  assert.equal(readCurrency('BGN'), 'BGN');
  for (const code of ['DEM', 'ZZZ', 'eu', 'ıdr', ' EUR', 'EUR ']) assert.equal(readCurrency(code), undefined, code);
});

const present = fc.oneof(
  fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
  fc.integer(),
  fc.constant(true),
);
const absent = fc.constantFrom(null, '', ' ', '\n\t', undefined);

test('exactly one identifier that is no blank is taken, whichever it is and whatever stands beside it', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom(...IDENTIFIER_NAMES), { minLength: 1 }),
      fc.array(present, { minLength: 3, maxLength: 3 }),
      fc.nat(3),
      absent,
      (names, values, count, blank) => {
        const item = Object.fromEntries(names.map((name, i) => [name, i < count ? values[i] : blank]));
        const given = Math.min(count, names.length);
        const codes = new Set((readReport(item, NOW).faults ?? []).map(({ code }) => code));
        if (given === 0) assert.deepEqual([...codes], ['identifier_missing']);
        else if (given > 1) assert.deepEqual([...codes], ['identifier_conflict']);
        else {
          const [name, value] = [names[0] ?? '', values[0]];
          const takesNumbers = ['hash', 'sessionHash', 'sessionId', 'visitHash'].includes(name);
          const fits = typeof value === 'string' || (typeof value === 'number' && takesNumbers);
          assert.deepEqual([...codes], fits ? [] : ['identifier_invalid']);
        }
      },
    ),
  );
});

test('any value whatever is read or refused, never thrown at', () => {
  const names = [...IDENTIFIER_NAMES, 'event', 'createdOn', 'eventId', 'value', 'currency', 'conversion', 'extra', 'x'];
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...names), fc.jsonValue())), (item) => {
      const { report, faults } = readReport(item, NOW);
      assert.ok((report === undefined) !== (faults === undefined));
      for (const { code, detail } of faults ?? []) assert.ok(/^[a-z_]+$/.test(code) && detail.endsWith('.'));
    }),
  );
});
