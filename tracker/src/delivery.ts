import type { TrackResult } from '../index.d.ts';
import { attempt, endpoint, isFull, listOf, page, parse, stringify } from './page.ts';
import { randomId } from './random-id.ts';
import { adoptVisitor, takeStored } from './session.ts';

/** An item to send, the callback for its result, and whether a beacon took it. */
type Entry = [
  item: { visit?: Record<string, unknown>; event?: object; forget?: true },
  resolve?: (result: TrackResult) => void,
  isBeaconed?: boolean,
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
    attempt(() => queue.push(...parse(text).map((item: Entry[0]) => [item])));
  }
}

export const dropAll = () => settle(queue, 'no_consent');

/** Queues an item, which is sent soon and saved at the end of this task: a thousand items are written once. */
export function enqueue(...entry: Entry): void {
  queue.push(entry);
  timer ||= setTimeout(send, 100);
  if (!unsaved++) queueMicrotask(save);
}

const textOf = (entries: Entry[]) => listOf(entries.map(([item]) => item));

/** @returns what the next page will find, if this one may store anything */
function save(): unknown {
  unsaved = 0;
  while (textOf(queue).length > 1e6) settle(queue.slice(-50), 'queue_full');
  // biome-ignore lint/suspicious/noAssignInExpressions: shorter
  return attempt(() => isFull() && (localStorage[storageKey] = textOf(queue)));
}

export const refusal = (error: string): TrackResult => ({ success: false, error });

function settle(entries: Entry[], error: string, results?: TrackResult[]): void {
  queue = queue.filter((entry) => !entries.includes(entry));
  entries.forEach(([item, resolve], i) => {
    const result = results?.[i];
    // The service may know the visitor by a cookie.
    adoptVisitor(item?.visit?.visitorId, result?.visitorId);
    resolve?.(result || refusal(error));
  });
}

/**
 * The first items that fit into one request. A request that outlives its page may have 64 KiB, and a character up to three
 * bytes. An item that is too large is sent alone.
 */
function pack(entries: Entry[]): Entry[] {
  // Single-page apps often set the title after the URL.
  page.visit.title = `${document.title}`;
  let rest = 2e4;
  return entries.slice(0, 100).filter((entry, i) => {
    rest -= textOf([entry]).length;
    return rest > 0 || !i;
  });
}

const bodyOf = (entries: Entry[]) =>
  `${stringify({ api_key: page.apiKey, sentAt: new Date() }).slice(0, -1)},"items":${textOf(entries)}}`;

/** Lets the service delete its cookie, which no script can. */
export const sendForget = () => sendNow([[{ forget: true }]]);

export async function send(): Promise<void> {
  if (timer < 0) return;
  timer = -1;
  let wait: number | undefined;
  if (queue[0]) {
    const batch = pack(queue);
    try {
      const response = await fetch(endpoint, {
        method: 'POST',
        body: bodyOf(batch),
        keepalive: !failures,
        credentials: page.credentials as 'include',
      });
      const { status } = response;
      wait = (response.headers.get('retry-after') as never) * 1e3;
      const { results, code, detail } = await response.json().catch(() => 0);
      if (!results) {
        if (status === 429 || status > 499 || status < 300) throw 0;
        if (!refusals++) console.warn('headwater', status, detail);
      }
      settle(batch, code, results);
      failures = 0;
    } catch {
      wait = ~~(wait as number) + (1 + Math.random()) * 2 ** Math.min(++failures, 7) * 250;
    }
    save();
  }
  timer = queue[0] ? setTimeout(send, wait) : 0;
}

const sendNow = (entries: Entry[]) => navigator.sendBeacon(endpoint, bodyOf(entries));

/**
 * Sends by beacon, once, when the page is left or hidden, what is not acknowledged yet; it stays stored until it is. A browser takes 64 KiB
 * of all requests that outlive the page: what it refuses is left for the next page or, without storage, counted and dropped.
 */
export function sendByBeacon(leaving?: Event): void {
  const left = () => queue.filter((entry) => !entry[2]);
  // Leaves space for the count.
  let space = 64e3;
  let rest = left();
  while (rest[0]) {
    const batch = rest.splice(0, pack(rest).length);
    const length = textOf(batch).length;
    if (space > length && sendNow(batch)) {
      space -= length;
      batch.forEach((entry) => {
        entry[2] = true;
      });
    }
  }
  rest = left();
  if (leaving && rest[0] && !save()) {
    settle(rest, 'unsent');
    sendNow([[{ event: { event: 'headwater_unsent', properties: { count: rest.length } } }]]);
  }
}
