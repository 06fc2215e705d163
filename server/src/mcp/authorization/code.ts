import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { MINUTE } from '../../shared/units.ts';

const VALID_MS = MINUTE;

/** What a client exchanges for the token of a key. */
export interface Code {
  /** The UUID of the key. */
  keyId: string;
  /** What stands for the token until then. */
  claim: string;
}

/** Who a code is for, and how it proves that it asked. */
export interface Asked {
  clientId: string;
  redirectUri: string;
  /** SHA-256 of a secret of the client, as base64url (RFC 7636). */
  challenge: string;
}

export const newClaim = () => randomBytes(32).toString('base64url');

export function codeOf(secret: Buffer, { keyId, claim }: Code, asked: Asked, now: number): string {
  const text = [keyId, claim, now + VALID_MS].join('.');
  return `${text}.${sign(secret, text, asked)}`;
}

/** @param verifier the secret of the client @returns undefined: not of this client, wrong or too old */
export function readCode(
  secret: Buffer,
  code: string,
  { verifier, ...client }: { clientId: string; redirectUri: string; verifier: string },
  now: number,
): Code | undefined {
  const [keyId = '', claim = '', until = '', signature = ''] = code.split('.');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const expected = sign(secret, [keyId, claim, until].join('.'), { ...client, challenge });
  return isSame(signature, expected) && Number(until) > now ? { keyId, claim } : undefined;
}

/** Whether two texts are equal, in a time that does not tell where they differ. */
export function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function sign(secret: Buffer, text: string, { clientId, redirectUri, challenge }: Asked): string {
  const signed = JSON.stringify(['authorization code', text, clientId, redirectUri, challenge]);
  return createHmac('sha256', secret).update(signed).digest('base64url');
}
