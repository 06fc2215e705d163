import { isFull, page } from './page.ts';
import { type State, store } from './session.ts';
import { shortHashOf } from './short-hash.ts';

/** Binds the session in a link to this browser and account. It is no secret: see docs/tracking.md. */
const sign = (...parts: (string | number)[]) =>
  [...parts, shortHashOf([parts, page.apiKey, navigator.userAgent].join())].join('.');

export function setParameter(link: HTMLAnchorElement, name: string, value: string): void {
  const url = new webkitURL(link.href);
  if (value) url.searchParams.set(name, value);
  else url.searchParams.delete(name);
  link.href = url.href;
}

/** Adds the session to a link that leads to one of the configured domains. */
export const carry = (link: HTMLAnchorElement, [hash, visitorId, startedAt]: State | []): unknown =>
  hash &&
  link.hostname !== location.hostname &&
  page.domains?.some((domain) => `.${link.hostname}`.endsWith(`.${domain}`)) &&
  setParameter(link, '_hw', sign(Date.now(), startedAt as number, hash, visitorId as string));

/** Removes the session that a link carried from the page's URL and continues it. */
export function arrive(): void {
  const url = new webkitURL(location.href);
  const carried = url.searchParams.get('_hw');
  if (carried) {
    url.searchParams.delete('_hw');
    history.replaceState(history.state, '', url);
    const [at, startedAt, hash, visitorId] = carried.split('.') as never[];
    if (isFull() && carried === sign(at, startedAt, hash, visitorId) && Date.now() - at < 12e4) {
      store([hash, visitorId, +startedAt, {}]);
    }
  }
}
