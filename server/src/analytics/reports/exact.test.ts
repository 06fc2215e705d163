import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../../test/harness.ts';
import { JobRunner } from '../../jobs/runner.ts';
import { CLICK_ID_NAMES } from '../../shared/click-ids.ts';
import { aggregateNewRows } from '../aggregation/aggregate-new-rows.ts';
import { updateSegments } from '../aggregation/update-segments.ts';
import { PLATFORMS } from '../dimensions.ts';
import { assertExact, environmentOf, randomFrom, SEED, Traffic } from '../test-traffic.ts';

const service = await testService();
const environment = environmentOf(service);
const { deps } = environment;
const runner = service.workers.find((worker) => worker instanceof JobRunner) ?? assert.fail('no job runner');
runner.start();

test('segments have a bit for each click id', () => {
  assert.deepEqual([...PLATFORMS].sort(), [...CLICK_ID_NAMES].sort());
});

test('every number equals a recount of the exports, whatever was received, in any order, whenever it was aggregated', async () => {
  const traffic = new Traffic(environment, await service.newAccount(), randomFrom(SEED));
  const other = new Traffic(environment, await service.newAccount(), randomFrom(SEED + 1));
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 150; i++) {
      service.clock.now += 60_000;
      await traffic.anything();
      if (i % 5 === 0) await other.anything();
    }
    await aggregateNewRows(deps);
    await assertExact(traffic, 4);
    await assertExact(other, 1);
    await traffic.erase();
    await aggregateNewRows(deps);
    await assertExact(traffic, 2);
  }
  // Everything in segments, then the erased sessions when they are due.
  await updateSegments(deps, undefined, 0);
  await assertExact(traffic, 2);
  service.clock.now += 2 * 3_600_000;
  await aggregateNewRows(deps);
  await assertExact(traffic, 2);
});
