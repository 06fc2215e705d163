import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ApiError } from '../errors.ts';

/** What a query runs on: the pool (its own transaction) or one transaction's client. */
export type Tx = Pick<pg.ClientBase, 'query'>;

// Numbers of sessions and counts are int8 and safe integers by design; everything else keeps the driver's reading.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as never,
};

/**
 * A named statement: parsed and planned once for each connection. Called with the transaction and then its parameters
 * (the account first, in a tenant's query), it returns the rows.
 */
export function statement<Row extends pg.QueryResultRow>(name: string, text: string) {
  return async (tx: Tx, ...values: unknown[]): Promise<Row[]> => {
    const result = await tx.query<Row>({ name, text, values });
    return result.rows;
  };
}

/** As `statement`, but planned at each call, for its parameters: of many filters each may have its own index. */
export function plannedStatement<Row extends pg.QueryResultRow>(text: string) {
  return async (tx: Tx, ...values: unknown[]): Promise<Row[]> => {
    const result = await tx.query<Row>({ text, values });
    return result.rows;
  };
}

/** Codes of PostgreSQL that a second try can cure: serialization failure, deadlock. */
const RETRY = new Set(['40001', '40P01']);

/** The server went away, or is coming up or going down. */
const CONNECTION = new Set(['57P01', '57P02', '57P03', '08000', '08001', '08003', '08006']);
const SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT']);

/** Whether the database was not reached, or was lost under way: then it may be back in a moment. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof ApiError) return isConnectionError(error.cause);
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  if (code !== undefined) return CONNECTION.has(code) || SYSTEM.has(code);
  return /Connection terminated|connection timeout|is not queryable/.test(message ?? '');
}

/** Whether there are more requests than connections: none became free in time, or the server allows no more. */
function isOverload(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return code === '53300' || message === 'timeout exceeded when trying to connect';
}

export interface Database extends Tx {
  readonly pool: pg.Pool;
  /** How the database is reached, for a thread or a process of its own. */
  readonly connection: pg.PoolConfig;
  /**
   * Runs `work` in one transaction. After a deadlock, a serialization failure or the loss of the connection before the
   * commit it is tried again, so `work` may run twice.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A connection of its own, outside the pool (for LISTEN, for COPY). `name` is what pg_stat_activity shows. */
  connect(name: string): Promise<pg.Client>;
  /** Whether the database answers within a second. Whoever asks while an answer is awaited shares it. */
  isAlive(): Promise<boolean>;
  close(): Promise<void>;
}

/** How long a request waits for a database that is restarting before it is refused. */
const OUTAGE_PATIENCE_MS = 8_000;

/** How long it waits for a free connection. */
const QUEUE_PATIENCE_MS = 5_000;

/**
 * No statement and no lock holds a request for ever. Requests need a hundredth of it; migrations lift it for themselves,
 * connections outside the pool have none.
 */
const STATEMENT_WITHIN_MS = 60_000;
const LOCK_WITHIN_MS = 20_000;

const ALIVE_WITHIN_MS = 1_000;
const CLOSE_WITHIN_MS = 2_000;

/**
 * The pool. A database that is restarting is waited for, also in the middle of a transaction. An error at the commit
 * itself is the caller's, for nobody can tell whether it was committed.
 * @param connection a `postgres://` URL, or the folder, user and database of a socket
 */
export function openDatabase(connection: pg.PoolConfig, size: number, onError: (error: Error) => void): Database {
  const settings: pg.PoolConfig = {
    connectionTimeoutMillis: QUEUE_PATIENCE_MS,
    ...connection,
    types,
    keepAlive: true,
    application_name: 'headwater',
  };
  const pool = new pg.Pool({
    ...settings,
    max: size,
    idleTimeoutMillis: 60_000,
    statement_timeout: STATEMENT_WITHIN_MS,
    lock_timeout: LOCK_WITHIN_MS,
  });
  // The pool does not wait for its connections to be gone: a server that stops next may be told of as a loss.
  let closing = false;
  const lost = (error: Error) => closing || onError(error);
  pool.on('error', lost);
  // A client that is checked out reports the loss of its connection here as well; its query's own error tells the caller.
  pool.on('connect', (client) => client.on('error', lost));

  async function checkout(): Promise<pg.PoolClient> {
    const deadline = Date.now() + OUTAGE_PATIENCE_MS;
    for (;;) {
      try {
        return await pool.connect();
      } catch (error) {
        if (isOverload(error)) throw overloaded(error);
        if (!isConnectionError(error) || Date.now() >= deadline) throw error;
        await sleep(50);
      }
    }
  }

  const query = async (...args: unknown[]) => {
    const client = await checkout();
    let lost = false;
    try {
      return await (client.query as (...all: unknown[]) => Promise<unknown>)(...args);
    } catch (error) {
      lost = isConnectionError(error);
      throw error;
    } finally {
      client.release(lost);
    }
  };

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const deadline = Date.now() + OUTAGE_PATIENCE_MS;
    for (let attempt = 1; ; attempt++) {
      const client = await checkout();
      let lost = false;
      let committing = false;
      try {
        // Sent together with the first statement of `work`: the driver queues it, nobody waits for its answer.
        const begun = client.query('begin');
        begun.catch(() => {});
        const result = await work(client);
        await begun;
        committing = true;
        // A failed statement that `work` swallowed would make this a rollback, without an error.
        const { command } = await client.query('commit');
        if (command !== 'COMMIT') throw new Error('transaction was rolled back at its commit');
        return result;
      } catch (error) {
        lost = isConnectionError(error);
        if (!lost) await client.query('rollback').catch(() => (lost = true));
        const curable = isConnectionError(error)
          ? !committing && Date.now() < deadline
          : RETRY.has((error as { code?: string }).code ?? '');
        if (attempt >= 5 || !curable) throw error;
      } finally {
        client.release(lost);
      }
      // Those that locked each other out are not to do so again.
      await sleep(Math.random() * 10 * attempt);
    }
  }

  async function connect(name: string): Promise<pg.Client> {
    const client = new pg.Client(settings);
    client.on('error', () => {});
    try {
      await client.connect();
      // Not in the settings: an application_name in DATABASE_URL would win over it there.
      await client.query("select set_config('application_name', $1, false)", [name]);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    return client;
  }

  async function ask(): Promise<boolean> {
    const client = new pg.Client({
      ...settings,
      connectionTimeoutMillis: ALIVE_WITHIN_MS,
      query_timeout: ALIVE_WITHIN_MS,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      return true;
    } catch {
      return false;
    } finally {
      client.end().catch(() => {});
    }
  }
  let asking: Promise<boolean> | undefined;

  return {
    pool,
    connection,
    query: query as Tx['query'],
    transaction,
    connect,
    isAlive() {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
    async close() {
      closing = true;
      // What hangs in the database then does not keep the service.
      await Promise.race([pool.end(), sleep(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}

function overloaded(cause: unknown): ApiError {
  const detail = 'The service has more to do than it can: wait as long as Retry-After says.';
  return new ApiError(429, 'overloaded', detail, { cause, headers: { 'retry-after': '1' } });
}
