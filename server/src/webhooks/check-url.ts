import { isIP } from 'node:net';
import type { Fault } from '../shared/errors.ts';
import type { MayConnect } from './addresses.ts';

/** Names that mean a host of the local network wherever they are asked for (RFC 6761, 6762, 8375, ICANN's .internal). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/;

/** What is wrong with an endpoint's address, so far as it can be known without connecting to it. */
export function checkUrl(text: string, mayConnect: MayConnect): Fault[] {
  const fault = (code: string, detail: string) => [{ pointer: '/url', code, detail }];
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    return fault('url_invalid', 'The URL must be an http or https address.');
  }
  if (url.username !== '' || url.password !== '') {
    return fault('url_credentials', 'The URL must not hold a user or password: payloads are signed instead.');
  }
  const host = hostOf(url);
  const isLocal = isIP(host) === 0 ? LOCAL_NAME.test(host) && !mayConnect('127.0.0.1') : !mayConnect(host);
  return isLocal ? fault('url_not_public', 'The URL must be one that is reached from the public internet.') : [];
}

/** The host as it is connected to: the URL parser has brought every spelling of an IPv4 address to the usual one. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}
