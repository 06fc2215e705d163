import { isIP } from 'node:net';
import type { Fault } from '../errors.ts';
import type { MayConnect } from './connect-policy.ts';

/** Host names reserved for local networks (RFC 6761, 6762, 8375, and ICANN's .internal). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/;

/** The faults of a URL to send to that can be found without connecting to it. */
export function checkUrl(text: string, mayConnect: MayConnect, pointer = '/url'): Fault[] {
  const fault = (code: string, detail: string) => [{ pointer, code, detail }];
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    return fault('url_invalid', 'The URL is not valid. Use an absolute http or https URL.');
  }
  if (url.username !== '' || url.password !== '') {
    return fault('url_credentials', 'The URL contains a user name or password. Remove them and verify the signature.');
  }
  const host = hostOf(url);
  const isLocal = isIP(host) === 0 ? LOCAL_NAME.test(host) && !mayConnect('127.0.0.1') : !mayConnect(host);
  const detail =
    'The URL must be reachable from the public internet. Whoever operates the service can allow private addresses in WEBHOOK_ALLOW_CIDRS.';
  return isLocal ? fault('url_not_public', detail) : [];
}

/** The host to connect to. The URL parser has already normalized every spelling of an IPv4 address. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}
