import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testDatabase } from '../../../test/harness.ts';
import { scaledDecimal } from './parquet-column.ts';

const db = await testDatabase();

test('decimals of Parquet are those that PostgreSQL rounds to nine decimals', async () => {
  const texts = fc.sample(
    fc
      .tuple(fc.constantFrom('', '-'), fc.stringMatching(/^(?:0|[1-9]\d{0,18})(?:\.\d{1,30})?$/))
      .map((parts) => parts.join('')),
    { numRuns: 500 },
  );
  texts.push(
    '0',
    '1234567890123456789.10',
    '-0.05',
    '0.0000000005',
    '-0.0000000005',
    '0.00000000049999',
    '9.9999999999',
  );
  const { rows } = await db.query<{ scaled: string }>(
    'select (round(each, 9) * 1000000000)::numeric(60, 0)::text as scaled from unnest($1::numeric[]) with ordinality w (each, n) order by n',
    [texts],
  );
  assert.deepEqual(
    texts.map((text) => String(scaledDecimal(text))),
    rows.map(({ scaled }) => scaled),
  );
});
