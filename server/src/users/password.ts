import { hashPassword as hash, verifyPassword as verify } from '@better-auth/utils/password';
import { ApiError } from '../shared/errors.ts';

/** A hash takes 32 MB and a tenth of a second of a thread that files and addresses are looked up by as well. */
const AT_ONCE = 2;
const MAY_WAIT = 50;

let running = 0;
const waiting: (() => void)[] = [];

/** Does what hashes a password, few at once in this process. @throws ApiError 429 `overloaded` */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= MAY_WAIT) {
    const detail = 'Too many sign in at once: wait as long as Retry-After says.';
    throw new ApiError(429, 'overloaded', detail, { headers: { 'retry-after': '2' } });
  }
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** scrypt, with a salt of its own, as better-auth reads it. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password));
}

export function isPassword(password: string, stored: string): Promise<boolean> {
  return inTurn(() => verify(stored, password));
}
