import type { Headwater, Mode, Properties, TrackResult } from '../index.d.ts';

/** A call that was made before the script had loaded. */
export type Call = [resolve: (result: TrackResult) => void, event: string, properties?: Properties];

/** The global object: the page's settings, what its snippet kept, and what the script makes of it. */
export interface Page extends Headwater {
  mode: Mode;
  q?: { push(call: Call): unknown; forEach(run: (call: Call) => void): void };
}

declare global {
  interface Navigator {
    readonly globalPrivacyControl?: boolean;
  }
  interface Document {
    readonly prerendering?: boolean;
  }
}

export let page: Page;
/** Where items are sent. */
export let endpoint: URL;

export function openPage(settings: Page): void {
  page = settings;
  // The script's own address may be any, with a path before its name.
  const base = page.host?.replace(/\/*$/, '/') || (document.currentScript as HTMLScriptElement).src;
  endpoint = new URL('v1/batch', base);
}

export const isFull = (): boolean => page.mode === 'full';

/** Keeps every error of ours from the page. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {}
}
