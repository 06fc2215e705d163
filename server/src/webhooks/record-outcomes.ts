import type { Deps } from '../shared/deps.ts';
import { publicId } from '../shared/ids.ts';
import { isoTime } from '../shared/time.ts';
import type { DeliveryStatus } from './contract.ts';
import { holdOffErasing, recordAttempts, updateHealth } from './queries.ts';
import { GIVE_UP_MS } from './schedule.ts';

/** An attempt that was made, and what follows from it. */
export interface Attempt {
  accountId: string;
  endpointId: string;
  /** UUID. */
  messageId: string;
  /** The first is 1. */
  number: number;
  /** Milliseconds since 1970. */
  at: number;
  status: number | null;
  error: string | null;
  answer: string | null;
  ms: number;
  result: DeliveryStatus;
  /** When it is attempted again, where it is. */
  nextAt: number | null;
  /** Whether the endpoint answered that it is gone. */
  isGone: boolean;
}

interface Health {
  accountId: string;
  succeeded: boolean;
  failedAt: number | null;
  isGone: boolean;
}

/** Writes attempts down, their deliveries' status and what they say of their endpoints, in one transaction. */
export async function recordOutcomes({ db, log, clock }: Deps, attempts: readonly Attempt[]): Promise<undefined[]> {
  const healths = new Map<string, Health>();
  for (const { accountId, endpointId, error, at, isGone } of attempts) {
    const known = healths.get(endpointId);
    healths.set(endpointId, {
      accountId,
      succeeded: (known?.succeeded ?? false) || error === null,
      failedAt: known?.failedAt ?? (error === null ? null : at),
      isGone: (known?.isGone ?? false) || isGone,
    });
  }
  // In one order, so that no two batches wait in a circle.
  const told = [...healths].sort(([a], [b]) => (a < b ? -1 : 1));
  const now = clock();
  const disabled = await db.transaction(async (tx) => {
    if (attempts.some(({ answer }) => answer !== null)) await holdOffErasing(tx);
    await recordAttempts(
      tx,
      attempts.map(({ accountId }) => accountId),
      attempts.map(({ endpointId }) => endpointId),
      attempts.map(({ messageId }) => messageId),
      attempts.map(({ number }) => number),
      attempts.map(({ at }) => isoTime(at)),
      attempts.map(({ status }) => status),
      attempts.map(({ ms }) => ms),
      attempts.map(({ error }) => error),
      attempts.map(({ result }) => result),
      attempts.map(({ nextAt }) => nextAt && isoTime(nextAt)),
      attempts.map(({ answer }) => answer),
    );
    return updateHealth(
      tx,
      told.map(([, { accountId }]) => accountId),
      told.map(([id]) => id),
      told.map(([, { succeeded }]) => succeeded),
      told.map(([, { failedAt }]) => failedAt && isoTime(failedAt)),
      told.map(([, { isGone }]) => isGone),
      told.map(([, { failedAt }]) => failedAt && isoTime(failedAt - GIVE_UP_MS)),
      new Date(now),
    );
  });
  for (const { id, disabled_reason: reason } of disabled) {
    log.warn({ webhook: publicId('whk', id), reason }, 'a webhook was disabled');
  }
  return attempts.map(() => undefined);
}
