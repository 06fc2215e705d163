import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCurrency } from '../../shared/currency.ts';
import { sessionIds } from '../../shared/session-ids.ts';
import { IDENTIFIER_NAMES, isAbsent } from '../../tracking/index.ts';
import { readReport } from './read-report.ts';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const ids = sessionIds(Buffer.alloc(32));
const gclid = 'EAIaIQobChMI';

function codesOf(item: unknown): string[] {
  return (readReport(ids, item, NOW).faults ?? []).map(({ code, path }) => (path === '' ? code : `${code} ${path}`));
}

test('each rule has its code and names the member at fault', () => {
  const cases: [unknown, string[]][] = [
    [{ gclid }, []],
    [{}, ['identifier_missing']],
    [{ gclid: null, hash: '', fbclid: ' \t' }, ['identifier_missing']],
    [{ gclid: '', gbraid: 'x' }, []],
    [{ gclid, gbraid: gclid }, ['identifier_conflict gclid', 'identifier_conflict gbraid']],
    [{ gclid: [gclid] }, ['identifier_conflict gclid']],
    [{ gclid: 5 }, []],
    [{ gclid: 1.5 }, []],
    [{ sessionId: 5 }, []],
    [{ shortHash: 123456789012 }, []],
    [{ gclid: 'x'.repeat(2049) }, ['identifier_invalid gclid']],
    [{ gclid: '{gclid}', fbclid: 'null', hash: '[hash]', sclid: '__SCLID__' }, ['identifier_missing']],
    [{ gclid: '{{gclid}}', fbclid: '%%FBCLID%%', msclkid: `\${msclkid}`, epik: 'undefined', ttclid: 'x' }, []],
    [{ hash: {} }, ['identifier_invalid hash']],
    [{ shortHash: true }, ['identifier_invalid shortHash']],
    [{ gclid, event: 'signup' }, []],
    [{ gclid, event: 'é'.repeat(255) }, []],
    [{ gclid, event: '😀'.repeat(255) }, []],
    [{ gclid, event: '😀'.repeat(256) }, ['event_invalid event']],
    [{ gclid, event: 'x'.repeat(256) }, ['event_invalid event']],
    [{ gclid, event: '' }, ['event_invalid event']],
    [{ gclid, event: null }, []],
    [{ gclid, event: '{event}' }, []],
    [{ gclid, event: 1 }, ['event_invalid event']],
    [{ gclid, eventId: null }, []],
    [{ gclid, eventId: '' }, []],
    [{ gclid, eventId: 'x'.repeat(255) }, []],
    [{ gclid, eventId: 'x'.repeat(256) }, ['event_id_invalid eventId']],
    [{ gclid, eventId: 7 }, []],
    [{ gclid, eventId: true }, ['event_id_invalid eventId']],
    [{ gclid, eventId: ['a'] }, ['event_id_invalid eventId']],
    [{ gclid, value: null }, []],
    [{ gclid, value: 0 }, []],
    [{ gclid, value: '12.50' }, []],
    [{ gclid, value: '' }, ['value_invalid value']],
    [{ gclid, value: ' ' }, ['value_invalid value']],
    [{ gclid, value: true }, ['value_invalid value']],
    [{ gclid, value: ' 12.5 ' }, []],
    [{ gclid, value: '{value}' }, []],
    [{ gclid, value: 'null' }, []],
    [{ gclid, value: { value: 1 } }, ['value_invalid value']],
    [{ gclid, value: ['1', '2'] }, ['value_invalid value']],
    [{ gclid, conversion: null }, []],
    [{ gclid, conversion: {} }, []],
    [{ gclid, conversion: '' }, []],
    [{ gclid, conversion: [] }, []],
    [{ gclid, conversion: { value: '3', type: 'sale' } }, []],
    [{ gclid, conversion: { value: '' } }, ['value_invalid conversion/value']],
    [{ gclid, conversion: { value: [] } }, ['value_invalid conversion/value']],
    [{ gclid, conversion: 3 }, ['value_invalid conversion']],
    [{ gclid, value: 1, conversion: { value: '' } }, []],
    [{ gclid, value: '', conversion: { value: 1 } }, ['value_invalid value']],
    [{ gclid, currency: null }, []],
    [{ gclid, currency: 'eUr' }, []],
    [{ gclid, currency: '' }, []],
    [{ gclid, currency: ' eur ' }, []],
    [{ gclid, currency: '[currency]' }, []],
    [{ gclid, currency: 'EURO' }, ['currency_invalid currency']],
    [{ gclid, currency: 'ABC' }, ['currency_invalid currency']],
    [{ gclid, currency: 978 }, ['currency_invalid currency']],
    [{ gclid, extra: null }, []],
    [{ gclid, extra: { plan: ['pro'] } }, []],
    [{ gclid, extra: [] }, []],
    [{ gclid, extra: [1] }, ['extra_invalid extra']],
    [{ gclid, extra: 'x' }, ['extra_invalid extra']],
    [{ gclid, extra: { text: 'x'.repeat(32_768) } }, ['extra_invalid extra']],
    [{ gclid, createdOn: 'whenever' }, []],
    [{ gclid, utm_source: 'x', type: 1 }, []],
    [null, ['item_invalid']],
    ['x', ['item_invalid']],
    [[], ['item_invalid']],
    [
      { value: '', currency: 'x', event: '', eventId: [1], extra: 1 },
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

test('what a report does not contain is null, so that restating leaves it unchanged', () => {
  const nothing = {
    event: null,
    createdOn: null,
    eventId: null,
    value: null,
    currency: null,
    extra: null,
    knownAt: null,
    isTimeReplaced: false,
  };
  const { identifier: _, ...rest } = readReport(ids, { gclid, conversion: {}, value: null }, NOW).report ?? {};
  assert.deepEqual(rest, nothing);
});

test('the top-level value wins over the deprecated one, unless it is null or absent', () => {
  const amountOf = (item: object) => readReport(ids, { gclid, ...item }, NOW).report?.value;
  assert.equal(amountOf({ value: 1, conversion: { value: 2 } }), '1');
  assert.equal(amountOf({ value: 0, conversion: { value: 2 } }), '0');
  assert.equal(amountOf({ value: null, conversion: { value: 2 } }), '2');
  assert.equal(amountOf({ conversion: { value: '2.50' } }), '2.50');
  assert.equal(amountOf({ conversion: { value: null } }), null);
  assert.equal(amountOf({ value: 0.1 }), '0.1');
});

test('currency is an ISO 4217 code in any case, stored in capitals', () => {
  assert.equal(readCurrency('eur'), 'EUR');
  assert.equal(readCurrency('BGN'), 'BGN');
  assert.equal(readCurrency(' usd\n'), 'USD');
  for (const code of ['DEM', 'ZZZ', 'eu', 'ıdr', 'E UR', '']) assert.equal(readCurrency(code), undefined, code);
});

const present = fc.oneof(
  fc.string({ minLength: 1 }).filter((text) => !isAbsent(text)),
  fc.integer(),
  fc.constant(true),
);
const absent = fc.constantFrom(null, '', ' ', '\n\t', undefined, '{gclid}', '[gclid]', 'null');

test('exactly one identifier that is not absent is accepted, whichever it is', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom(...IDENTIFIER_NAMES), { minLength: 1 }),
      fc.array(present, { minLength: 3, maxLength: 3 }),
      fc.nat(3),
      absent,
      (names, values, count, blank) => {
        const item = Object.fromEntries(names.map((name, i) => [name, i < count ? values[i] : blank]));
        const given = Math.min(count, names.length);
        const codes = new Set((readReport(ids, item, NOW).faults ?? []).map(({ code }) => code));
        if (given === 0) assert.deepEqual([...codes], ['identifier_missing']);
        else if (given > 1) assert.deepEqual([...codes], ['identifier_conflict']);
        else {
          assert.deepEqual([...codes], values[0] === true ? ['identifier_invalid'] : []);
        }
      },
    ),
  );
});

test('any value is either read or rejected, and never throws', () => {
  const names = [...IDENTIFIER_NAMES, 'event', 'createdOn', 'eventId', 'value', 'currency', 'conversion', 'extra', 'x'];
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...names), fc.jsonValue())), (item) => {
      const { report, faults } = readReport(ids, item, NOW);
      assert.ok((report === undefined) !== (faults === undefined));
      for (const { code, detail } of faults ?? []) assert.ok(/^[a-z_]+$/.test(code) && detail.endsWith('.'));
    }),
  );
});
