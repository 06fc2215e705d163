import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import { BusyWatch, Pace } from './pace.ts';

test('reports pause while the service is busy, up to a limit, and not at all while it is idle', async () => {
  let waited: number | undefined;
  const watch = new BusyWatch(() => waited);
  const work = () => {
    const pace = new Pace(watch.busy, 60);
    pace.startReport();
    for (let worked = 0; worked < 40; worked++) {
      const end = performance.now() + 1;
      while (performance.now() < end);
      pace.step();
    }
    return pace.pausedMs;
  };
  assert.equal(Atomics.load(watch.busy, 0), 0);
  assert.equal(work(), 0);
  watch.start();
  const isBusyNow = () => {
    const end = performance.now() + 60;
    while (performance.now() < end);
    return Atomics.load(watch.busy, 0) === 1;
  };
  await until(isBusyNow);
  assert.equal(work(), 60);
  // It lacks no processor.
  waited = 0;
  await until(() => !isBusyNow());
  watch.stop();
  assert.equal(Atomics.load(watch.busy, 0), 0);
});
