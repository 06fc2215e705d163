/** Checks that a message comes from the webhook that this Zap created (Standard Webhooks, HMAC-SHA256). */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Headers arrive under their names or, from Zapier's own servers, with `Http-` before them. */
function header(headers, name) {
  const found = Object.keys(headers).find((each) => [name, `http-${name}`].includes(each.toLowerCase()));
  return found === undefined ? '' : String(headers[found]);
}

export function isSigned({ headers = {}, content = '' } = {}, secret = '') {
  if (!secret.startsWith('whsec_')) return false;
  const signed = `${header(headers, 'webhook-id')}.${header(headers, 'webhook-timestamp')}.${content}`;
  const expected = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(signed)
    .digest();
  return header(headers, 'webhook-signature')
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => Buffer.from(each.slice('v1,'.length), 'base64'))
    .some((each) => each.length === expected.length && timingSafeEqual(each, expected));
}
