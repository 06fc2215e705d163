import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { decimalOf } from '../src/conversions/columns.ts';
import { today } from '../src/shared/days.ts';
import { formatInputDay, formatInputNumber, parseDay, parseDecimal } from '../src/shared/locale.ts';
import { localeDefaults } from '../src/shared/locale-defaults.ts';
import { setAccountTimeZone } from '../src/shared/time-zone.ts';
import { instantOf, timesOfRange, wallTimeOf } from '../src/shared/wall-time.ts';

const LOCALES = [
  'en-US',
  'en-GB',
  'en-IN',
  'de-DE',
  'de-CH',
  'fr-FR',
  'es-ES',
  'sv-SE',
  'pt-BR',
  'ja-JP',
  'ar-EG',
  'fa-IR',
  'hi-IN',
];

describe('the notation of the locale', () => {
  it('reads numbers in it, else in the other one', () => {
    for (const [locale, text, number] of [
      ['de-DE', '1234,5', '1234.5'],
      ['de-DE', '1.234,5', '1234.5'],
      ['de-DE', '1.234', '1234'],
      ['de-DE', '1234.5', '1234.5'],
      ['de-DE', '1,234', '1.234'],
      ['en-US', '1234,5', '1234.5'],
      ['en-US', '1,234', '1234'],
      ['en-US', '1,234.5', '1234.5'],
      ['fr-FR', '1\u202f234,5', '1234.5'],
      ['de-CH', '1’234.5', '1234.5'],
      ['en-IN', '12,34,567.5', '1234567.5'],
      ['ar-EG', '١٬٢٣٤٫٥', '1234.5'],
      ['ja-JP', '１２３４.５', '1234.5'],
      ['de-DE', '−,5', '-0.5'],
      ['de-DE', '0,12345678901234567890', '0.12345678901234567890'],
    ] as const) {
      assert.equal(parseDecimal(text, locale), number, `${locale} ${text}`);
    }
    for (const text of ['', '-', 'n/a', '1.2.3', '1,2,3', '12 EUR', '1e5'])
      assert.equal(parseDecimal(text, 'de-DE'), undefined, text);
  });

  it('reads days in it, and as YYYY-MM-DD', () => {
    for (const [locale, text, day] of [
      ['de-DE', '03.04.2026', '2026-04-03'],
      ['de-DE', '3.4.26', '2026-04-03'],
      ['de-DE', '3. April 2026', '2026-04-03'],
      ['en-US', '03/04/2026', '2026-03-04'],
      ['en-US', 'Apr 3, 2026', '2026-04-03'],
      ['en-GB', '03/04/2026', '2026-04-03'],
      ['ja-JP', '2026年4月3日', '2026-04-03'],
      ['ar-EG', '٠٣/٠٤/٢٠٢٦', '2026-04-03'],
      ['de-DE', '2026-04-03', '2026-04-03'],
    ] as const) {
      assert.equal(parseDay(text, locale), day, `${locale} ${text}`);
    }
    for (const text of ['', '31.02.2026', '12.2026', 'tomorrow', '3.4.5.6'])
      assert.equal(parseDay(text, 'de-DE'), null, text);
  });

  it('reads back whatever it writes, in every locale', () => {
    for (const locale of LOCALES) {
      for (let ms = Date.UTC(2026, 0, 1); ms < Date.UTC(2027, 0, 1); ms += 5 * 86_400_000) {
        const day = new Date(ms).toISOString().slice(0, 10);
        assert.equal(parseDay(formatInputDay(day, locale), locale), day, locale);
      }
      for (const number of ['0', '1234.5', '-0.25', '1234567.891']) {
        assert.equal(parseDecimal(formatInputNumber(number, locale), locale), number, locale);
      }
    }
  });

  it('decides what an ambiguous amount of a CSV is', () => {
    assert.equal(decimalOf('1,234', 'de-DE'), '1.234');
    assert.equal(decimalOf('1.234 €', 'de-DE'), '1234');
    assert.equal(decimalOf('1.234', 'en-US'), '1.234');
  });
});

describe('the time zone of the account', () => {
  after(() => setAccountTimeZone(undefined));

  it('decides which day it is, when days start and how times are shown, whatever the zone of the browser', () => {
    const late = Date.parse('2026-11-20T23:30:00Z');
    for (const [zone, day, start, shown] of [
      ['Asia/Tokyo', '2026-11-21', '2026-11-20T15:00:00.000Z', '2026-11-21 08:30:00'],
      ['America/New_York', '2026-11-20', '2026-11-20T05:00:00.000Z', '2026-11-20 18:30:00'],
    ] as const) {
      setAccountTimeZone(zone);
      assert.equal(today(late), day);
      assert.equal(instantOf(day), start);
      assert.equal(wallTimeOf(new Date(late).toISOString()), shown);
      assert.equal(instantOf(shown), '2026-11-20T23:30:00.000Z');
    }
    // A day of 25 hours.
    setAccountTimeZone('Europe/Berlin');
    assert.deepEqual(timesOfRange({ from: '2026-10-25', to: '2026-10-25' }), {
      from: '2026-10-24T22:00:00.000Z',
      to: '2026-10-25T23:00:00.000Z',
    });
    assert.deepEqual(timesOfRange({ from: 'x', to: '2026-10-25' }), {});
  });

  it('and the currency of a new one are those of the browser', () => {
    assert.deepEqual(
      ['de-DE', 'de', 'en-GB', 'ja', 'pt-BR', 'en-AQ', 'en-US@posix'].map((locale) => localeDefaults(locale).currency),
      ['EUR', 'EUR', 'GBP', 'JPY', 'BRL', undefined, undefined],
    );
  });
});
