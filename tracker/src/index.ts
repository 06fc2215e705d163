import type { Headwater, Settings, TrackResult } from '../index.d.ts';
import { startConsent as startWatching } from './consent.ts';
import type { Call, Page } from './page.ts';
import { start as startPage } from './run.ts';

/** Does for bundled pages what the snippet does for others. */
export function start(settings: Settings & { host: string }): Headwater {
  if (window.headwater && 'session' in window.headwater) return window.headwater;
  window.headwater = {
    ...settings,
    q: [] as Call[],
    track: (...call) => new Promise<TrackResult>((resolve) => (window.headwater as Page).q?.push([resolve, ...call])),
    variant: () => null,
    consent: (mode) => {
      window.headwater.mode = mode;
    },
    // What a snippet has set and queued.
    ...(window.headwater as Partial<Headwater> | undefined),
  } as Headwater;
  startPage();
  return window.headwater;
}

export const startConsent = (): void => startWatching();
