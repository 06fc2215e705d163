import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

/** By how much the heap may grow beyond what is in use before all of it is collected, in percent. */
const LEAST_GROWTH = 50;
/** What V8 would allow by itself. */
const MOST_GROWTH = 300;
/** Collecting a heap of 100 MB takes some 20 ms of processor time. */
const SECONDS_BETWEEN = 2;
/** A single collection that comes early, as when many buffers were received, says little. */
const MAX_STEP = 1.5;

/**
 * Keeps the heap small while that costs little. V8 lets it become about four times what is in use, whether that takes a
 * second or a minute. Here it may grow by what is allocated in some seconds.
 */
export function limitHeap(): void {
  let growth = LEAST_GROWTH;
  // V8 reads the flag at the end of a collection, before it is observed here.
  let effective = growth;
  let last = performance.now();
  const apply = () => setFlagsFromString(`--heap-growing-percent=${growth}`);
  apply();
  new PerformanceObserver((list) => {
    for (const { startTime, detail } of list.getEntries() as (PerformanceEntry & { detail?: { kind?: number } })[]) {
      if (detail?.kind !== constants.NODE_PERFORMANCE_GC_MAJOR) continue;
      const next = nextGrowth(effective, (startTime - last) / 1000);
      last = startTime;
      effective = growth;
      growth = next;
      apply();
    }
  }).observe({ entryTypes: ['gc'] });
}

/**
 * @param growth by how much the heap could grow between two collections of all of it
 * @param seconds between them
 */
export function nextGrowth(growth: number, seconds: number): number {
  const wanted = (growth * SECONDS_BETWEEN) / Math.max(seconds, 0.01);
  return Math.round(Math.min(MOST_GROWTH, growth * MAX_STEP, Math.max(LEAST_GROWTH, wanted)));
}
