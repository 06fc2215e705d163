import type { WebhookMessage } from './generated.ts';

/** Of a request: `Headers`, or an object as Node has it. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export interface VerifyOptions {
  /** How old a message may be, 5 minutes by default. */
  toleranceMs?: number | undefined;
  now?: number | undefined;
}

/** A message that the service did not send, or not now. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const TOLERANCE_MS = 300_000;

/**
 * Verifies a message of a webhook (Standard Webhooks) and returns it. Its `type` tells what `data` is.
 * @param body as it was received: a parsed body that is serialized again has other bytes
 * @param secret `whsec_…`, or the public key `whpk_…`; while one is rotated, both
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceMs = TOLERANCE_MS, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookMessage> {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (value == null || value === '') throw new WebhookVerificationError(`The request has no ${name}.`);
    return String(value);
  });
  if (!(Math.abs(now - Number(timestamp) * 1_000) <= toleranceMs)) {
    throw new WebhookVerificationError('The message is too old, or the clock of this machine is wrong.');
  }
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const sent = (signatures ?? '').split(' ').map((each) => each.split(',', 2));
  for (const key of typeof secret === 'string' ? [secret] : secret) {
    const [, kind, encoded = ''] = /^wh(sec|pk)_(.+)$/.exec(key) ?? [];
    if (kind === undefined) throw new TypeError('The secret of a webhook begins with whsec_ or whpk_.');
    const isPublic = kind === 'pk';
    const algorithm = isPublic ? 'Ed25519' : { name: 'HMAC', hash: 'SHA-256' };
    const imported = await crypto.subtle.importKey('raw', bytesOf(encoded), algorithm, false, ['verify']);
    for (const [version, signature = ''] of sent) {
      if (version !== (isPublic ? 'v1a' : 'v1')) continue;
      if (await crypto.subtle.verify(isPublic ? 'Ed25519' : 'HMAC', imported, bytesOf(signature), signed)) {
        return JSON.parse(text) as WebhookMessage;
      }
    }
  }
  throw new WebhookVerificationError('No signature of the message fits the secret.');
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
