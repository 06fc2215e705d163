import pg from 'pg';
import type { Deps } from '../shared/deps.ts';
import { ApiError } from '../shared/errors.ts';
import { FairQueue } from '../shared/fair-queue.ts';
import { cancelStatement } from '../shared/postgres/cancel.ts';
import { terminate } from '../shared/postgres/database.ts';
import { isConnectionError, isOutOfResources } from '../shared/postgres/database-errors.ts';
import { sqlError } from './check-statement.ts';
import { LIMITS } from './limits.ts';
import { type SqlRole, SqlSchema, unavailable } from './sql-role.ts';

export interface Column {
  name: string;
  /** The type, by its number in PostgreSQL. */
  type: number;
}

/** Values as PostgreSQL writes them. */
export type Row = (string | null)[];

export interface Batch {
  columns: Column[];
  rows: Row[];
}

export interface Statement {
  accountId: string;
  query: string;
  parameters: unknown[];
  /** Aborted when nobody waits for the result. */
  signal: AbortSignal;
}

/** In one process. One account alone leaves half of them. */
const QUEUE = { slots: 4, slotsPerKey: 2, queuedPerKey: 8 };

const FIRST_ROWS = 50;
/** As many rows are fetched at once as have about this size. */
const BATCH_BYTES = 512 * 1024;
const MAX_ROWS = 20_000;
/** What the server sends for one batch at most: a few rows may be of any size. */
const MAX_BATCH_BYTES = 64 * 1024 * 1024;

const CANCEL_MS = 100;
/** A server that has not canceled a statement by then does not respond. */
const HUNG_MS = 3_000;

const CURSOR = 'declare result no scroll cursor for ';

/** What a statement finds set. The role may change none of it, as it can call no function that does. */
const settings = ({ schema }: SqlRole) => `
  set local search_path = "${schema}"; set local statement_timeout = ${LIMITS.seconds * 1_000}; set local lock_timeout = '2s';
  set local idle_in_transaction_session_timeout = ${LIMITS.seconds * 1_000}; set local work_mem = '32MB'; set local hash_mem_multiplier = 1;
  set local max_parallel_workers_per_gather = 0; set local jit = off; set local cursor_tuple_fraction = 1; set local timezone = 'UTC';
  set local datestyle = 'ISO, YMD'; set local intervalstyle = 'iso_8601'; set local bytea_output = 'hex'; set local extra_float_digits = 1;
  set local standard_conforming_strings = on; set local client_min_messages = error`;

const AS_TEXT = { getTypeParser: () => (value: string | Buffer) => value };

/** Executes statements as a role of their own, each on a new connection that is bound to its account. */
export class StatementRunner {
  readonly #deps: Pick<Deps, 'db' | 'secret'>;
  readonly #schema: SqlSchema;
  readonly #queue = new FairQueue(QUEUE);

  readonly #limitMs: number;

  constructor(deps: Pick<Deps, 'db' | 'secret'>, limitMs = LIMITS.seconds * 1_000) {
    this.#deps = deps;
    this.#schema = new SqlSchema(deps);
    this.#limitMs = limitMs;
  }

  /**
   * Passes the rows on, batch by batch; `take` resolves when the next one is wanted, and rejects once its signal is aborted.
   * @throws ApiError 400 with what PostgreSQL says of the statement
   */
  run(statement: Statement, take: (batch: Batch, signal: AbortSignal) => Promise<void>): Promise<void> {
    const { accountId, signal } = statement;
    return this.#queue.run(accountId, { signal }, async () => {
      const role = await this.#schema.prepare();
      const client = await this.#connect(role);
      const limit = AbortSignal.timeout(this.#limitMs);
      const stop = AbortSignal.any([signal, limit]);
      const onStop = () => {
        // Between two of its messages there is nothing to cancel yet.
        canceling = setInterval(() => void cancelStatement(client), CANCEL_MS);
        void cancelStatement(client);
        hung = setTimeout(() => terminate(client), HUNG_MS);
      };
      stop.addEventListener('abort', onStop);
      let canceling: NodeJS.Timeout | undefined;
      let hung: NodeJS.Timeout | undefined;
      let pid: number | undefined;
      try {
        await client.query(`begin transaction read only; ${settings(role)}`);
        pid = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
        await this.#deps.db.query(
          'insert into sql_statements (pid, bound_to) values ($1, $2) on conflict (pid) do update set bound_to = $2',
          [pid, accountId],
        );
        for await (const batch of batchesOf(client, statement)) {
          await take(batch, stop);
          stop.throwIfAborted();
        }
      } catch (error) {
        const isTooExpensive = limit.aborted && !signal.aborted && !isConnectionError(error);
        throw isTooExpensive ? tooExpensive(error) : toApiError(error);
      } finally {
        stop.removeEventListener('abort', onStop);
        clearInterval(canceling);
        clearTimeout(hung);
        // Nothing of the statement is left: its transaction and its connection end.
        await client.end().catch(() => {});
        if (pid !== undefined) await this.#deps.db.query('delete from sql_statements where pid = $1', [pid]);
      }
    });
  }

  async #connect(role: SqlRole): Promise<pg.Client> {
    const { host, port, database, ssl } = new pg.Client(this.#deps.db.connection);
    const client = new pg.Client({
      host,
      port,
      ssl,
      ...(database !== undefined && { database }),
      user: role.name,
      password: role.password,
      application_name: 'headwater-sql',
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => {});
    try {
      await client.connect();
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string };
      if (/^(28|42501)/.test(code)) throw unavailable(`The role ${role.name} may not connect: ${message}.`, error);
      throw error;
    }
    return client;
  }
}

/** Fetches the rows of a statement as fast as they are taken, by a cursor. */
async function* batchesOf(client: pg.Client, { query, parameters }: Statement): AsyncGenerator<Batch> {
  // The extended protocol executes one statement at most. What follows the text cannot be part of a comment at its end.
  const declaration = { text: `${CURSOR}${query}\n`, values: parameters, queryMode: 'extended' };
  await client.query(declaration);
  const limit = limitBytes(client);
  for (let count = FIRST_ROWS; ; ) {
    limit.bytes = 0;
    const fetch = { text: `fetch ${count} from result`, rowMode: 'array' as const, types: AS_TEXT };
    const { rows, fields } = await client.query<Row>(fetch).catch((error) => {
      throw limit.isExceeded ? tooLarge() : error;
    });
    yield { columns: fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })), rows };
    if (rows.length < count) return;
    const bytesPerRow = Math.max(1, limit.bytes / rows.length);
    count = Math.max(1, Math.min(MAX_ROWS, Math.floor(BATCH_BYTES / bytesPerRow)));
  }
}

/** Closes a connection that sends too much for one batch, before it fills the memory of this process. */
function limitBytes(client: pg.Client): { bytes: number; isExceeded: boolean } {
  const limit = { bytes: 0, isExceeded: false };
  const { connection } = client as pg.Client & { connection: { stream: NodeJS.ReadableStream } };
  connection.stream.on('data', (chunk: Buffer) => {
    limit.bytes += chunk.length;
    if (limit.bytes <= MAX_BATCH_BYTES) return;
    limit.isExceeded = true;
    terminate(client);
  });
  return limit;
}

const refused = (code: string, detail: string, cause?: unknown) =>
  new ApiError(400, code, detail, { errors: [{ pointer: '/query', code, detail }], cause });

const tooLarge = () =>
  refused('sql_rows_too_large', 'The rows are too large: select fewer columns, or shorten texts with left().');

const tooExpensive = (cause: unknown) =>
  refused(
    'query_too_expensive',
    `The statement took more than ${LIMITS.seconds} seconds. Read a shorter period, or export the rows.`,
    cause,
  );

const STATEMENT_TIMEOUT = '57014';
const TEMP_FILES = /temporary file size exceeds/;

/** What the server says of the statement is for its author; all else is a fault of the service. */
function toApiError(error: unknown): unknown {
  const { code, message, position, hint } = error as {
    code?: string;
    message: string;
    position?: string;
    hint?: string;
  };
  if (error instanceof ApiError || code === undefined || isConnectionError(error)) return error;
  if (code === STATEMENT_TIMEOUT) return tooExpensive(error);
  if (TEMP_FILES.test(message)) {
    return refused(
      'query_too_expensive',
      'The statement needs more than 1 GB of temporary files. Read a shorter period.',
      error,
    );
  }
  if (code === '25006') return refused('sql_not_read_only', `Statements only read: ${message}.`, error);
  if (isOutOfResources(error) && code !== '53200') return error;
  if (!/^(08P01|0A|2[0-9A-Z]|4[0-9]|53|54|P0|XX000)/.test(code)) return error;
  const at = position === undefined ? undefined : Number(position) - CURSOR.length;
  return sqlError({ message: hint === undefined ? message : `${message}. ${hint}`, code, position: at });
}
