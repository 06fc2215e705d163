import type { Headwater, Settings, TrackResult } from '../index.d.ts';
import { startConsent as startWatching } from './consent.ts';
import type { Call, Page } from './page.ts';
import { start as startPage } from './run.ts';

/** Does for bundled pages what the snippet does for others. */
export function start(settings: Settings & { host: string }): Headwater {
  if (window.headwater && 'session' in window.headwater) return window.headwater;
  const q: Call[] = [];
  const page = {
    ...settings,
    visit: {},
    q,
    track: (...call) => new Promise<TrackResult>((resolve) => q.push([resolve, ...call])),
    variant: () => null,
    consent: (mode) => {
      page.mode = mode;
    },
  } as Page;
  window.headwater = page;
  startPage(page);
  return page;
}

export function startConsent(): void {
  startWatching(window.headwater as Page);
}
