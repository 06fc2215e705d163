// Slow: hostile requests of every kind against a whole service.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failures } from '../proof.ts';
import { BODIES } from './bodies.ts';
import { runAttacks } from './hostile.ts';

// The rest, which takes minutes, is part of `npm run chaos`.
const SOME = BODIES.filter((_, i) => i % 3 === 0);

test('no body blocks the event loop or takes more than 100 MB, whoever sends it', async (context) => {
  assert.deepEqual(failures(await runAttacks(SOME, (line) => context.diagnostic(line))), []);
});
