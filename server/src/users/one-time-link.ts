import { createHash, randomBytes } from 'node:crypto';
import { badRequest } from '../shared/errors.ts';

/** The pages of the dashboard that a link opens. */
export type LinkPage = 'first-run' | 'invitation' | 'reset-password';

/** A secret of 256 bits, and what of it is stored. It has more entropy than can be searched, so no slow hash is needed. */
export function makeSecret(): { secret: string; hash: Buffer } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: hashSecret(secret) };
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The secret stands behind the `#`: a browser sends it to no server and no proxy, and names it in no `Referer`. */
export function linkTo(publicUrl: string, page: LinkPage, secret: string): string {
  return `${publicUrl}/${page}#${secret}`;
}

/** The same for every reason, so that it tells nothing of which links there were. */
export function linkInvalid() {
  return badRequest('link_invalid', 'The link was used, has expired, was revoked, or never was.');
}
