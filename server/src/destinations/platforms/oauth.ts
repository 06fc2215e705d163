import { createHmac, createSign, randomBytes } from 'node:crypto';
import type { Credentials, HttpRequest } from './platform.ts';

/** A form, as OAuth's token endpoints take it. */
export function form(url: string, members: Record<string, string>): HttpRequest {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { method: 'POST', url, headers, body: new URLSearchParams(members).toString() };
}

const HOUR_SECONDS = 3_600;

/** The request for an access token of a Google service account: a signed assertion (RFC 7523). */
export function serviceAccountToken(
  url: string,
  email: string,
  privateKey: string,
  scope: string,
  now: number,
): HttpRequest {
  const issuedAt = Math.floor(now / 1000);
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = { iss: email, scope, aud: url, iat: issuedAt, exp: issuedAt + HOUR_SECONDS };
  const unsigned = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  const signature = createSign('RSA-SHA256').update(unsigned).sign(privateKey, 'base64url');
  return form(url, {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: `${unsigned}.${signature}`,
  });
}

/** RFC 3986, which OAuth 1.0a demands and `encodeURIComponent` does not quite follow. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** The `Authorization` header of OAuth 1.0a (RFC 5849) for a request with a JSON body, which is not signed. */
export function signOAuth1(
  method: string,
  url: string,
  credentials: Credentials,
  now: number,
  nonce = randomBytes(16).toString('hex'),
): string {
  const { consumerKey = '', consumerSecret = '', accessToken = '', accessTokenSecret = '' } = credentials;
  const { origin, pathname, searchParams } = new URL(url);
  const oauth: Record<string, string> = {
    oauth_consumer_key: consumerKey,
    oauth_nonce: nonce,
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(now / 1000)),
    oauth_token: accessToken,
    oauth_version: '1.0',
  };
  const parameters = [...Object.entries(oauth), ...searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const base = [method, origin + pathname, parameters].map(encode).join('&');
  const key = `${encode(consumerSecret)}&${encode(accessTokenSecret)}`;
  oauth.oauth_signature = createHmac('sha1', key).update(base).digest('base64');
  const members = Object.entries(oauth).map(([name, value]) => `${encode(name)}="${encode(value)}"`);
  return `OAuth ${members.join(', ')}`;
}
