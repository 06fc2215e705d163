import type { TrackResult } from '../index.d.ts';
import { attempt, endpoint, isFull, page } from './page.ts';
import { randomId } from './random-id.ts';
import { adoptVisitor, takeStored } from './session.ts';

/** An item to send, and the callback for its result. */
type Entry = [
  item: { visit?: Record<string, unknown>; event?: object; forget?: true },
  resolve?: (result: TrackResult) => void,
];

/** This page's key in localStorage, so that no two tabs write the same one. */
const storageKey = `headwater:${randomId()}`;
let queue: Entry[] = [];
let unsaved = 0;
let refusals = 0;
let failures = 0;
/** Timer of the next request; negative while a request is running. */
let timer = 0;

/** Takes over items that earlier pages could not send. */
export function adopt(): void {
  for (const [text] of takeStored(/^headwater:/)) {
    attempt(() => queue.unshift(...JSON.parse(text).map((item: Entry[0]) => [item])));
  }
}

export const dropAll = () => settle(queue, 'no_consent');

/** Queues an item, which is sent soon and saved at the end of this task: a thousand items are written once. */
export function enqueue(...entry: Entry): void {
  queue.push(entry);
  timer ||= setTimeout(send, 100);
  if (!unsaved++) queueMicrotask(save);
}

const itemsOf = (entries: Entry[]) => entries.map(([item]) => item);
const textOf = (entries: Entry[]) => JSON.stringify(itemsOf(entries));

function save(): void {
  unsaved = 0;
  while (textOf(queue).length > 1e6) settle(queue.slice(-50), 'queue_full');
  attempt(() => {
    if (isFull()) localStorage[storageKey] = textOf(queue);
  });
}

export const refusal = (error: string): TrackResult => ({ success: false, error });

function settle(entries: Entry[], error: string, results?: TrackResult[]): void {
  queue = queue.filter((entry) => !entries.includes(entry));
  entries.forEach(([item, resolve], i) => {
    const result = results?.[i];
    // The service may know the visitor by a cookie.
    adoptVisitor(item.visit?.visitorId, result?.visitorId);
    resolve?.(result || refusal(error));
  });
}

/**
 * The first items that fit into one request. A request that outlives its page may have 64 KiB, and a character up to three
 * bytes. An item that is too large is sent alone.
 */
function pack(): Entry[] {
  // Single-page apps often set the title after the URL.
  page.visit.title = document.title;
  let length = 0;
  return queue.slice(0, 100).filter((entry, i) => {
    length += textOf([entry]).length;
    return length < 2e4 || !i;
  });
}

const bodyOf = (entries: Entry[]) =>
  JSON.stringify({ api_key: page.apiKey, sentAt: new Date(), items: itemsOf(entries) });

/** Lets the service delete its cookie, which no script can. */
export const sendForget = () => navigator.sendBeacon(endpoint, bodyOf([[{ forget: true }]]));

export async function send(): Promise<void> {
  if (timer < 0) return;
  timer = -1;
  let wait: number | undefined;
  if (queue[0]) {
    const batch = pack();
    try {
      const response = await fetch(endpoint, {
        method: 'POST',
        body: bodyOf(batch),
        keepalive: !failures,
        credentials: page.credentials as 'include',
      });
      const { ok, status } = response;
      wait = Number(response.headers.get('retry-after')) * 1e3;
      const { results, code, detail } = await response.json().catch(() => ({}));
      if (status === 429 || status > 499 || (ok && !results)) throw 0;
      if (!ok && !refusals++) console.warn('headwater', status, detail);
      settle(batch, code, results);
      failures = 0;
    } catch {
      wait = ~~(wait as number) + (1 + Math.random()) * 2 ** Math.min(++failures, 7) * 250;
    }
    save();
  }
  timer = queue[0] ? setTimeout(send, wait) : 0;
}

let beaconed: Entry | undefined;

/** Sends by beacon, once, when the page is left or hidden, what is not acknowledged yet; it stays stored until it is. */
export function sendByBeacon(): void {
  const latest = queue[queue.length - 1];
  if (latest && latest !== beaconed && navigator.sendBeacon(endpoint, bodyOf(pack()))) beaconed = latest;
}
