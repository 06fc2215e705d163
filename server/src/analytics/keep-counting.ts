import type { Deps } from '../shared/deps.ts';
import { pressureOf } from '../shared/pressure.ts';
import { noteWhatArrived } from './note-arrivals.ts';
import { packSessions } from './pack-sessions.ts';

/** A pass rests for so many times as long as it took, so that counting never takes much from recording. */
const REST = 4;

/** While requests queue for commits a pass waits, for so long at the most: a third of what is recorded would be lost to it. */
const LONGEST_WAIT_MS = 20_000;

/** Brings all that reports are made of up to date. */
export async function countWhatArrived(deps: Pick<Deps, 'db' | 'clock'>, signal?: AbortSignal): Promise<void> {
  await noteWhatArrived(deps);
  await packSessions(deps, signal);
}

/** The work of a pass, which comes as often as it may. */
export function keepCounting(deps: Deps): (signal: AbortSignal) => Promise<void> {
  const pressure = pressureOf(deps);
  let notBefore = 0;
  let latest = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    const began = performance.now();
    if (began < notBefore || (pressure.isHigh && began - latest < LONGEST_WAIT_MS)) return;
    latest = began;
    await countWhatArrived(deps, signal).finally(() => {
      notBefore = performance.now() + (performance.now() - began) * REST;
    });
  };
}
