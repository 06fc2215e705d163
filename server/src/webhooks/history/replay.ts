import { enqueueJob, type JobHandler, type JobRun } from '../../jobs/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { invalid } from '../../shared/errors.ts';
import { firstUuidAt, parseId, uuidTime } from '../../shared/ids.ts';
import { replayPages } from '../../shared/outbound/replay-pages.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime, parseTimestamp } from '../../shared/time.ts';
import type { Replay } from '../contract.ts';
import { lockOrder, releaseFirst } from '../delivery/order.ts';
import { findEndpoint } from '../endpoints/queries.ts';
import { VISIBLE_MS } from '../partitions.ts';
import { ALL_TOPICS } from '../topics/topic.ts';
import { requireDelivery } from './list-deliveries.ts';
import { requeueDeliveries } from './queries.ts';
import { requireActiveEndpoint } from './send-test.ts';

export const REPLAY_JOB = 'replay_webhook';

const ENDED = ['failed', 'delivered'];

interface ReplayParams {
  webhookId: string;
  deliveryId?: string;
  status?: 'failed' | 'delivered';
  /** ISO 8601. */
  from?: string;
  to?: string;
}

/**
 * Starts the job that sends deliveries again, under the same ids.
 * @throws 404; 400 `webhook_disabled`, `replay_conflict`
 */
export async function startReplay(deps: Deps, tx: Tx, accountId: string, webhookId: string, sent: Replay) {
  const endpoint = await requireActiveEndpoint(tx, accountId, webhookId);
  const { deliveryId, status, from, to } = sent;
  const now = deps.clock();
  let params: ReplayParams;
  if (deliveryId === undefined) {
    params = {
      webhookId,
      status: status ?? 'failed',
      from: isoTime(timeOf(from) ?? now - VISIBLE_MS),
      // Without an end, the replay would also include what it delivers itself.
      to: isoTime(timeOf(to) ?? now + 1),
    };
  } else {
    if (status ?? from ?? to) {
      const detail = '`deliveryId` selects a single delivery. Omit `status`, `from` and `to`.';
      throw invalid([{ pointer: '/deliveryId', code: 'replay_conflict', detail }]);
    }
    await requireDelivery(tx, accountId, endpoint.id, deliveryId, now);
    params = { webhookId, deliveryId };
  }
  return enqueueJob(deps, tx, accountId, REPLAY_JOB, params);
}

/** The schema accepts what `parseTimestamp` reads, which is more than `Date.parse` does. */
const timeOf = (text: string | undefined) => (text === undefined ? undefined : parseTimestamp(text));

/** Runs the jobs of type `replay_webhook`. An interrupted job starts again, and may send some deliveries twice. */
export function replayHandler(deps: Deps): JobHandler {
  return {
    async run(job) {
      const { deliveryId, status = 'failed', from = '', to = '', webhookId } = job.params as ReplayParams;
      const endpointId = parseId('whk', webhookId);
      if (endpointId === undefined) return { replayed: 0 };
      const only = deliveryId === undefined ? undefined : parseId('msg', deliveryId);
      const [statuses, after, before] =
        only === undefined
          ? [[status], firstUuidAt(Date.parse(from)), firstUuidAt(Date.parse(to))]
          : [ENDED, neighbor(only, -1n), neighbor(only, 1n)];
      return { replayed: await requeue(deps, job, endpointId, statuses, after, before) };
    },
  };
}

function requeue(
  { db, clock }: Deps,
  { accountId, signal, report }: JobRun,
  endpointId: string,
  statuses: readonly string[],
  start: string,
  before: string,
): Promise<number> {
  const selection = { account_id: accountId, endpoint_id: endpointId, before, statuses, types: ALL_TOPICS };
  return replayPages(
    signal,
    start,
    (after, limit) => {
      const now = new Date(clock());
      return db.transaction(async (tx) => {
        const [endpoint] = await findEndpoint(tx, { account_id: accountId, id: endpointId });
        const is_ordered = endpoint?.ordering === 'resource';
        if (is_ordered) await lockOrder(tx, { endpoints: [endpointId] });
        const requeued = await requeueDeliveries(tx, { ...selection, after, limit, now, is_ordered });
        const resources = requeued.flatMap(({ resource_id }) =>
          resource_id === null ? [] : [{ account_id: accountId, endpoint_id: endpointId, resource_id }],
        );
        if (resources.length > 0) await releaseFirst(tx, { resources, now });
        return requeued;
      });
    },
    ({ message_id: last }) => {
      report((uuidTime(last) - uuidTime(start)) / Math.max(1, uuidTime(before) - uuidTime(start)));
      return last;
    },
  );
}

/** The next or previous UUID. */
function neighbor(uuid: string, step: bigint): string {
  const hex = (BigInt(`0x${uuid.replaceAll('-', '')}`) + step).toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
