import { createHmac, timingSafeEqual } from 'node:crypto';

/** Older messages are replayed ones: each attempt of the service is signed anew. */
const TOLERANCE_S = 300;

/** Whether a message was signed with the secret of the webhook (Standard Webhooks, HMAC-SHA256), in the last minutes. */
export function isSigned(
  headers: Record<string, unknown>,
  body: string | Buffer,
  secret: string,
  nowMs: number = Date.now(),
): boolean {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name] ?? ''),
  );
  if (!secret.startsWith('whsec_') || !(Math.abs(nowMs / 1000 - Number(timestamp)) <= TOLERANCE_S)) return false;
  const expected = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest();
  return signatures
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => Buffer.from(each.slice('v1,'.length), 'base64'))
    .some((each) => each.length === expected.length && timingSafeEqual(each, expected));
}
