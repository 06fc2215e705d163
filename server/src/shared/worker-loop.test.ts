import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { createLog } from './log.ts';
import { workerLoop } from './worker-loop.ts';

const log = createLog('silent');
const HOUR_MS = 3_600_000;

test('a loop runs when it is woken, again at once while there is more, and never twice at the same time', async () => {
  let runs = 0;
  let atOnce = 0;
  const loop = workerLoop({
    name: 'count',
    log,
    everyMs: HOUR_MS,
    run: async () => {
      assert.equal(++atOnce, 1);
      await new Promise(setImmediate);
      atOnce--;
      return ++runs < 3;
    },
  });
  loop.wake();
  assert.equal(runs, 0, 'a loop that was not started does nothing');
  loop.start();
  loop.wake();
  loop.wake();
  await until(() => runs >= 3);
  await loop.stop();
  const after = runs;
  loop.wake();
  await new Promise(setImmediate);
  assert.equal(runs, after, 'a stopped loop does nothing');
});

test('a wake during a run is followed by another run, also when the run fails', async () => {
  let runs = 0;
  const loop = workerLoop({
    name: 'fail',
    log,
    everyMs: HOUR_MS,
    runAtStart: true,
    run: async () => {
      runs++;
      if (runs === 1) loop.wake();
      throw new Error('expected');
    },
  });
  loop.start();
  await until(() => runs === 2);
  await new Promise(setImmediate);
  assert.equal(runs, 2, 'a failure alone does not repeat the run before its time');
  await loop.stop();
});

test('a wake is followed by a run, however soon it comes after the one before', async () => {
  for (let microtasks = 0; microtasks < 10; microtasks++) {
    let runs = 0;
    const run = async () => {
      if (++runs > 1) return;
      const wakeLater = async () => {
        for (let i = 0; i < microtasks; i++) await undefined;
        loop.wake();
      };
      void wakeLater();
    };
    const loop = workerLoop({ name: 'count', log, everyMs: HOUR_MS, runAtStart: true, run });
    loop.start();
    await new Promise(setImmediate);
    assert.equal(runs, 2, `${microtasks} microtasks after the first run`);
    await loop.stop();
  }
});

test('stopping aborts the signal and waits for the run', async () => {
  let hasEnded = false;
  const loop = workerLoop({
    name: 'wait',
    log,
    everyMs: HOUR_MS,
    runAtStart: true,
    run: (signal) =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () =>
          setImmediate(() => {
            hasEnded = true;
            resolve();
          }),
        );
      }),
  });
  loop.start();
  await loop.stop();
  assert.ok(hasEnded);
});
