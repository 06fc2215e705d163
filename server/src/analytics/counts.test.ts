import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { JobRunner } from '../jobs/runner.ts';
import { CLICK_ID_NAMES } from '../tracking/index.ts';
import { PLATFORMS } from './dimensions.ts';
import { countWhatArrived } from './keep-counting.ts';
import { packSessions } from './pack-sessions.ts';
import { assertExact, randomFrom, SEED, surroundingsOf, Traffic } from './test-traffic.ts';

const service = await testService();
const around = surroundingsOf(service);
const { deps } = around;
const runner = service.workers.find((worker) => worker instanceof JobRunner) ?? assert.fail('there is no runner');
runner.start();

test('every kind of click id has its own bit in packed sessions', () => {
  assert.deepEqual([...PLATFORMS].sort(), [...CLICK_ID_NAMES].sort());
});

test('every number equals a recount of the exports, whatever arrived, in whatever order, whenever it was counted', async () => {
  const traffic = new Traffic(around, await service.newAccount(), randomFrom(SEED));
  const other = new Traffic(around, await service.newAccount(), randomFrom(SEED + 1));
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 150; i++) {
      service.clock.now += 60_000;
      await traffic.anything();
      if (i % 5 === 0) await other.anything();
    }
    await countWhatArrived(deps);
    await assertExact(traffic, 4);
    await assertExact(other, 1);
    await traffic.erase();
    await countWhatArrived(deps);
    await assertExact(traffic, 2);
  }
  // Everything packed, then what was erased in its own time.
  await packSessions(deps, undefined, 0);
  await assertExact(traffic, 2);
  service.clock.now += 2 * 3_600_000;
  await countWhatArrived(deps);
  await assertExact(traffic, 2);
});
