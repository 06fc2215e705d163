// Slow: processes that are replaced in turn under load, twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failures } from './proof.ts';
import { rollingRestarts, rollingUpgrade } from './rolling-restarts.ts';

test('no request fails while processes behind a load balancer are restarted in turn', async (context) => {
  const findings = await rollingRestarts.run({ restarts: 2, rate: 50 }, (line) => context.diagnostic(line));
  assert.deepEqual(failures(findings), []);
});

test('no request fails while processes are replaced in turn by a newer version, and the old one no longer starts', async (context) => {
  const findings = await rollingUpgrade.run({ rate: 50, seconds: 2 }, (line) => context.diagnostic(line));
  assert.deepEqual(failures(findings), []);
});
