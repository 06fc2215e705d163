import { PLATFORMS } from '../src/destinations/platforms/registry.ts';

/** Settings with ad platforms that refuse connections, so that no test sends anything to the real ones. */
export const NO_PLATFORMS = Object.fromEntries(
  Object.entries(PLATFORMS).flatMap(([id, { hosts }]) =>
    Object.keys(hosts).length > 0
      ? ['DESTINATION', 'COSTS'].map((use) => [`${use}_${id.toUpperCase()}_URL`, 'http://127.0.0.1:9'])
      : [],
  ),
);
