import { hashPassword as hash, verifyPassword as verify } from '@better-auth/utils/password';
import { ApiError } from '../../shared/errors.ts';
import { FairQueue } from '../../shared/fair-queue.ts';

/** Hashing takes 32 MB and 100 ms of one of the four threads that also access files. */
const hashing = new FairQueue({ slots: 2, slotsPerKey: 2, queuedPerKey: 50 });

/** With the time that hashing itself takes on a busy machine, a response takes less than 2 s. */
const MAX_WAIT_MS = 1_000;

/** Runs work that hashes a password. @throws ApiError 429 `overloaded` if it would wait for too long */
export async function limitHashing<T>(work: () => Promise<T>, maxWaitMs = MAX_WAIT_MS): Promise<T> {
  const signal = AbortSignal.timeout(maxWaitMs);
  try {
    return await hashing.run('passwords', { signal }, work);
  } catch (error) {
    if (error !== signal.reason) throw error;
    const detail = 'Too many passwords are being checked. Retry after the time in Retry-After.';
    throw new ApiError(429, 'overloaded', detail, { headers: { 'retry-after': '2' } });
  }
}

/** Salted scrypt, in the format of better-auth. */
export function hashPassword(password: string): Promise<string> {
  return limitHashing(() => hash(password));
}

export function isPassword(password: string, stored: string): Promise<boolean> {
  return limitHashing(() => verify(stored, password));
}
