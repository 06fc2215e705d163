import { setTimeout as sleep } from 'node:timers/promises';
import { readLag } from '../analytics/index.ts';
import { countQueuedJobs } from '../jobs/index.ts';
import { measureDistributed } from '../shared/postgres/citus.ts';
import type { Database } from '../shared/postgres/database.ts';
import { MINUTE } from '../shared/units.ts';
import { countQueuedWebhooks } from '../webhooks/index.ts';

/** What a cell contains and has to do. */
export interface CellMeasures {
  bytes: number;
  /** Connections to its database, of all processes and others. */
  connections: number;
  /** Visits, events and reports of conversions since PostgreSQL's statistics began. */
  recorded: number;
  /** For how long the oldest row has waited that is not in reports yet. */
  lagSeconds: number;
  /** Jobs, changes and webhook deliveries that are due. */
  queued: number;
  /** How long a statement took. */
  responseMs: number;
}

/** Tables of what is recorded. */
const RECORDED = ['visits', 'events', 'conversion_revisions'];

const MOST_QUEUED = 100_000;
const SHORTEST_RATE_MS = 1_000;
/** Measures are as old as this at most. */
const TTL_MS = 4_000;
/** A rate is that of the time since the measures before, if they are not older. */
const LONGEST_RATE_MS = MINUTE;

async function measureCell(db: Database): Promise<CellMeasures> {
  const { rows } = await db.query(
    `select
       (select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')) as bytes,
       (select count(*) from pg_stat_activity where datname = current_database()) as connections,
       (select coalesce(sum(n_tup_ins), 0)::bigint from pg_stat_user_tables
        where schemaname = current_schema() and relname = any($1)) as recorded`,
    [RECORDED],
  );
  const ofNode = db.placementLock && (await measureDistributed(db, RECORDED));
  const [jobs] = await countQueuedJobs(db, { most: MOST_QUEUED });
  const [webhooks] = await countQueuedWebhooks(db, { most: MOST_QUEUED });
  const lagSeconds = await readLag(db);
  const startedAt = performance.now();
  await db.query('select 1');
  const responseMs = performance.now() - startedAt;
  return { ...rows[0], ...ofNode, queued: (jobs?.queued ?? 0) + (webhooks?.queued ?? 0), lagSeconds, responseMs };
}

/** As people read them. */
export const roundMeasures = ({
  bytes,
  connections,
  lagSeconds,
  queued,
  responseMs,
  recordedPerSecond,
}: CellMeasures & { recordedPerSecond: number }) => ({
  responseMs: Math.round(responseMs),
  bytes,
  connections,
  recordedPerSecond: Math.round(recordedPerSecond * 10) / 10,
  lagSeconds: Math.round(lagSeconds * 10) / 10,
  queued,
});

interface Measured {
  at: number;
  measures: CellMeasures;
}

/** Measures cells; what is measured within a few seconds is shared. */
export class CellMeter {
  readonly #latest = new Map<string, Measured>();
  readonly #before = new Map<string, Measured>();
  readonly #measuring = new Map<string, Promise<CellMeasures>>();

  async measure(cell: string, db: Database): Promise<CellMeasures> {
    const known = this.#latest.get(cell);
    if (known && performance.now() - known.at < TTL_MS) return known.measures;
    const measuring = this.#measuring.get(cell) ?? this.#measure(cell, db).finally(() => this.#measuring.delete(cell));
    this.#measuring.set(cell, measuring);
    return measuring;
  }

  /** Also what the cell recorded per second lately. The first time, this takes a second. */
  async measureLoad(cell: string, db: Database): Promise<CellMeasures & { recordedPerSecond: number }> {
    const first = await this.measure(cell, db);
    if (this.#rate(cell) === undefined) {
      await sleep(SHORTEST_RATE_MS);
      await this.#measure(cell, db);
    }
    return { ...(this.#latest.get(cell)?.measures ?? first), recordedPerSecond: this.#rate(cell) ?? 0 };
  }

  async #measure(cell: string, db: Database): Promise<CellMeasures> {
    const measured = { at: performance.now(), measures: await measureCell(db) };
    const known = this.#latest.get(cell);
    if (known) this.#before.set(cell, known);
    this.#latest.set(cell, measured);
    return measured.measures;
  }

  #rate(cell: string): number | undefined {
    const [before, latest] = [this.#before.get(cell), this.#latest.get(cell)];
    if (!before || !latest || latest.at - before.at > LONGEST_RATE_MS) return undefined;
    const seconds = (latest.at - before.at) / 1_000;
    return Math.max(0, (latest.measures.recorded - before.measures.recorded) / seconds);
  }
}
