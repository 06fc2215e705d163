import { availableParallelism } from 'node:os';
import type pg from 'pg';
import type { ChannelRule } from '../channel-rules/rule.ts';
import type { Dimension, Filters, Include, Period } from '../dimensions.ts';
import { type AttributionCounts, type AttributionPlan, attributeConversions } from './attribute-conversions.ts';
import { type BreakdownRequest, type BreakdownResult, boundsOf, computeBreakdown, readValues } from './breakdown.ts';
import { computeFunnel, type FunnelRequest, type FunnelResult } from './compute-funnel.ts';
import type { SessionCounts } from './count-dimension.ts';
import { countProperties, type PropertiesRequest, type PropertiesResult } from './count-properties.ts';
import { countSessions, partsOfCount } from './count-sessions.ts';
import type { Credit } from './credits.ts';
import { Pace } from './pace.ts';
import { type EngineConnections, openPool, REPLICA_TIMEOUTS } from './pools.ts';
import { type RankedSession, type RankRequest, rankSessions } from './rank-sessions.ts';
import { ReportTooLarge } from './report-too-large.ts';
import { readSegments } from './scan-segments.ts';
import { ScanThreads } from './scan-threads.ts';
import { SegmentCache } from './segment-cache.ts';

interface CountRequest {
  accountId: string;
  filters: Filters;
  /** The custom channels of the account. */
  channels?: readonly ChannelRule[] | undefined;
  include: Include;
  /** `starts`: of the intervals, in milliseconds. */
  plans: { period: Period; starts: number[] }[];
}

type CountResult = { total: SessionCounts; intervals: SessionCounts[] }[];

type AttributionRequest = AttributionPlan & { limit: number };

type AttributionResult = Pick<AttributionCounts, 'conversions' | 'attributed'> & {
  /** `value` null: none. */
  rows: { value: string | null; credits: Credit[] }[];
  more: boolean;
};

interface Requests {
  count: CountRequest;
  breakdown: BreakdownRequest;
  funnel: FunnelRequest;
  attribution: AttributionRequest;
  properties: PropertiesRequest;
  rank: RankRequest;
}

export type ReportRequests = {
  [Type in keyof Requests]: Requests[Type] & {
    /** Whether segments may be read from a replica: by default they may. */
    mayReadReplica?: boolean;
  };
};

export interface ReportResults {
  count: CountResult;
  breakdown: BreakdownResult;
  funnel: FunnelResult;
  attribution: AttributionResult;
  properties: PropertiesResult;
  rank: RankedSession[];
}

export type ReportRequest = {
  [Type in keyof ReportRequests]: ReportRequests[Type] & { type: Type };
}[keyof ReportRequests];

/** Holds a million sessions with ten events each, or what an overview needs of ten million sessions. */
const CACHE_BYTES = 256 * 2 ** 20;

/** One processor remains for requests and PostgreSQL: of two, a second thread took half as much processor time again and gained little. */
const THREADS = Math.min(Math.max(availableParallelism() - 1, 1), 4);

/** Runs reports on columnar segments, one at a time, on its own database connections. */
export class ReportEngine {
  readonly #threads: ScanThreads;
  readonly #cache: SegmentCache;
  readonly #primary: pg.Pool;
  readonly #replica: pg.Pool | undefined;

  /** @param threads which scan, at most; one alone if there are fewer than `minSegments` */
  constructor(connections: EngineConnections, threads = connections.isDistributed ? 1 : THREADS, minSegments?: number) {
    const { primary, replica } = connections;
    this.#threads = new ScanThreads(connections, threads - 1, minSegments);
    this.#cache = new SegmentCache(CACHE_BYTES, connections.busy && new Pace(connections.busy), this.#threads);
    this.#primary = openPool(primary);
    this.#replica = replica && openPool(replica, REPLICA_TIMEOUTS);
  }

  /** @param onReplica whether to read the replica, if possible: segments are the same there */
  async run(request: ReportRequest, onReplica = false): Promise<ReportResults[keyof ReportResults]> {
    if (!onReplica || !this.#replica) return this.#runOn(this.#primary, request);
    try {
      return await this.#runOn(this.#replica, request);
    } catch (error) {
      if (error instanceof ReportTooLarge) throw error;
      return this.#runOn(this.#primary, request);
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#threads.stop(), this.#primary.end(), this.#replica?.end()]);
  }

  async #runOn(pool: pg.Pool, request: ReportRequest): Promise<ReportResults[keyof ReportResults]> {
    const client = await pool.connect();
    this.#threads.onReplica = pool === this.#replica;
    let isBroken = true;
    try {
      const result = await this.#dispatch(pool, client, request);
      isBroken = false;
      return result;
    } finally {
      // After a failure the connection may be in the middle of a transaction.
      client.release(isBroken);
    }
  }

  #dispatch(pool: pg.Pool, client: pg.ClientBase, request: ReportRequest) {
    switch (request.type) {
      case 'count':
        return this.#count(client, request);
      case 'breakdown':
        return computeBreakdown(pool, client, this.#cache, request);
      case 'funnel':
        return computeFunnel(client, this.#cache, request);
      case 'properties':
        return countProperties(client, this.#cache, request);
      case 'rank':
        return rankSessions(client, this.#cache, request);
      case 'attribution':
        return this.#attribute(client, request);
    }
  }

  async #count(client: pg.ClientBase, request: CountRequest): Promise<CountResult> {
    const { accountId, plans, filters, include } = request;
    const bounds = boundsOf(plans.map(({ period }) => period));
    const read = { accountId, ...bounds, parts: partsOfCount(filters), channels: request.channels };
    const counts = await readSegments(client, this.#cache, read, (population) =>
      countSessions(
        population,
        filters,
        plans.map((plan) => ({ ...plan, by: [], include })),
      ),
    );
    return counts.map(({ total, intervals }) => ({ total, intervals }));
  }

  async #attribute(client: pg.ClientBase, { limit, ...plan }: AttributionRequest): Promise<AttributionResult> {
    const { names, credits, ...counts } = await attributeConversions(client, this.#cache, plan);
    const textOf = await readValues(names, [...credits.keys()]);
    const rows = [...credits].map(([id, each]) => ({ value: textOf(plan.by as Dimension, id), credits: each }));
    const sizes = new Map(
      rows.map((row) => [row, row.credits.reduce((sum, { shares }) => sum + shares.linear.conversions, 0)]),
    );
    rows.sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0) || String(a.value).localeCompare(String(b.value)));
    return { ...counts, rows: rows.slice(0, limit), more: rows.length > limit };
  }
}
