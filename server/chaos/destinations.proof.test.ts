// Slow: services that are killed while they send conversions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { destinations } from './destinations.ts';
import { failures } from './proof.ts';

test('conversions that are sent while the service is killed are counted once, with their latest value', async (context) => {
  const parameters = { conversions: 300, restated: 100, kills: 3 };
  const findings = await destinations.run(parameters, (line) => context.diagnostic(line));
  assert.deepEqual(failures(findings), []);
});
