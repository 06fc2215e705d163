import { readConversion } from '../../conversions/index.ts';
import { enqueueJob, type JobHandler, type JobRun } from '../../jobs/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, invalid } from '../../shared/errors.ts';
import { FIRST_ID, firstUuidAt, parseId } from '../../shared/ids.ts';
import { replayPages } from '../../shared/outbound/replay-pages.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { DestinationReplay } from '../delivery-contract.ts';
import { readTime } from '../manage/read-settings.ts';
import { refuseConversions, requireDestination } from '../manage/serialize.ts';
import { requeueByStatus, requeueChanged, requeueConversion, requeueUnqueued } from './queries.ts';

export const REPLAY_JOB = 'replay_destination';

interface ReplayParams {
  destinationId: string;
  conversionId?: string;
  statuses?: string[];
  /** ISO 8601. */
  from?: string;
  to?: string;
  /** Of conversions that the destination does not have as they are. */
  createdFrom?: string;
  createdTo?: string;
}

/**
 * Starts the job that queues conversions again. What the platform already has unchanged is not sent again.
 * @throws 404; 400 `destination_off`, `replay_conflict`
 */
export async function startReplay(
  deps: Deps,
  tx: Tx,
  accountId: string,
  destinationId: string,
  { conversionId, statuses, from, to, createdFrom, createdTo }: DestinationReplay,
) {
  const { mode, platform } = await requireDestination(tx, accountId, destinationId);
  refuseConversions(platform);
  if (mode === 'off') {
    throw badRequest('destination_off', 'The destination is off. Set its mode to "live" or "validate" first.');
  }
  if (conversionId !== undefined) {
    if (statuses ?? from ?? to) {
      const detail = '`conversionId` selects a single conversion. Omit `statuses`, `from` and `to`.';
      throw invalid([{ pointer: '/conversionId', code: 'replay_conflict', detail }]);
    }
    await readConversion(tx, deps.sessionIds, accountId, conversionId);
    return enqueueJob(deps, tx, accountId, REPLAY_JOB, { destinationId, conversionId } satisfies ReplayParams);
  }
  if (createdFrom !== undefined || createdTo !== undefined) {
    if (createdFrom === undefined || createdTo === undefined || (statuses ?? from ?? to)) {
      const detail =
        '`createdFrom` and `createdTo` select conversions together. Send both, and omit `statuses`, `from` and `to`.';
      throw invalid([
        { pointer: createdFrom === undefined ? '/createdTo' : '/createdFrom', code: 'replay_conflict', detail },
      ]);
    }
    const created = { createdFrom: readTime(createdFrom), createdTo: readTime(createdTo) };
    return enqueueJob(deps, tx, accountId, REPLAY_JOB, { destinationId, ...created } satisfies ReplayParams);
  }
  const params: ReplayParams = {
    destinationId,
    statuses: statuses ?? ['rejected'],
    from: from === undefined ? isoTime(0) : readTime(from),
    // Without an end, the replay would also include what it changes itself.
    to: to === undefined ? isoTime(deps.clock() + 1) : readTime(to),
  };
  return enqueueJob(deps, tx, accountId, REPLAY_JOB, params);
}

/** Runs the jobs of type `replay_destination`. An interrupted job starts again, which changes nothing. */
export function replayHandler(deps: Deps): JobHandler {
  return {
    async run(job) {
      const { destinationId, conversionId, statuses = [], from = '', to = '' } = job.params as ReplayParams;
      const destination = parseId('dst', destinationId);
      if (destination === undefined) return { replayed: 0 };
      const key = { account_id: job.accountId, destination_id: destination };
      const only = conversionId === undefined ? undefined : parseId('cnv', conversionId);
      if (only !== undefined) {
        const found = await requeueConversion(deps.db, { ...key, conversion_id: only, now: new Date(deps.clock()) });
        return { replayed: found.length };
      }
      const { createdFrom, createdTo } = job.params as ReplayParams;
      if (createdFrom !== undefined && createdTo !== undefined) {
        return { replayed: await requeueSendable(deps, job, key, createdFrom, createdTo) };
      }
      let replayed = 0;
      for (const status of statuses) {
        replayed += await (status === 'unqueued'
          ? requeueAll(deps, job, key, from, to)
          : requeueStatus(deps, job, key, status, from, to));
      }
      return { replayed };
    },
  };
}

interface DestinationKey {
  account_id: string;
  destination_id: string;
}

function requeueStatus(
  { db, clock }: Deps,
  { signal }: JobRun,
  key: DestinationKey,
  status: string,
  from: string,
  to: string,
): Promise<number> {
  return replayPages(
    signal,
    { after_time: from, after_id: FIRST_ID },
    (after, limit) => requeueByStatus(db, { ...key, ...after, to, status, now: new Date(clock()), limit }),
    (last) => ({ after_time: isoTime(last.updated_at), after_id: last.conversion_id }),
  );
}

function requeueAll(
  { db, clock }: Deps,
  { signal }: JobRun,
  key: DestinationKey,
  from: string,
  to: string,
): Promise<number> {
  const before = firstUuidAt(Date.parse(to));
  return replayPages(
    signal,
    firstUuidAt(Date.parse(from)),
    (after, limit) => requeueUnqueued(db, { ...key, after, before, now: new Date(clock()), limit }),
    (last) => last.conversion_id,
    ({ is_queued }) => is_queued,
  );
}

function requeueSendable(
  { db, clock }: Deps,
  { signal }: JobRun,
  key: DestinationKey,
  from: string,
  to: string,
): Promise<number> {
  return replayPages(
    signal,
    { after_time: from, after_id: FIRST_ID },
    (after, limit) => requeueChanged(db, { ...key, ...after, to, now: new Date(clock()), limit }),
    (last) => ({ after_time: isoTime(last.created_on), after_id: last.conversion_id }),
    ({ is_queued }) => is_queued,
  );
}
