import type { Deps } from '../../shared/deps.ts';
import { PLATFORM_IDS } from '../platforms/registry.ts';
import { endingVersions } from '../platforms/versions.ts';

/** Logs each version of a platform's API that ends soon or has ended, unless a setting replaces it. */
export function logEndingVersions({ config, clock, log }: Pick<Deps, 'config' | 'clock' | 'log'>): void {
  for (const { platform, version, ends, daysLeft } of endingVersions(clock())) {
    const id = PLATFORM_IDS.find((each) => each === platform);
    if (id !== undefined && config.destinations[id]?.version !== undefined) continue;
    const text = daysLeft > 0 ? 'ends soon' : 'has ended';
    log.warn({ platform, version, ends }, `this version of the API of an ad platform ${text}; update Headwater`);
  }
}
