// Slow: a service that is killed four times while its changes are followed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesFeed } from './changes-feed.ts';
import { failures } from './proof.ts';

test('followers read every publish and unpublish once, in order, while the service is killed', async (context) => {
  const run = { changes: 600, followers: 8, kills: 4 };
  const findings = await changesFeed.run(run, (line) => context.diagnostic(line));
  assert.deepEqual(failures(findings), []);
});
