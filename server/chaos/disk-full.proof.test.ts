// Slow: three installations, whose disks are full for seconds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diskFull } from './disk-full.ts';
import { failures } from './proof.ts';

test('on a full disk nothing is acknowledged that is not stored, and everything succeeds again once there is space', async (context) => {
  // Ample for a busy machine; `npm run chaos` proves the limit.
  const findings = await diskFull.run({ seconds: 2, heal: 120 }, (line) => context.diagnostic(line));
  assert.deepEqual(failures(findings), []);
});
