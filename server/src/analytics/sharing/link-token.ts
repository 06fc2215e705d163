import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { HOUR } from '../../shared/units.ts';

/** Characters of an account's id in a token. */
const ACCOUNT_LENGTH = 22;

/**
 * A token is derived from the id of its link, so that the dashboard can show the URL again and the database does not contain
 * it. It starts with the id of the account, which tells where the link is.
 */
export function tokenOf(secret: Buffer, { account_id, id }: { account_id: string; id: string }): string {
  const account = Buffer.from(account_id.replaceAll('-', ''), 'hex').toString('base64url');
  return account + createHmac('sha256', secret).update(`shared link\n${id}`).digest('base64url').slice(0, 32);
}

/** The account that a token names; undefined for a malformed one. */
export function accountOfToken(token: unknown): string | undefined {
  if (typeof token !== 'string' || !/^[\w-]{54}$/.test(token)) return undefined;
  const hex = Buffer.from(token.slice(0, ACCOUNT_LENGTH), 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const ACCESS_MS = 12 * HOUR;

interface Protected {
  id: string;
  password: string | null;
}

/** Proof that the password was entered. It contains the hash, so that changing the password invalidates it. */
function signAccess(secret: Buffer, { id, password }: Protected, expires: number): string {
  return createHmac('sha256', secret).update(`shared access\n${id}\n${password}\n${expires}`).digest('base64url');
}

export function createAccess(secret: Buffer, link: Protected, now: number): string {
  const expires = now + ACCESS_MS;
  return `${expires}.${signAccess(secret, link, expires)}`;
}

export function isAccess(secret: Buffer, link: Protected, access: string, now: number): boolean {
  const [expires = '', signature = ''] = access.split('.');
  if (!/^\d{1,15}$/.test(expires) || Number(expires) <= now) return false;
  const expected = Buffer.from(signAccess(secret, link, Number(expires)));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
