// Slow: a database that is away for seconds, in each of four ways.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseOutages } from './database-outages.ts';
import { failures } from './proof.ts';

test('while the database is stopped, hangs or cannot be reached every request is answered, and then succeeds again', async (context) => {
  // Ample for a busy machine; `npm run chaos` proves the limits.
  const findings = await databaseOutages.run({ seconds: 6, answer: 60, recovery: 60 }, (line) =>
    context.diagnostic(line),
  );
  assert.deepEqual(failures(findings), []);
});
