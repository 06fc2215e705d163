import { createHmac } from 'node:crypto';
import type { Deps } from '../../shared/deps.ts';
import { ApiError } from '../../shared/errors.ts';
import { networkOf } from '../../shared/http/rate-limit.ts';
import type { ControlDatabase, ControlTx } from '../../shared/postgres/database.ts';
import { controlStatement } from '../../shared/postgres/statement.ts';
import { DAY, MINUTE } from '../../shared/units.ts';

/** How many failures are free; each further one doubles the pause, up to the maximum. */
interface Limit {
  free: number;
  maxPauseMs: number;
}

/** By IP address and user; by user; by IP address. A known device is limited by itself instead. */
const LIMITS = {
  pair: { free: 5, maxPauseMs: 15 * MINUTE },
  // Short, because anyone who knows the email can cause it: 1,440 guesses a day are harmless to a ten-character password.
  user: { free: 20, maxPauseMs: MINUTE },
  address: { free: 50, maxPauseMs: 15 * MINUTE },
  device: { free: 5, maxPauseMs: 15 * MINUTE },
} as const satisfies Record<string, Limit>;

type LimitName = keyof typeof LIMITS;

/** Who tries to prove that they are a user. */
interface Claimant {
  /** The user, or what else a password protects. */
  email: string;
  ip: string;
  /** A device on which the user signed in before: strangers cannot lock it out. */
  device?: string | undefined;
}

const RETENTION_MS = DAY;

type AttemptDeps = Pick<Deps, 'control' | 'secret' | 'clock'>;

/**
 * Checks a password unless there were too many failures. An attempt is counted as a failure in the database before it is
 * made, so concurrent attempts, on any number of processes, get no more tries than sequential ones.
 * @param check resolves to undefined if the password is wrong
 * @throws ApiError 429 `too_many_attempts`
 */
export async function attempt<T>(
  deps: AttemptDeps,
  claimant: Claimant,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const counted = keysOf(deps, claimant);
  await countFailure(deps.control, counted, deps.clock());
  let result: T | undefined;
  try {
    result = await check();
  } catch (error) {
    // The password was not checked: the attempt was none.
    if (error instanceof ApiError && error.code === 'overloaded') {
      await decrementFailures(deps.control, { keys: counted.map(([, key]) => key) });
    }
    throw error;
  }
  if (result !== undefined) await clearFailures(deps, deps.control, claimant);
  return result;
}

/** Clears the failures of a user who has proved their identity. The address gets back one attempt. */
export async function clearFailures(deps: AttemptDeps, tx: ControlTx, claimant: Claimant): Promise<void> {
  const counted = keysOf(deps, claimant);
  const keys = counted.flatMap(([name, key]) => (name === 'address' ? [] : key));
  const decremented = counted.find(([name]) => name === 'address')?.[1] ?? null;
  await deleteFailures(tx, { keys, decremented });
}

/** Keyed hashes, so that the database contains neither addresses nor emails. In the order in which they are locked. */
function keysOf({ secret }: AttemptDeps, { email, ip, device }: Claimant): [LimitName, Buffer][] {
  const key = (name: LimitName, ...parts: string[]): [LimitName, Buffer] => [
    name,
    createHmac('sha256', secret)
      .update(['sign-in', name, ...parts].join('\n'))
      .digest(),
  ];
  if (device !== undefined) return [key('device', email, device)];
  const network = networkOf(ip);
  return [key('pair', email, network), key('user', email), key('address', network)];
}

/** Counts a failure under every key, or under none if one of them is paused. */
function countFailure(control: ControlDatabase, keys: readonly [LimitName, Buffer][], now: number): Promise<void> {
  return control.transaction(async (tx) => {
    for (const [name, key] of keys) {
      const { free, maxPauseMs: max_pause_ms } = LIMITS[name];
      const limit = { key, free, max_pause_ms, now: new Date(now), retention_ms: RETENTION_MS };
      const [counted] = await incrementFailures(tx, limit);
      if (counted) continue;
      const [row] = await findPause(tx, { key });
      throw tooManyAttempts(Math.ceil(((row?.paused_until.getTime() ?? now) - now) / 1000));
    }
  });
}

function tooManyAttempts(seconds: number): ApiError {
  const detail = 'Too many failed attempts. Try again after the time in Retry-After.';
  return new ApiError(429, 'too_many_attempts', detail, { headers: { 'retry-after': String(Math.max(1, seconds)) } });
}

/** Returns no row while the key is paused. */
const incrementFailures = controlStatement('users.increment_failures', {
  key: 'bytea',
  now: 'timestamptz',
  free: 'integer',
  max_pause_ms: 'double precision',
  retention_ms: 'double precision',
}).returns<{ failures: number }>(
  `insert into sign_in_attempts as known (key, failures, last_at, paused_until) values (:key, 1, :now, :now)
   on conflict (key) do update set
     failures = case when known.last_at < :now - :retention_ms * interval '1 ms' then 1 else known.failures + 1 end,
     last_at = :now,
     paused_until = case
       when known.last_at < :now - :retention_ms * interval '1 ms' or known.failures + 1 < :free then :now
       else :now + least(:max_pause_ms, 1000 * 2 ^ least(known.failures + 1 - :free, 30)) * interval '1 ms' end
   where known.paused_until <= :now
   returning failures`,
);

const findPause = controlStatement('users.find_pause', { key: 'bytea' }).returns<{ paused_until: Date }>(
  'select paused_until from sign_in_attempts where key = :key',
);

const deleteFailures = controlStatement('users.delete_failures', { keys: 'bytea[]', decremented: 'bytea?' }).runs(
  `with deleted as (delete from sign_in_attempts where key = any(:keys))
   update sign_in_attempts set failures = greatest(failures - 1, 0), paused_until = last_at where key = :decremented`,
);

const decrementFailures = controlStatement('users.decrement_failures', { keys: 'bytea[]' }).runs(
  `update sign_in_attempts set failures = greatest(failures - 1, 0), paused_until = last_at
   where key in (select key from sign_in_attempts where key = any(:keys) order by key for update)`,
);

export async function deleteExpiredAttempts(control: ControlDatabase, now: number): Promise<void> {
  await deleteAttemptsBefore(control, { before: new Date(now - RETENTION_MS) });
}

const deleteAttemptsBefore = controlStatement('users.delete_attempts_before', { before: 'timestamptz' }).runs(
  'delete from sign_in_attempts where last_at < :before',
);
