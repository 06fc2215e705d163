import { enqueueJob, type JobHandler, type JobRun } from '../jobs/index.ts';
import type { Deps } from '../shared/deps.ts';
import { invalid, notFound } from '../shared/errors.ts';
import { firstUuidAt, parseId, uuidTime } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import type { Replay } from './contract.ts';
import { endpointId, found } from './endpoint.ts';
import { ALL_KINDS } from './kinds.ts';
import { SHOWN_MS } from './partitions.ts';
import { findDelivery, findEndpoint, requeueDeliveries } from './queries.ts';
import { disabled } from './send-test.ts';

export const REPLAY = 'replay_webhook';

const PAGE = 500;
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
 * Queues the job that sends deliveries again, under the ids they have.
 * @throws 404; 400 `webhook_disabled`, `replay_conflict` where both one delivery and many are asked for
 */
export async function replay(deps: Deps, tx: Tx, accountId: string, webhookId: string, sent: Replay) {
  const [row] = await findEndpoint(tx, accountId, endpointId(webhookId));
  const endpoint = found(row);
  if (endpoint.status !== 'active') throw disabled();
  const { deliveryId, status, from, to } = sent;
  if (deliveryId === undefined) {
    // What is created from now on is not looked at.
    const range = {
      status: status ?? 'failed',
      from: from ?? isoTime(deps.clock() - SHOWN_MS),
      to: to ?? isoTime(deps.clock() + 1),
    };
    return enqueueJob(deps, tx, accountId, REPLAY, { webhookId, ...range } satisfies ReplayParams);
  }
  if (status ?? from ?? to) {
    const detail = 'is one delivery: it goes without status, from and to';
    throw invalid([{ pointer: '/deliveryId', code: 'replay_conflict', detail }]);
  }
  const id = parseId('msg', deliveryId);
  const shownFrom = firstUuidAt(deps.clock() - SHOWN_MS);
  const [delivery] = id === undefined ? [] : await findDelivery(tx, accountId, endpoint.id, id, shownFrom);
  if (!delivery) throw notFound('delivery');
  return enqueueJob(deps, tx, accountId, REPLAY, { webhookId, deliveryId } satisfies ReplayParams);
}

/** Does the jobs of type `replay_webhook`. One that is broken off begins again, and may send something twice. */
export function replayHandler(deps: Deps): JobHandler {
  return {
    async run(job) {
      const { deliveryId, status, from, to, webhookId } = job.params as ReplayParams;
      const endpoint = parseId('whk', webhookId);
      const one = deliveryId === undefined ? undefined : parseId('msg', deliveryId);
      if (endpoint === undefined) return { replayed: 0 };
      if (one !== undefined) {
        return { replayed: await requeue(deps, job, endpoint, ENDED, previous(one), next(one)) };
      }
      const range = [from, to].map((time) => firstUuidAt(Date.parse(time ?? '')));
      return { replayed: await requeue(deps, job, endpoint, [status ?? 'failed'], range[0] ?? '', range[1] ?? '') };
    },
  };
}

async function requeue(
  { db, clock }: Deps,
  { accountId, signal, report }: JobRun,
  endpoint: string,
  statuses: readonly string[],
  after: string,
  end: string,
): Promise<number> {
  let count = 0;
  for (let last = after; ; ) {
    signal.throwIfAborted();
    const rows = await requeueDeliveries(
      db,
      accountId,
      endpoint,
      last,
      end,
      PAGE,
      statuses,
      new Date(clock()),
      ALL_KINDS,
    );
    count += rows.length;
    const page = rows.at(-1);
    if (page === undefined || rows.length < PAGE) return count;
    last = page.message_id;
    report((uuidTime(last) - uuidTime(after)) / Math.max(1, uuidTime(end) - uuidTime(after)));
  }
}

/** The UUIDs beside one, which bound it and nothing else. */
const previous = (uuid: string) => neighbour(uuid, -1n);
const next = (uuid: string) => neighbour(uuid, 1n);

function neighbour(uuid: string, step: bigint): string {
  const hex = (BigInt(`0x${uuid.replaceAll('-', '')}`) + step).toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
