import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { type Worker, type WorkerLoop, workerLoop } from '../worker-loop.ts';
import { type Database, openDatabase, type Tx } from './database.ts';
import { isConnectionError } from './database-errors.ts';

const CHECK_MS = 1_000;
const CATCH_UP_MS = 50;
/** What was in the way of replay would be so again. */
const PATIENCE = { reconnectMs: 0, connectMs: 1_000, checkoutMs: 500, repeats: false };
/** After its connection was lost, the replica is left alone for this long. */
const PAUSE_MS = 5_000;

interface ReplicaReader extends Tx {
  /** false: what was read is of the primary, which the replica may not have. */
  mayReadReplica(): boolean;
}

interface Position {
  lsn: bigint;
  /** By the monotonic clock, when the primary was there at the latest. */
  at: number;
}

/**
 * A streaming replica of a database, for reads that may be a little old. It is used while it has replayed what the primary had
 * written `maxLagMs` ago; that is measured by positions in the log, so a primary without writes is no lag, and a replica whose
 * connection is cut is noticed. Everything else is read from the primary: what fails on the replica as well, such as a query that is
 * in the way of replay.
 */
export class Replica implements Worker {
  /** How to connect, for another thread. */
  readonly connection: pg.PoolConfig;
  readonly #db: Database;
  readonly #primary: Pick<Database, 'query'>;
  readonly #maxLagMs: number;
  readonly #log: Logger;
  readonly #checking: WorkerLoop;
  /** Of the primary, the oldest one first. */
  #positions: Position[] = [];
  /** When the primary was where the replica is now. */
  #asOf = Number.NEGATIVE_INFINITY;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #wasUsable = false;

  constructor(
    primary: Pick<Database, 'query'>,
    connection: pg.PoolConfig,
    { config, log }: { config: Config; log: Logger },
  ) {
    this.#primary = primary;
    this.connection = connection;
    this.#maxLagMs = config.replicaLagMs;
    this.#log = log;
    this.#db = openDatabase(
      connection,
      config.poolSize,
      (error) => log.debug({ err: error }, 'a replica was lost'),
      PATIENCE,
    );
    const check = () => this.#check();
    this.#checking = workerLoop({ name: 'check the replica', log, everyMs: CHECK_MS, runAtStart: true, run: check });
  }

  /** How old what the replica has is at most, in milliseconds. */
  get lagMs(): number {
    return performance.now() - this.#asOf;
  }

  get isUsable(): boolean {
    return this.lagMs <= this.#maxLagMs && performance.now() > this.#pausedUntil;
  }

  /**
   * Reads from the replica while that is possible, and from then on from the primary: so nothing is older than what was read
   * before.
   * @param isUsable false: reads from the primary alone
   */
  reader(isUsable = true): ReplicaReader {
    const query = async (...args: Parameters<Tx['query']>) => {
      isUsable &&= this.isUsable;
      if (isUsable) {
        try {
          return await this.#db.query(...args);
        } catch (error) {
          isUsable = false;
          this.onFailure(error);
        }
      }
      return this.#primary.query(...args);
    };
    return { query: query as Tx['query'], mayReadReplica: () => isUsable };
  }

  /** Whether the replica has everything that was committed before this call; waits for that as long as it may lag. */
  async catchUp(): Promise<boolean> {
    if (!this.isUsable) return false;
    const deadline = performance.now() + this.#maxLagMs;
    try {
      const { rows: primary } = await this.#primary.query('select pg_current_wal_lsn()::text as lsn');
      const { lsn } = primary[0];
      while (performance.now() < deadline) {
        const { rows } = await this.#db.query('select pg_last_wal_replay_lsn() >= $1::pg_lsn as has_it', [lsn]);
        if (rows[0].has_it) return true;
        await sleep(CATCH_UP_MS);
      }
    } catch (error) {
      this.onFailure(error);
    }
    return false;
  }

  /** A query failed on the replica; the primary decides whether it is at fault itself. */
  onFailure(error: unknown): void {
    if (isConnectionError(error)) this.#pausedUntil = performance.now() + PAUSE_MS;
    this.#log.debug({ err: error }, 'a query failed on the replica; the primary is read');
  }

  start(): void {
    this.#checking.start();
  }

  async stop(): Promise<void> {
    await this.#checking.stop();
    this.#asOf = Number.NEGATIVE_INFINITY;
    await this.#db.close();
  }

  async #check(): Promise<void> {
    try {
      this.#asOf = await this.#measure();
    } catch (error) {
      this.#log.debug({ err: error }, 'the replica could not be checked');
    }
    if (this.isUsable === this.#wasUsable) return;
    this.#wasUsable = this.isUsable;
    if (this.isUsable) this.#log.info('reports and exports are read from the replica');
    else
      this.#log.warn(
        { lagMs: Math.round(this.lagMs) },
        'the replica is behind or unavailable; reports and exports are read from the primary',
      );
  }

  async #measure(): Promise<number> {
    const at = performance.now();
    const { rows: primary } = await this.#primary.query(
      'select pg_current_wal_lsn()::text as lsn, installation from instance',
    );
    this.#positions.push({ lsn: parseLsn(primary[0].lsn), at });
    const { rows } = await this.#db.query(
      'select pg_is_in_recovery() as is_replica, pg_last_wal_replay_lsn()::text as lsn, installation from instance',
    );
    const [found] = rows;
    // One that was promoted goes its own way.
    if (!found.is_replica || found.installation !== primary[0].installation) return Number.NEGATIVE_INFINITY;
    const replayed = parseLsn(found.lsn);
    const reached = this.#positions.findLastIndex(({ lsn }) => lsn <= replayed);
    const oldest = performance.now() - this.#maxLagMs;
    this.#positions = this.#positions.slice(Math.max(0, reached)).filter((each, i) => i === 0 || each.at > oldest);
    return reached < 0 ? Number.NEGATIVE_INFINITY : (this.#positions[0]?.at ?? Number.NEGATIVE_INFINITY);
  }
}

/** `16/B374D848` */
function parseLsn(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
