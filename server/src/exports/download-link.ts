import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../shared/deps.ts';

/** Where finished exports are handed out, without a token. */
export const DOWNLOADS = '/downloads/exports';

/** A link that is good until `expiresAt`, at the address the service has now. */
export function downloadUrl({ secret, publicUrl }: Deps, file: string, expiresAt: Date): string {
  const expires = String(Math.floor(expiresAt.getTime() / 1_000));
  const signature = sign(secret, file, expires).toString('base64url');
  return `${publicUrl()}${DOWNLOADS}/${file}?expires=${expires}&signature=${signature}`;
}

/** Whether a link was made by `downloadUrl`, for this file, and has not expired. */
export function isGoodLink(
  { secret, clock }: Deps,
  file: string,
  { expires, signature }: { expires?: unknown; signature?: unknown },
): boolean {
  if (typeof expires !== 'string' || typeof signature !== 'string') return false;
  const expected = sign(secret, file, expires);
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  return clock() < Number(expires) * 1_000;
}

function sign(secret: Buffer, file: string, expires: string): Buffer {
  return createHmac('sha256', secret).update(`export-download\n${file}\n${expires}`).digest();
}
