import { hashPassword as hash, verifyPassword as verify } from '@better-auth/utils/password';
import { FairQueue } from '../../shared/fair-queue.ts';

/** Hashing takes 32 MB and 100 ms of one of the four threads that also access files. */
const hashing = new FairQueue({ slots: 2, slotsPerKey: 2, queuedPerKey: 50 });

/** Runs work that hashes a password. @throws ApiError 429 `overloaded` */
export function limitHashing<T>(work: () => Promise<T>): Promise<T> {
  return hashing.run('passwords', {}, work);
}

/** Salted scrypt, in the format of better-auth. */
export function hashPassword(password: string): Promise<string> {
  return limitHashing(() => hash(password));
}

export function isPassword(password: string, stored: string): Promise<boolean> {
  return limitHashing(() => verify(stored, password));
}
