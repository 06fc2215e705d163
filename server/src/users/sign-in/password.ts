import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../../shared/errors.ts';
import { FairQueue } from '../../shared/fair-queue.ts';
import { networkOf } from '../../shared/http/rate-limit.ts';

/** 32 MB and about 100 ms of one of the four threads that also access files. */
const COST: ScryptOptions = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
const KEY_BYTES = 64;

/**
 * Who a password is hashed for: the IP address of someone who is not signed in, or a user. They wait in queues of their own,
 * so strangers cannot keep users from confirming what they do, and addresses take turns.
 */
export type HashedFor = { address: string } | { userId: string };

const strangers = new FairQueue({ slots: 1, slotsPerKey: 1, queuedPerKey: 8 });
const users = new FairQueue({ slots: 1, slotsPerKey: 1, queuedPerKey: 8 });
/** Of one queue, those that run included. */
const MAX_TASKS = 32;

/** With the time that hashing itself takes, a response takes less than 2 s. */
const MAX_WAIT_MS = 1_500;

/** Runs work that hashes a password. @throws ApiError 429 `overloaded` if too many wait, or it would wait for too long */
export async function limitHashing<T>(who: HashedFor, work: () => Promise<T>, maxWaitMs = MAX_WAIT_MS): Promise<T> {
  const [queue, key] = 'userId' in who ? [users, who.userId] : [strangers, networkOf(who.address)];
  if (queue.size >= MAX_TASKS) throw overloaded();
  const signal = AbortSignal.timeout(maxWaitMs);
  try {
    return await queue.run(key, { signal }, work);
  } catch (error) {
    throw error === signal.reason ? overloaded() : error;
  }
}

function overloaded(): ApiError {
  const detail = 'Too many passwords are being checked. Retry after the time in Retry-After.';
  return new ApiError(429, 'overloaded', detail, { headers: { 'retry-after': '2' } });
}

/** Salted scrypt, as `salt:key` in hexadecimal. The text of the salt is hashed, not its bytes: stored passwords stay valid. */
export function hashPassword(password: string, who: HashedFor): Promise<string> {
  return limitHashing(who, async () => {
    const salt = randomBytes(16).toString('hex');
    return `${salt}:${(await derive(password, salt)).toString('hex')}`;
  });
}

/** @param stored undefined if there is no such user: false, after the same time */
export function isPassword(password: string, stored: string | undefined, who: HashedFor): Promise<boolean> {
  return limitHashing(who, async () => {
    const [salt = '', key = ''] = (stored ?? NOBODY).split(':');
    const expected = Buffer.from(key, 'hex');
    const derived = await derive(password, salt);
    return expected.length === derived.length && timingSafeEqual(expected, derived) && stored !== undefined;
  });
}

const NOBODY = `${'0'.repeat(32)}:${'0'.repeat(2 * KEY_BYTES)}`;

function derive(password: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, COST, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
