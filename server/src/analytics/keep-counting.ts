import type { Deps } from '../shared/deps.ts';
import { noteWhatArrived } from './note-arrivals.ts';
import { packSessions } from './pack-sessions.ts';

/** A pass rests for so many times as long as it took, so that counting never takes much from recording. */
const REST = 4;

/** Brings all that reports are made of up to date. */
export async function countWhatArrived(deps: Pick<Deps, 'db' | 'clock'>, signal?: AbortSignal): Promise<void> {
  await noteWhatArrived(deps);
  await packSessions(deps, signal);
}

/** The work of a pass, which comes as often as it may. */
export function keepCounting(deps: Deps): (signal: AbortSignal) => Promise<void> {
  let notBefore = 0;
  return async (signal) => {
    const began = performance.now();
    if (began < notBefore) return;
    await countWhatArrived(deps, signal).finally(() => {
      notBefore = performance.now() + (performance.now() - began) * REST;
    });
  };
}
