import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testDatabase } from '../../../test/harness.ts';
import { between, complement, END, exactly, intersect, type KeyRanges, pointsOf } from '../listing/key-ranges.ts';
import { fold } from './fold.ts';
import { toSlug } from './formats/slug.ts';
import { type FieldType, typeOf } from './index.ts';
import { compareKeys, MISSING, SORTED_LENGTH, textPrefix } from './sort-key.ts';

const sortKey = (type: FieldType, value: unknown) => typeOf({ type }).sortKey(value);

const db = await testDatabase();
const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const sign = Math.sign;

const unicode = fc
  .string({ unit: 'binary', maxLength: 40 })
  .filter((text) => text.isWellFormed() && !text.includes('\u0000'));
const text = fc.oneof(unicode, fc.string({ unit: fc.constantFrom('a', 'A', 'á', 'b', ' ', '\u0301', '𝒳', '\uffff') }));
const timestamp = fc
  .date({ min: new Date('0001-01-01T00:00:00.000Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

test('keys compare like numbers, timestamps, dates and booleans, and are equal only for equal values', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(number, number, (a, b) => {
      assert.equal(
        sign(bytes(sortKey('number', a), sortKey('number', b))),
        sign(a - b) + 0 || (a > b ? 1 : a < b ? -1 : 0),
      );
    }),
  );
  assert.equal(sortKey('number', -0), sortKey('number', 0));
  fc.assert(
    fc.property(timestamp, timestamp, (a, b) => {
      const expected = sign(Date.parse(a) - Date.parse(b));
      assert.equal(sign(bytes(sortKey('timestamp', a), sortKey('timestamp', b))), expected);
      assert.equal(
        sign(bytes(sortKey('date', a.slice(0, 10)), sortKey('date', b.slice(0, 10)))),
        sign(bytes(a.slice(0, 10), b.slice(0, 10))),
      );
    }),
  );
  assert.ok(bytes(sortKey('boolean', false), sortKey('boolean', true)) < 0);
});

test('keys of text sort by its folded prefix, and are equal only for the same text', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [x, y] = [sortKey('text', a), sortKey('text', b)];
      const byPlace = bytes(textPrefix(a), textPrefix(b));
      if (byPlace !== 0) assert.equal(sign(bytes(x, y)), sign(byPlace));
      assert.equal(x === y, a === b);
      for (const key of [x, sortKey('select', a), sortKey('url', a)]) {
        assert.ok(key !== '' && bytes(key, MISSING) < 0 && key.isWellFormed());
        assert.ok(key.length <= SORTED_LENGTH + 13);
      }
      assert.equal(sortKey('select', a) === sortKey('select', b), a === b);
    }),
    { numRuns: 500 },
  );
  const long = 'x'.repeat(SORTED_LENGTH);
  assert.notEqual(sortKey('text', `${long}a`), sortKey('text', `${long}b`));
  assert.ok(sortKey('text', `${'x'.repeat(SORTED_LENGTH - 1)}𝒳𝒳`).isWellFormed());
});

test('keys compare as in PostgreSQL', async () => {
  const texts = fc.sample(text, 300);
  const { rows } = await db.query('select t from unnest($1::text[]) t order by t collate "C"', [texts]);
  assert.deepEqual(
    [...texts].sort(compareKeys),
    rows.map((row) => row.t),
  );
});

test('folding removes case, accents and compatibility forms, and nothing else', () => {
  const same: [string, string][] = [
    ['Éclair', 'eclair'],
    ['İstanbul', 'istanbul'],
    ['ＡＢＣ２', 'abc2'],
    ['ﬁn', 'fin'],
    ['㎆', 'mb'],
    ['a\tb', 'a b'],
    ['Ŝ\u0323', 's'],
  ];
  for (const [from, to] of same) assert.equal(fold(from), to);
  // Vowel signs are letters, though Unicode calls them marks.
  assert.notEqual(fold('कि'), fold('कु'));
  fc.assert(fc.property(text, (each) => assert.equal(fold(fold(each)), fold(each))));
});

test('all forms of a letter of any script fold alike, and make one slug', () => {
  const words: [string, string][] = [
    ['ΟΔΟΣ', 'οδός'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
    ['DIYARBAKIR', 'dıyarbakır'],
    ['STRASSE', 'straße'],
    ['STRAẞE', 'strasse'],
    ['ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ', 'საქართველო'],
    ['ᏣᎳᎩ', 'ꮳꮃꭹ'],
    ['ԵՐԵՒԱՆ', 'երևան'],
    ['ǅUNGLA', 'ǆungla'],
    ['ΑΙΔΗΣ', 'ᾳδης'],
    ['𐐔𐐇𐐝𐐀𐐡𐐇𐐓', '𐐼𐐯𐑅𐐨𐑉𐐯𐐻'],
  ];
  for (const [capital, small] of words) {
    assert.equal(fold(capital), fold(small), small);
    assert.equal(toSlug(capital), toSlug(small), small);
  }
  assert.equal(toSlug('5 µm'), '5-um');
  for (let code = 0; code <= 0x10ffff; code++) {
    const letter = String.fromCodePoint(code);
    if (!letter.isWellFormed() || (letter.toUpperCase() === letter && letter.toLowerCase() === letter)) continue;
    for (const form of [letter.toUpperCase(), letter.toLowerCase(), letter.toUpperCase().toLowerCase()]) {
      assert.equal(fold(`x${form}`), fold(`x${letter}`), code.toString(16));
      if (letter !== 'µ') assert.equal(toSlug(`x${form}`), toSlug(`x${letter}`), code.toString(16));
    }
    assert.equal(fold(fold(letter)), fold(letter));
  }
});

test('sets of keys match their definitions', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '\uffff', '𝒳');
  const ranges: fc.Arbitrary<KeyRanges> = fc.oneof(
    fc.array(key, { maxLength: 4 }).map(exactly),
    fc.tuple(key, key).map(([low, high]) => between(low, high)),
    fc.constant<KeyRanges>(['', END]),
  );
  const has = (set: KeyRanges, one: string) => set.filter((bound) => compareKeys(bound, one) <= 0).length % 2 === 1;
  const probes = ['a', 'a\u0001', 'b', 'c', 'd', 'e', 'f', 'ff', '\uffff', '𝒳', MISSING];
  fc.assert(
    fc.property(ranges, ranges, (a, b) => {
      for (const one of probes) {
        assert.equal(has(complement(a), one), !has(a, one));
        assert.equal(has(intersect(a, b), one), has(a, one) && has(b, one));
        assert.equal(has(intersect(complement(a), b), one), !has(a, one) && has(b, one));
      }
    }),
  );
  assert.deepEqual(pointsOf(exactly(['b', 'a', 'b'])), ['a', 'b']);
  assert.deepEqual(pointsOf(complement(exactly(['a']))), undefined);
});
