// Slow: processes and databases that are killed while an account moves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveKills } from './moves.ts';
import { failuresButLatency } from './proof.ts';

test('a move is finished, whatever is killed, and nothing is lost or doubled', async (context) => {
  const findings = await moveKills.run({ kills: 2, events: 50 }, (line) => context.diagnostic(line));
  assert.deepEqual(failuresButLatency(findings), []);
});
