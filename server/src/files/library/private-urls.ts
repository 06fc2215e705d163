import { createHmac, timingSafeEqual } from 'node:crypto';
import { HOUR } from '../../shared/units.ts';

/** URLs of one hour are the same, so that caches and browsers keep what they have. */
const STEP_MS = HOUR;
/** Longer than caches keep a page with the URL. */
const VALID_MS = 24 * STEP_MS;

interface PrivateFile {
  id: string;
  /** Null: the file is public. */
  signing_key: Buffer | null;
}

/** The query that lets the URL of a private file be read for 24 to 25 hours; empty for a public one. */
export function signedQuery({ id, signing_key }: PrivateFile, now = Date.now()): string {
  if (signing_key === null) return '';
  const expires = (Math.ceil((now + VALID_MS) / STEP_MS) * STEP_MS) / 1000;
  return `?expires=${expires}&signature=${signatureOf(id, signing_key, expires)}`;
}

/** What a request for a file may: `expired` only with a signature that was valid once. */
export function accessOf(
  { id, signing_key }: PrivateFile,
  { expires, signature }: Record<string, unknown>,
  now: number,
): 'allowed' | 'expired' | 'refused' {
  if (signing_key === null) return 'allowed';
  if (typeof expires !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(expires)) return 'refused';
  const expected = Buffer.from(signatureOf(id, signing_key, Number(expires)));
  const sent = Buffer.from(signature);
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return 'refused';
  return Number(expires) * 1000 > now ? 'allowed' : 'expired';
}

function signatureOf(id: string, key: Buffer, expires: number): string {
  return createHmac('sha256', key).update(`${id}.${expires}`).digest('base64url');
}
