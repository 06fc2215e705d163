import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failuresButLatency } from '../proof.ts';
import { fuzz } from './fuzz.ts';

test('random requests over HTTP get documented responses and do not block the event loop', async (context) => {
  const parameters = { seed: Date.now() % 1_000_000, requests: 1_500, processes: 1, concurrency: 16, perRound: 8 };
  context.diagnostic(JSON.stringify(parameters));
  const findings = await fuzz.run(parameters, (line) => context.diagnostic(line));
  assert.deepEqual(failuresButLatency(findings), []);
});
