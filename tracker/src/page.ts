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

/** @throws where another copy of the script runs, or the page has no key */
export function openPage(script: Element | null): void {
  page = window.headwater as Page;
  if (!page.apiKey || 'session' in page) throw 0;
  page.visit = {};
  // The script may be served from any URL, with a path before its name.
  const base = page.host?.replace(/\/*$/, '/') || (script as HTMLScriptElement | null)?.src;
  if (!base) console.warn('headwater', 'no type=module');
  // Pages have variables named URL; none has one of this standard name.
  endpoint = new webkitURL('v1/batch', base).href;
}

/** Taken when the script starts, as what loads later may replace them. */
export const { stringify, parse } = JSON;

/**
 * A list as JSON, piece by piece, because old libraries give arrays a `toJSON` that makes texts of them. `stringify` ignores the further arguments
 * of `map`.
 */
export const listOf = (values: unknown[]) => `[${values.map(stringify as (value: unknown) => string)}]`;

export const isFull = (): boolean => page.mode === 'full';

/** Keeps the script's errors from the page. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {}
  return undefined;
}
