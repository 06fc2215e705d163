import { isFull, page } from './page.ts';
import { type State, store } from './session.ts';
import { shortHashOf } from './short-hash.ts';

/** Binds what a link carries to this browser and to the account. No secret: docs/tracking.md says what that means. */
const sign = (...parts: (string | number)[]) =>
  [...parts, shortHashOf([parts, page.apiKey, navigator.userAgent].join())].join('.');

export function setParameter(link: HTMLAnchorElement, name: string, value: string): void {
  const url = new URL(link.href);
  if (value) url.searchParams.set(name, value);
  else url.searchParams.delete(name);
  link.href = url.href;
}

/** Lets a link that leaves for one of the domains carry the session. */
export const carry = (link: HTMLAnchorElement, [hash, visitorId, begun]: State | []): unknown =>
  hash &&
  link.hostname !== location.hostname &&
  page.domains?.some((domain) => `.${link.hostname}`.endsWith(`.${domain}`)) &&
  setParameter(link, '_hw', sign(Date.now(), begun as number, hash, visitorId as string));

/** Takes off the page's address the session that a link brought, and goes on in it. */
export function arrive(): void {
  const url = new URL(location.href);
  const carried = url.searchParams.get('_hw');
  if (carried) {
    url.searchParams.delete('_hw');
    history.replaceState(history.state, '', url);
    const [, at, begun, hash, visitorId] = /^(\d+)\.(\d+)\.(\w{22})\.(\w{22})/.exec(carried) || [];
    if (isFull() && carried === sign(at, begun, hash, visitorId) && Date.now() - +at < 12e4) {
      store([hash, visitorId, +begun, {}]);
    }
  }
}
