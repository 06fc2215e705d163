import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../test/harness.ts';
import { binaryArray } from './binary-array.ts';

const LONG = 'ü€😀 "quoted" \\ {braces}, '.repeat(5_000);

const SAMPLES: Record<string, unknown[]> = {
  uuid: ['018f4a3c-1d2e-7abc-8def-0123456789AB', '00000000-0000-0000-0000-000000000000'],
  text: ['', 'NULL', 'a', 'a', LONG, 'b'],
  boolean: [true, false],
  integer: [0, -1, 2_147_483_647, -2_147_483_648],
  bigint: [
    0,
    -1,
    4_294_967_296,
    -4_294_967_297,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
    '-123456789012345678',
  ],
  'double precision': [0.1, -1e300, 5e-324],
  timestamptz: [
    '1970-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00.000Z',
    new Date(951_782_400_001),
    1_763_800_000_123,
  ],
  json: ['{"a": 1}', '[1,2]', `"${LONG.replaceAll(/["\\]/g, '')}"`],
  jsonb: ['{"a": 1}', '[1,2]', 'null'],
  bytea: [Buffer.from([]), Buffer.from([0, 255, 10])],
};

test('every type arrives as its text would, with nulls, repeated and long values, and in batches of any size', async () => {
  const db = await testDatabase();
  for (const [type, samples] of Object.entries(SAMPLES)) {
    const iso = (value: unknown) => (typeof value === 'number' && type === 'timestamptz' ? new Date(value) : value);
    const [first = null] = samples;
    for (const values of [[], [null], samples, [null, first, null, first, first], Array(3_000).fill(first)]) {
      const sent = binaryArray(type, values);
      assert.ok(sent, type);
      const each = values.map((value) => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : iso(value)));
      const expected = each.map((value) => (value instanceof Date ? value.toISOString() : value));
      const { rows } = await db.query(
        `select array(select each::text from unnest($1::${type}[]) as each) as sent,
           array(select (each::${type})::text from unnest($2::text[]) as each) as expected`,
        [sent, expected],
      );
      assert.deepEqual(rows[0].sent, rows[0].expected, type);
    }
  }
});

test('what is no value of the type is left to the server', () => {
  assert.equal(binaryArray('numeric', [1]), undefined);
  assert.equal(binaryArray('uuid', ['018f4a3c-1d2e-7abc-8def-0123456789ag']), undefined);
  assert.equal(binaryArray('uuid', ['018f4a3c1d2e7abc8def0123456789ab']), undefined);
  assert.equal(binaryArray('integer', [1.5]), undefined);
  assert.equal(binaryArray('integer', [2 ** 31]), undefined);
  assert.equal(binaryArray('bigint', [2 ** 60]), undefined);
  assert.equal(binaryArray('bigint', ['one']), undefined);
  assert.equal(binaryArray('timestamptz', ['infinity']), undefined);
  assert.equal(binaryArray('timestamptz', ['2026-02-30T00:00:00.000Z', '2026-01-01 00:00:00.123456+00']), undefined);
  assert.equal(binaryArray('timestamptz', ['2026-13-01T00:00:00.000Z']), undefined);
});
