// Slow: two installations that are killed three times each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kill } from './kill.ts';
import { failures } from './proof.ts';

test('whatever is acknowledged survives kill -9 of the service and its database, once, and leaves no orphaned file', async (context) => {
  const findings = await kill.run({ rounds: 6, responses: 50, minutes: 5, storages: 2 }, (line) =>
    context.diagnostic(line),
  );
  assert.deepEqual(failures(findings), []);
});
