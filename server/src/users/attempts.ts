import { createHmac } from 'node:crypto';
import type { Deps } from '../shared/deps.ts';
import { ApiError } from '../shared/errors.ts';
import { networkOf } from '../shared/http/rate-limit.ts';
import { type Database, statement, type Tx } from '../shared/postgres/database.ts';

/** So many failures are free; each one more is followed by twice the pause, up to the longest. */
interface Patience {
  free: number;
  longestMs: number;
}

/** An address that tries one person, a person whom many addresses try, an address that tries many people. */
const PATIENCE: Record<'pair' | 'person' | 'address', Patience> = {
  pair: { free: 5, longestMs: 15 * 60_000 },
  // Short, since whoever knows an e-mail can cause it: 1,440 guesses a day are none of a password of ten characters.
  person: { free: 20, longestMs: 60_000 },
  address: { free: 50, longestMs: 15 * 60_000 },
};

const FORGET_MS = 86_400_000;

/**
 * Checks a password, unless whoever asks has failed too often: an attempt counts as failed before it is made, in the
 * database, so that no number of attempts at once, on any number of processes, gets more than one after the other would.
 * @param subject the e-mail or the user whose password it is
 * @param attempt whether the password is right
 * @throws ApiError 429 `too_many_attempts`
 */
export async function attempt<T>(
  deps: Deps,
  subject: string,
  ip: string,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const keys = keysOf(deps, subject, ip);
  await count(deps.db, keys, deps.clock());
  const result = await check();
  if (result !== undefined) await forgive(deps, subject, ip);
  return result;
}

/** Forgets what failed before: whoever it was has shown who they are. The address gets back one attempt. */
export async function forgive(deps: Deps, subject: string, ip: string): Promise<void> {
  const { pair, person, address } = keysOf(deps, subject, ip);
  await deps.db.transaction((tx) => forgetFailures(tx, [pair, person], address));
}

/** Keyed hashes: the database holds neither addresses nor e-mails that were tried. */
function keysOf({ secret }: Deps, subject: string, ip: string): Record<keyof typeof PATIENCE, Buffer> {
  const key = (...parts: string[]) =>
    createHmac('sha256', secret)
      .update(`sign-in\n${parts.join('\n')}`)
      .digest();
  const network = networkOf(ip);
  return { pair: key('pair', subject, network), person: key('person', subject), address: key('address', network) };
}

/** Counts a failure by each key, or none of them, where one has to wait. */
function count(db: Database, keys: Record<keyof typeof PATIENCE, Buffer>, now: number): Promise<void> {
  return db.transaction(async (tx: Tx) => {
    // In one order everywhere, so that attempts do not lock each other out.
    for (const [name, { free, longestMs }] of Object.entries(PATIENCE)) {
      const [row] = await fail(tx, keys[name as keyof typeof PATIENCE], new Date(now), free, longestMs, FORGET_MS);
      if (row) continue;
      const [{ blocked_until: until } = { blocked_until: new Date(now) }] = await blocked(
        tx,
        keys[name as keyof typeof PATIENCE],
      );
      throw tooManyAttempts(Math.ceil((until.getTime() - now) / 1000));
    }
  });
}

function tooManyAttempts(seconds: number): ApiError {
  return new ApiError(429, 'too_many_attempts', 'Too many attempts failed: wait as long as Retry-After says.', {
    headers: { 'retry-after': String(Math.max(1, seconds)) },
  });
}

/** No row: there is still a pause to keep. */
const fail = statement<{ failures: number }>(
  'users.count_failure',
  `insert into sign_in_attempts as known (key, failures, last_at, blocked_until) values ($1, 1, $2::timestamptz, $2)
   on conflict (key) do update set
     failures = case when known.last_at < $2 - $5::float8 * interval '1 ms' then 1 else known.failures + 1 end,
     last_at = $2,
     blocked_until = case
       when known.last_at < $2 - $5::float8 * interval '1 ms' or known.failures + 1 < $3::int then $2
       else $2 + least($4::float8, 1000 * 2 ^ least(known.failures + 1 - $3, 30)) * interval '1 ms' end
   where known.blocked_until <= $2
   returning failures`,
);

const blocked = statement<{ blocked_until: Date }>(
  'users.find_pause',
  'select blocked_until from sign_in_attempts where key = $1',
);

const forgetFailures = statement(
  'users.forget_failures',
  `with gone as (delete from sign_in_attempts where key = any ($1))
   update sign_in_attempts set failures = greatest(failures - 1, 0), blocked_until = last_at where key = $2`,
);

export const forgetAttempts = statement('users.forget_attempts', 'delete from sign_in_attempts where last_at < $1');
export const ATTEMPTS_KEPT_MS = FORGET_MS;
