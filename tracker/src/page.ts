import type { Headwater, Mode, Properties, TrackResult } from '../index.d.ts';

/** A call made before the script was loaded. */
export type Call = [resolve: (result: TrackResult) => void, event: string, properties?: Properties, id?: string];

/** The global object: the page's settings, the calls that its snippet queued, and the script's functions. */
export interface Page extends Headwater {
  mode: Mode;
  /** Queues an item, for the consent script. */
  add?(item: { visit: Record<string, unknown> }): void;
  /** The latest visit, whose title may change until it is sent; empty before the first. */
  visit: Record<string, unknown>;
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
/** The URL that items are sent to; a text, because pages that wrap `fetch` may expect one. */
export let endpoint: string;

/** @returns whether this copy of the script is the first that starts on the page */
export function openPage(script: Element | null): boolean {
  page = window.headwater as Page;
  if (!page?.apiKey || 'session' in page) return false;
  // The script may be served from any URL, with a path before its name.
  const base = page.host?.replace(/\/*$/, '/') || (script as HTMLScriptElement | null)?.src;
  if (!base) console.warn('headwater: set `host`, or load the script without type="module"');
  page.visit = {};
  endpoint = base?.replace(/[^/]*([?#].*)?$/, 'v1/batch') as string;
  return !!base;
}

export const isFull = (): boolean => page.mode === 'full';

/** Keeps the script's errors from the page. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {}
  return undefined;
}
