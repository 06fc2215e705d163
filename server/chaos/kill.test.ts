// Slow: an installation of its own, with a database that flushes to disk.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kill } from './kill.ts';
import { failures } from './proof.ts';

test('whatever is acknowledged survives one kill -9 of the service, once, and leaves no orphaned file', async (context) => {
  const findings = await kill.run({ rounds: 1, responses: 100, minutes: 5, storages: 1 }, (line) =>
    context.diagnostic(line),
  );
  assert.deepEqual(failures(findings), []);
});
