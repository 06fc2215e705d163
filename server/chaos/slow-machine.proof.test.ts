// Slow: a service that has a quarter of a core for seconds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failures } from './proof.ts';
import { slowMachine } from './slow-machine.ts';

test('on a slow machine no request fails: it is served, or refused with the time to retry after', {
  skip: process.platform !== 'linux',
}, async (context) => {
  const findings = await slowMachine.run({ clients: 300, seconds: 20 }, (line) => context.diagnostic(line));
  assert.deepEqual(failures(findings), []);
});
