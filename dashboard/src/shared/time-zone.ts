/** The time zone of days and times: the account's, unless the user prefers that of the browser. */

const STORAGE_KEY = 'headwater-browser-time-zone';

export const browserTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const prefersBrowserTimeZone = () =>
  typeof window !== 'undefined' && localStorage.getItem(STORAGE_KEY) === 'true';

export function preferBrowserTimeZone(isPreferred: boolean): void {
  if (isPreferred) localStorage.setItem(STORAGE_KEY, 'true');
  else localStorage.removeItem(STORAGE_KEY);
}

let ofAccount: string | undefined;

export function setAccountTimeZone(timeZone: string | undefined): void {
  ofAccount = timeZone;
}

export const displayTimeZone = () =>
  ofAccount === undefined || prefersBrowserTimeZone() ? browserTimeZone() : ofAccount;

export const timeZones = () => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
