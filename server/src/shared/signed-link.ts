import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Deps } from './deps.ts';

/** The path under which finished exports are downloaded, without a token. */
export const DOWNLOADS = '/downloads/exports';

/** A URL that works without a token until `expiresAt`. `path` starts with a slash. */
export function signedUrl({ secret, publicUrl }: Deps, path: string, expiresAt: Date): string {
  const expires = String(Math.floor(expiresAt.getTime() / 1_000));
  const signature = sign(secret, path, expires).toString('base64url');
  return `${publicUrl()}${path}?expires=${expires}&signature=${signature}`;
}

/** Whether a URL was made by `signedUrl` for this path and has not expired. */
export function isGoodLink(
  { secret, clock }: Deps,
  path: string,
  { expires, signature }: { expires?: unknown; signature?: unknown },
): boolean {
  if (typeof expires !== 'string' || typeof signature !== 'string') return false;
  const expected = sign(secret, path, expires);
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  return clock() < Number(expires) * 1_000;
}

function sign(secret: Buffer, path: string, expires: string): Buffer {
  return createHmac('sha256', secret).update(`download\n${path}\n${expires}`).digest();
}
