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

/** Codes of PostgreSQL that a second try can cure: serialization failure, deadlock. */
const RETRY = new Set(['40001', '40P01']);

/** The server went away, or is coming up or going down. */
const CONNECTION = new Set(['57P01', '57P02', '57P03', '08000', '08001', '08003', '08006', '53300']);
const SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT']);

export function isConnectionError(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  if (code !== undefined) return CONNECTION.has(code) || SYSTEM.has(code);
  return /Connection terminated|connection timeout|timeout exceeded when trying to connect/.test(message ?? '');
}

export interface Database extends Tx {
  readonly pool: pg.Pool;
  /** How the database is reached, for a thread or a process of its own. */
  readonly connection: pg.PoolConfig;
  /** Runs `work` in one transaction; a deadlock or a serialization failure is tried again, so `work` may run twice. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A connection of its own, outside the pool (for LISTEN, for COPY). `name` is what pg_stat_activity shows. */
  connect(name: string): Promise<pg.Client>;
  close(): Promise<void>;
}

/** How long a request waits for a database that is restarting before it is refused. */
const OUTAGE_PATIENCE_MS = 8_000;

/**
 * The pool. A database that is restarting is waited for before a transaction begins; once it has begun, an error is the
 * caller's, for nobody can tell whether it was committed.
 * @param connection a `postgres://` URL, or the folder, user and database of a socket
 */
export function openDatabase(connection: pg.PoolConfig, size: number, onError: (error: Error) => void): Database {
  const settings: pg.PoolConfig = {
    ...connection,
    types,
    max: size,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    application_name: 'headwater',
  };
  const pool = new pg.Pool(settings);
  pool.on('error', onError);
  // A client that is checked out reports the loss of its connection here as well; its query's own error tells the caller.
  pool.on('connect', (client) => client.on('error', onError));

  async function checkout(): Promise<pg.PoolClient> {
    const deadline = Date.now() + OUTAGE_PATIENCE_MS;
    for (;;) {
      try {
        return await pool.connect();
      } catch (error) {
        if (!isConnectionError(error) || Date.now() >= deadline) throw outage(error);
        await new Promise((resume) => setTimeout(resume, 50));
      }
    }
  }

  const outage = (cause: unknown) =>
    isConnectionError(cause)
      ? new ApiError(500, 'internal_error', 'The service met an unexpected condition.', {
          cause,
          headers: { 'retry-after': '2' },
        })
      : cause;

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

  return {
    pool,
    connection,
    query: query as Tx['query'],
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        const client = await checkout();
        let lost = false;
        try {
          // Sent together with the first statement of `work`: the driver queues it, nobody waits for its answer.
          const begun = client.query('begin');
          begun.catch(() => {});
          const result = await work(client);
          await begun;
          // A failed statement that `work` swallowed would make this a rollback, without an error.
          const { command } = await client.query('commit');
          if (command !== 'COMMIT') throw new Error('transaction was rolled back at its commit');
          return result;
        } catch (error) {
          lost = isConnectionError(error);
          if (!lost) await client.query('rollback').catch(() => (lost = true));
          if (attempt >= 5 || !RETRY.has((error as { code?: string }).code ?? '')) throw error;
        } finally {
          client.release(lost);
        }
      }
    },
    async connect(name) {
      const client = new pg.Client({ ...settings, application_name: name });
      client.on('error', () => {});
      await client.connect();
      return client;
    },
    close: () => pool.end(),
  };
}
