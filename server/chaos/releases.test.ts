import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failures } from './proof.ts';
import { releases } from './releases.ts';

test('whoever reads while a release is published sees all of it or nothing', async (context) => {
  const findings = await releases.run({ rounds: 4, entries: 60, clients: 10 }, (line) => context.diagnostic(line));
  assert.deepEqual(failures(findings), []);
});
