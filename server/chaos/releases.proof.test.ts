// Slow: readers of two processes while releases are published.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failures } from './proof.ts';
import { releases } from './releases.ts';

test('readers see all or nothing of a release while it is published', async (context) => {
  const findings = await releases.run({ rounds: 4, entries: 60, clients: 10 }, (line) => context.diagnostic(line));
  assert.deepEqual(failures(findings), []);
});
