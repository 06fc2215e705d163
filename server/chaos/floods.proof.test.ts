// Slow: hundreds of connections, for seconds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { floods } from './floods.ts';
import { failuresButLatency } from './proof.ts';

test('slow and idle connections and overload do not keep others out', {
  skip: process.platform !== 'linux',
}, async (context) => {
  const parameters = { slow: 500, idle: 500, seconds: 1, overload: 3, overloadSeconds: 2 };
  const findings = await floods.run(parameters, (line) => context.diagnostic(line));
  assert.deepEqual(failuresButLatency(findings), []);
});
