/** Ids, times, JSON and page tokens: what goes in comes out, in order, and nothing else is taken. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { longestBlock } from '../../test/event-loop.ts';
import { ByteWriter } from './byte-writer.ts';
import { ApiError } from './errors.ts';
import { newUuid, parseId, publicId, uuidTime } from './ids.ts';
import { isExact, isStorable, parseExactly, parseJson, parseJsonLeniently, readJson } from './json.ts';
import { pageTokens } from './page-token.ts';
import { isDate, isoTime, parseTimestamp } from './time.ts';

const uuid = fc.uuid();

test('an id and its public form convert into each other and sort alike', () => {
  fc.assert(
    fc.property(uuid, uuid, (a, b) => {
      const [x, y] = [publicId('ent', a), publicId('ent', b)];
      assert.match(x, /^ent_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      assert.equal(parseId('ent', x), a);
      assert.equal(x < y, a < b);
      assert.equal(parseId('col', x), undefined);
      const bytes = Buffer.from(a.replaceAll('-', ''), 'hex');
      assert.deepEqual([publicId('ent', bytes), uuidTime(bytes)], [x, uuidTime(a)]);
      const out = new ByteWriter(0);
      for (const at of [0, 3]) out.idDigits(Buffer.concat([Buffer.alloc(at), bytes]), at);
      assert.equal(`ent_${out.written}`, x + x.slice(4));
    }),
  );
});

test('anything but an id of the right type is rejected', () => {
  const good = publicId('ent', newUuid());
  const wrong = ['', 'ent_', good.toUpperCase(), `${good}0`, good.slice(0, -1), ` ${good}`, good.replace('_', '-')];
  for (const text of [...wrong, `ent_8${good.slice(5)}`, good.replace(/.$/, 'u'), `ent_${'z'.repeat(26)}`]) {
    assert.equal(parseId('ent', text), undefined, text);
  }
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(parseId('ent', text), undefined)));
});

test('new ids contain their time and always increase, even if the clock goes back', () => {
  const base = Date.now() + 10_000;
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 2, maxLength: 50 }), (steps) => {
      const ids = steps.map((step) => newUuid(base + step));
      assert.deepEqual(ids, ids.toSorted());
      assert.equal(new Set(ids).size, ids.length);
    }),
  );
  const later = base + 60_000;
  assert.equal(uuidTime(newUuid(later)), later);
  const burst = Array.from({ length: 10_000 }, () => newUuid(later));
  assert.deepEqual(burst, burst.toSorted());
  assert.equal(new Set(burst).size, burst.length);
  for (const id of burst) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('JSON whose text can be stored is parsed unchanged', () => {
  const storable = fc.string({ unit: 'binary' }).filter(isStorable);
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      storable,
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        storable.filter((name) => name !== '__proto__'),
        tie('value'),
        { maxKeys: 4, noNullPrototype: true },
      ),
    ),
  }));
  fc.assert(
    fc.property(value, fc.boolean(), (json, isEscaped) => {
      const text = JSON.stringify(json);
      const escaped = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
      const sent = isEscaped ? text.replace(/[^\x20-\x7e]/g, escaped) : text;
      assert.deepEqual(parseJson(Buffer.from(sent), 32), json);
    }),
  );
});

test('a lenient parser keeps what can be stored, and replaces the rest where it is', () => {
  const read = (text: string) => parseJsonLeniently(Buffer.from(text));
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      assert.deepEqual(read(text), JSON.parse(text));
      const [large, named, replaced] = read(`[1e400,{"__proto__":${text}},"\\u0000\\ud800"]`) as unknown[];
      assert.deepEqual([large, replaced], ['1e400', '\ufffd\ufffd']);
      assert.deepEqual(Object.entries(named as object), [['__proto__', JSON.parse(text)]]);
    }),
  );
  assert.deepEqual(read('[-1E999,1e308,"1e999 \\"2e999",{"1e999":9e999}]'), [
    '-1E999',
    1e308,
    '1e999 "2e999',
    { '1e999': '9e999' },
  ]);
  assert.deepEqual(parseJsonLeniently(Buffer.from('5b22ff225d', 'hex')), ['\ufffd']);
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  assert.deepEqual(read(`[${nested(100_000)},"[]{",{"a":${nested(33)}}]`), [
    JSON.parse(nested(33)),
    '[]{',
    { a: JSON.parse(nested(32)) },
  ]);
  for (const text of ['[1e999', '1e999x', '['.repeat(100), '{"a":1e999,}']) {
    assert.throws(() => read(text), { code: 'json_malformed' }, text);
  }
});

test('a megabyte of anything is parsed leniently without blocking the event loop', async () => {
  for (const part of ['[', '"\\u0000",', '1e999,', '0.30000000000000004,', '{"a":', '"",', '-', '[]']) {
    const text = `[${part.repeat(1_000_000 / part.length)}`;
    const block = await longestBlock(async () => {
      try {
        parseJsonLeniently(Buffer.from(`${text}1]`));
      } catch {}
    });
    assert.ok(block < 250, `${part}: ${block} units`);
  }
});

test('a number that a double does not hold keeps its digits, and every other one is read as before', () => {
  const digits = fc.stringMatching(/^[1-9]\d{0,30}$/);
  const number = fc
    .tuple(
      fc.constantFrom('', '-'),
      digits,
      fc.stringMatching(/^(\.\d{1,30})?$/),
      fc.stringMatching(/^([eE][+-]?\d{1,2})?$/),
    )
    .map((parts) => parts.join(''));
  // The exact value, in 10^-200.
  const scaled = (text: string) => {
    const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(text) ?? [];
    return `${sign}${BigInt(whole + fraction) * 10n ** BigInt(200 + Number(exponent) - fraction.length)}`;
  };
  fc.assert(
    fc.property(fc.array(number), (numbers) => {
      const text = `{"a":[${numbers.join()}],"b":"${numbers[0] ?? ''}"}`;
      const stored = JSON.stringify(parseExactly(text));
      for (const written of [
        stored,
        JSON.stringify(parseJsonLeniently(Buffer.from(text))),
        JSON.stringify(readJson(stored)),
      ]) {
        const [, list = ''] = /^\{"a":\[(.*)\],/.exec(written) ?? [];
        assert.deepEqual(list.split(',').filter(Boolean).map(scaled), numbers.map(scaled));
      }
      const { a } = parseExactly(text) as { a: unknown[] };
      numbers.forEach((each, i) => {
        assert.equal(typeof a[i] === 'number', isExact(each));
      });
    }),
  );
  const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => (Object.is(each, -0) ? 0 : each));
  fc.assert(fc.property(double, (each) => assert.equal(parseExactly(String(each)), each)));
  const names = ['/a', '/b/0'];
  const sent = Buffer.from('{"a":76561198009194284,"b":[0.1234567890123456789],"c":1.50,"d":"76561198009194284"}');
  assert.throws(
    () => parseJson(sent, 32),
    ({ errors }: ApiError) => {
      assert.deepEqual(
        errors.map(({ pointer, code }) => `${pointer} ${code}`),
        names.map((name) => `${name} number_inexact`),
      );
      return true;
    },
  );
  assert.equal(
    JSON.stringify(parseJson(Buffer.from('{"__proto__":[76561198009194284]}'), 32, true)),
    '{"__proto__":[76561198009194284]}',
  );
  for (const beyond of ['1e400', '-1e999', '1e-400', '9'.repeat(500)]) {
    assert.throws(() => parseJson(Buffer.from(`[${beyond}]`), 32, true), { code: 'number_out_of_range' });
    assert.deepEqual(parseJsonLeniently(Buffer.from(`[${beyond},76561198009194284]`)), [
      beyond,
      JSON.rawJSON('76561198009194284'),
    ]);
  }
  assert.throws(() => parseJsonLeniently(Buffer.from('[1.2.3e5]')), { code: 'json_malformed' });
});

test('of a member name of a megabyte, an error returns only the start', () => {
  const body = JSON.stringify({ ['~/'.repeat(500_000)]: '\0' });
  assert.throws(
    () => parseJson(Buffer.from(body), 32),
    ({ errors }: ApiError) => errors.length === 1 && JSON.stringify(errors).length < 5_000,
  );
});

test('nesting is counted exactly, and not inside strings', () => {
  const nested = (depth: number) => `${'[{"]}[{":'.repeat(depth / 2)}"\\"[[["${'}]'.repeat(depth / 2)}`;
  assert.doesNotThrow(() => parseJson(Buffer.from(nested(32)), 32));
  assert.throws(() => parseJson(Buffer.from(`[${nested(32)}]`), 32), { code: 'json_too_deep' });
});

test('any bytes are either parsed as JSON or rejected with a reason', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        try {
          parseJson(Buffer.from(bytes), 32);
        } catch (error) {
          assert.ok(error instanceof ApiError && error.status === 400);
        }
      },
    ),
  );
});

test('a page token is only valid unchanged and in its own context', () => {
  const tokens = pageTokens(Buffer.alloc(32, 1));
  const others = pageTokens(Buffer.alloc(32, 2));
  const scope = fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 4 });
  fc.assert(
    fc.property(scope, scope, fc.jsonValue(), fc.nat(), fc.nat(63), (mine, other, position, at, bit) => {
      const token = tokens.write(mine, position);
      assert.deepEqual(tokens.read(mine, token), JSON.parse(JSON.stringify(position)));
      const refused = { status: 400, code: 'page_token_invalid' };
      if (JSON.stringify(mine) !== JSON.stringify(other)) assert.throws(() => tokens.read(other, token), refused);
      assert.throws(() => others.read(mine, token), refused);
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const i = at % token.length;
      const changed = token.slice(0, i) + alphabet[bit] + token.slice(i + 1);
      if (changed !== token) assert.throws(() => tokens.read(mine, changed), refused);
      assert.throws(() => tokens.read(mine, token.slice(0, i)), refused);
    }),
  );
});

test('a timestamp is parsed to the millisecond in any zone, and invalid days are rejected', () => {
  const time = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9999-12-30T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(time, fc.integer({ min: -14 * 60, max: 14 * 60 }), (date, minutes) => {
      const ms = date.getTime();
      assert.equal(parseTimestamp(isoTime(ms)), ms);
      const out = new ByteWriter(0);
      for (const part of [ms, ms, ms - 1]) out.time(part);
      assert.equal(String(out.written), isoTime(ms) + new Date(ms).toISOString() + new Date(ms - 1).toISOString());
      const sign = minutes < 0 ? '-' : '+';
      const zone = `${sign}${String(Math.trunc(Math.abs(minutes) / 60)).padStart(2, '0')}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`;
      assert.equal(parseTimestamp(isoTime(ms + minutes * 60_000).replace('Z', zone)), ms);
    }),
  );
  assert.equal(parseTimestamp('2024-02-29T23:59:60Z'), Date.parse('2024-02-29T23:59:59Z'));
  assert.equal(parseTimestamp('2026-11-20T08:00:00.123999Z'), Date.parse('2026-11-20T08:00:00.123Z'));
  const none = [
    '2023-02-29T00:00:00Z',
    '2026-11-31T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T08:00:00',
    '2026-11-20',
  ];
  for (const text of [...none, '20261120T080000Z', '2026-11-20T08:60:00Z', 'now', '', '2026-11-20T08:00:00+25:00']) {
    assert.equal(parseTimestamp(text), undefined, text);
  }
  for (const text of ['2024-02-29', '2000-02-29', '2026-12-31']) assert.ok(isDate(text), text);
  for (const text of ['2023-02-29', '1900-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '26-01-01', '2026-01-01T']) {
    assert.ok(!isDate(text), text);
  }
});
