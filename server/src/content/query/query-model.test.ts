import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentService } from '../test-support.ts';
import { runAgainstModel } from './test-query-run.ts';

const service = await contentService();
/** The same in each run; proofs and MODEL_SEED try others. */
const SEED = Number(process.env.MODEL_SEED ?? 394_270);

test('random changes and queries equal a naive model in memory, also while others write', async () => {
  const done = await runAgainstModel(service, { operations: 400, size: 40, seed: SEED });
  assert.equal(
    Object.values(done).reduce((sum, n) => sum + n, 0),
    400,
  );
});
