import { createHmac } from 'node:crypto';

/**
 * What an erased conversion keeps of an identifier: a digest, with a key that only this installation has, of the account, the
 * event id and the identifier's digest. A report that names both again is recognized by it; the identifier cannot be derived from
 * it, nor can two conversions be linked by it.
 */
export function erasedStub(secret: Buffer, accountId: string, eventId: string, digest: string): string {
  const text = `erased-conversions\n${accountId}\n${eventId}\n${digest}`;
  const hex = createHmac('sha256', secret).update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
