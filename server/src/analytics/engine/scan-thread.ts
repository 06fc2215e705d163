import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { FunnelWork } from './count-funnel.ts';
import { SessionWork } from './count-sessions.ts';
import { Pace } from './pace.ts';
import type { Work, WorkPlan } from './plan.ts';
import { type EngineConnections, openPool, REPLICA_TIMEOUTS } from './pools.ts';
import { ReportTooLarge } from './report-too-large.ts';
import { type ScanJob, type ScanResponse, unpackRanges } from './scan-threads.ts';
import { SegmentCache } from './segment-cache.ts';
import { SegmentReader } from './segment-reader.ts';
import { VisitorNumbers } from './visitors.ts';

// The script of the threads that scan a part of a report's segments, started by scan-threads.ts.

/** With that of the report thread, enough for what an overview needs of 25 million sessions. */
const CACHE_BYTES = 128 * 2 ** 20;

const connections = workerData as EngineConnections;
const primary = openPool(connections.primary);
const replica = connections.replica && openPool(connections.replica, REPLICA_TIMEOUTS);
const cache = new SegmentCache(CACHE_BYTES, connections.busy && new Pace(connections.busy));

/** Reads in the snapshot of the report, if there is something to read. */
async function scan({
  accountId,
  parts,
  channels,
  hidden,
  plan,
  visitors,
  ranges,
  snapshot,
  onReplica,
}: ScanJob): Promise<Work<unknown>> {
  // Numbers of visitors are valid in one numbering only.
  const key = `${accountId} ${visitors.id}`;
  cache.startReport();
  const numbers = cache.visitorsOf(key, () => new VisitorNumbers(visitors));
  numbers.adopt(visitors);
  const work = startWork(plan);
  let client: pg.PoolClient | undefined;
  const connect = async () => {
    if (client) return client;
    client = await (onReplica && replica ? replica : primary).connect();
    await client.query(`begin isolation level repeatable read; set transaction snapshot ${pg.escapeLiteral(snapshot)}`);
    return client;
  };
  let isBroken = true;
  try {
    await new SegmentReader(connect, cache, { accountId, parts, channels }, numbers, key).show(
      unpackRanges(ranges),
      hidden,
      work,
    );
    await client?.query('commit');
    isBroken = false;
  } finally {
    client?.release(isBroken);
  }
  return work;
}

function startWork(plan: WorkPlan): Work<unknown> {
  return (plan.type === 'count' ? new SessionWork(plan) : new FunnelWork(plan)) as Work<unknown>;
}

parentPort?.on('message', async (job: ScanJob) => {
  const respond = (response: ScanResponse, buffers: ArrayBuffer[] = []) => parentPort?.postMessage(response, buffers);
  try {
    const { part, buffers } = await scan(job);
    respond({ part }, buffers);
  } catch (error) {
    respond(error instanceof ReportTooLarge ? { isTooLarge: true } : { error });
  }
});
