// Slow: 300 reports that race on three processes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failures } from './proof.ts';
import { restatements } from './restatements.ts';

test('reports of one eventId that race on three processes are one conversion with the value of the last arrival', async (context) => {
  const findings = await restatements.run({ reports: 300 }, (line) => context.diagnostic(line));
  assert.deepEqual(failures(findings), []);
});
