// Slow: 2,000 reads while content changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failures } from './proof.ts';
import { publicReads } from './public-reads.ts';

test('no public read returns anything unpublished, private or foreign, whatever its parameters', async (context) => {
  const findings = await publicReads.run({ reads: 2_000 }, (line) => context.diagnostic(line));
  assert.deepEqual(failures(findings), []);
});
