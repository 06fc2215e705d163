import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { MINUTE } from '../units.ts';
import { Admission, type Admitted } from './admission.ts';
import { cancelStatement, isQuiet } from './cancel.ts';
import { repeatIfMoved } from './citus.ts';
import { isConnectionError, isOverload, overloaded, RETRY, requestEnded, timedOut } from './database-errors.ts';
import { Client } from './driver/binary-rows.ts';
import { types } from './driver/types.ts';
import { OpenTransaction } from './open-transaction.ts';
import { Outage } from './outage.ts';
import type { Tx } from './tx.ts';
import { currentWork, type Work } from './work.ts';

export type { Tx } from './tx.ts';

/** A connection that is in use. Ingest has no turn to end. */
interface Checkout {
  client: pg.PoolClient;
  /** Whether for a transaction. */
  holds: boolean;
  admitted?: Admitted;
  work?: Work | undefined;
  ignoreEnd?: (() => void) | undefined;
  /** Until what runs is canceled; undefined: it need not be, or it has ended. */
  timer?: NodeJS.Timeout | undefined;
  canceling?: Promise<boolean>;
}

/**
 * Lets the statements of a transaction find rows by indexes, whatever statistics say. A table without one that fits costs so much then, on paper,
 * that the server would compile each statement that reads it.
 */
export const BY_INDEX = 'set local enable_seqscan = off; set local jit = off';

interface TransactionOptions {
  /**
   * Uses the stored plans of statements. PostgreSQL otherwise plans a statement again for arrays as short as those of a
   * single item, which takes longer than to execute it.
   */
  keepsPlans?: boolean;
  /** Whether joins may remember the rows they have found (default), which does not pay where none is found twice. */
  memoizes?: boolean;
  /**
   * Whether the commit waits until it is on disk (default). Otherwise a crash of the database may lose it, along with its
   * effects: for work that is then repeated.
   */
  isDurable?: boolean;
  /** Whether all statements see what the first one sees. */
  isRepeatableRead?: boolean;
}

export interface Database extends Tx {
  /** The connections that ingest does not have for itself. */
  readonly pool: pg.Pool;
  /** These, and those that ingest has for itself. */
  readonly pools: readonly pg.Pool[];
  /** How many connections there are, and how many requests wait for one. */
  readonly connections: { open: number; idle: number; waiting: number };
  /** Whether the server refused connections in the last seconds, as it or the role has too many: what there are go on. */
  readonly isExhausted: boolean;
  /** How to connect, for another thread or process. */
  readonly connection: pg.PoolConfig;
  /** If a node of a Citus cluster has the tables: the statement that keeps them there until the end of a transaction. */
  placementLock: string | undefined;
  /**
   * Runs `work` in one transaction. It is retried after a deadlock, a serialization failure or the loss of the connection
   * before the commit, so `work` may run more than once. Statements that `work` issues in the same turn of the event loop are
   * sent together, and those on `last` together with the commit: they have to be issued in one turn, after all others.
   */
  transaction<T>(work: (tx: Tx, last: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Opens a connection outside the pool (for LISTEN or COPY). `name` is its `application_name`. */
  connect(name: string): Promise<pg.Client>;
  /**
   * Whether the database responds within a second, or has within the last one: on a busy machine a new connection may take
   * longer. It also does if it refuses more connections than there are. Concurrent calls share one probe.
   */
  isAlive(): Promise<boolean>;
  close(): Promise<void>;
}

/** The database as a transaction sees it, for operations that take a database: theirs are part of the transaction. */
export function within(db: Database, tx: Tx): Database {
  const query: Tx['query'] = tx.query.bind(tx);
  const transaction: Database['transaction'] = (work) => work(tx, tx);
  return Object.assign(Object.create(db) as Database, { query, transaction });
}

declare const control: unique symbol;

/** Runs queries in the control database, which no statement of a cell reaches: accounts, keys, users and who they are. */
export interface ControlTx extends Tx {
  readonly [control]: true;
}

export interface ControlDatabase extends Database, ControlTx {
  transaction<T>(work: (tx: ControlTx, last: ControlTx) => Promise<T>): Promise<T>;
  connect(name: string): Promise<pg.Client & ControlTx>;
}

/** Uses a database as the control database: call it where the database is opened. */
export const asControl = (db: Database) => db as ControlDatabase;

/** What a new connection finds: a server that responds, or allows no more connections, or none. */
type State = 'responds' | 'full' | 'away';

export interface Patience {
  /** How long work waits for a database that is restarting. */
  reconnectMs: number;
  /** How long opening a connection may take. */
  connectMs: number;
  /** How long work waits for a free connection. A request may wait three times within its 9.5 s, and a busy machine is slow. */
  checkoutMs: number;
  /** Whether work fails at once when the database has been away for `reconnectMs` already. */
  failsFast: boolean;
  /** Whether a statement of its own that lost against others runs again here. */
  repeats: boolean;
}

const PATIENCE: Patience = { reconnectMs: 8_000, connectMs: 5_000, checkoutMs: 1_500, failsFast: false, repeats: true };

const CHECKOUT_MARGIN_MS = 500;

const NOT_FREE = new Error('no connection is free');

/** What a request has begun to change, it completes if it gets a connection before its own time is over. */
const COMPLETION_MS = 10_000;

/** The part of the connections that ingest has for itself, of pools that are large enough. */
const INGEST_PART = 1 / 4;
const MIN_SHARED = 4;

/** After the server refused a connection, the pool asks for no more for this long. */
const EXHAUSTED_MS = 1_000;
/** That it refused one is reported for this long. */
const REPORT_EXHAUSTED_MS = 5_000;

/** What still runs this long after the end of its request is canceled, and again until it has ended. */
const GRACE_MS = 100;

/** Connections in use for this long are suspect: if the database does not respond to a probe, they are closed. */
const HUNG_AFTER_MS = 4_000;
const WATCH_MS = 1_000;

/** No statement or lock blocks forever. Migrations lift these limits; connections outside the pool have none. */
const STATEMENT_TIMEOUT_MS = MINUTE;
/** A request may wait for two locks within its 9.5 s, and jobs that wait too long for one are retried. */
const LOCK_TIMEOUT_MS = 4_000;
const PROBE_TIMEOUT_MS = 1_000;
const CLOSE_TIMEOUT_MS = 2_000;
const IDLE_MS = MINUTE;

/** Runs `work` in the given transaction or, given the pool, in a new one. */
export function inTransaction<T>(db: Database | Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  return 'transaction' in db ? db.transaction(work) : work(db);
}

/**
 * Opens a pool. It waits for a database that is restarting, also in the middle of a transaction, and closes connections
 * that hang. An error at the commit itself is thrown, since it is unknown whether the transaction was committed.
 * @param connection a `postgres://` URL, or the folder, user and database of a socket
 */
export function openDatabase(
  connection: pg.PoolConfig,
  size: number,
  onError: (error: Error) => void,
  given: Partial<Patience> = {},
): Database {
  const patience = { ...PATIENCE, ...given };
  const settings: pg.PoolConfig = {
    connectionTimeoutMillis: patience.connectMs,
    ...connection,
    types,
    keepAlive: true,
    application_name: 'headwater',
  };
  const ofIngest = size >= MIN_SHARED ? Math.floor(size * INGEST_PART) : 0;
  // The pool does not wait until its connections are closed, so a server that stops next would look like a loss.
  let isClosing = false;
  const lost = (error: Error) => isClosing || onError(error);
  let respondedAt = Number.NEGATIVE_INFINITY;
  /** Checked-out connections, and since when each has been waiting for its current query. */
  const inUse = new Map<pg.PoolClient, number>();
  const openPool = (max: number, idleTimeoutMillis: number) => {
    const opened = new pg.Pool({
      ...settings,
      // The driver applies it to waiting for a free connection as well, which has a limit of its own.
      connectionTimeoutMillis: Math.max(patience.connectMs, patience.checkoutMs + CHECKOUT_MARGIN_MS),
      Client: Client as pg.PoolConfig['Client'],
      max,
      idleTimeoutMillis,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
    });
    opened.on('error', lost);
    // The caller of a query receives the loss of its connection as the error of the query.
    opened.on('connect', (client) => client.on('error', lost));
    opened.on('acquire', (client) => inUse.set(client, performance.now()));
    opened.on('release', (isLost, client) => {
      inUse.delete(client);
      if (!isLost) respondedAt = performance.now();
    });
    return { pool: opened, max, restoring: undefined as NodeJS.Timeout | undefined };
  };
  const shared = openPool(size - ofIngest, IDLE_MS);
  // Its connections stay open: the server may have none left when they are needed.
  const reserved = ofIngest > 0 ? openPool(ofIngest, 0) : undefined;
  type Part = typeof shared;
  const { pool } = shared;
  // The folder of a socket: the server is on this machine.
  const isLocal = connection.host?.startsWith('/');
  const admission = new Admission(shared.max, undefined, isLocal ? Math.max(2, availableParallelism()) : undefined);
  let exhaustedAt = Number.NEGATIVE_INFINITY;
  const watching = setInterval(() => void closeHung(), WATCH_MS).unref();

  /** A stopped server, or a network that swallows everything, ends no connection by itself. */
  async function closeHung(): Promise<void> {
    const before = performance.now() - HUNG_AFTER_MS;
    const isSuspect = () => [...inUse].filter(([, since]) => since < before);
    if (isSuspect().length === 0 || (await state()) !== 'away') return;
    for (const [client] of isSuspect()) terminate(client);
  }

  function nextFree({ pool: from }: Part, ms: number): Promise<pg.PoolClient> {
    const connecting = from.connect();
    // Otherwise a connection is being opened.
    if (from.waitingCount === 0) return connecting;
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(NOT_FREE);
    }, ms);
    connecting
      .then((client) => (isLate ? client.release() : resolve(client)), reject)
      .finally(() => clearTimeout(timer));
    return promise;
  }

  /** The server allows no more connections: those that there are serve all. @returns whether there are any */
  function onExhausted(part: Part): boolean {
    exhaustedAt = performance.now();
    const { pool: from, max } = part;
    if (from.totalCount === 0) return false;
    from.options.max = from.totalCount;
    part.restoring ??= setTimeout(() => {
      part.restoring = undefined;
      from.options.max = max;
    }, EXHAUSTED_MS).unref();
    return true;
  }

  async function checkout(holds: boolean): Promise<Checkout> {
    const work = currentWork();
    // Ingest that came first when the server had no connection left takes its turn.
    let part = reserved !== undefined && work?.lane === 'ingest' ? reserved : shared;
    const startedAt = performance.now();
    let deadline: number | undefined;
    const late = (cause?: unknown) => (work?.mayHaveEffect ? timedOut(cause) : overloaded(cause));
    for (;;) {
      await outage.wait(startedAt, patience.reconnectMs, patience.failsFast);
      deadline ??= performance.now() + (work?.mayHaveEffect ? COMPLETION_MS : patience.checkoutMs);
      const left = () => Math.max(0, (deadline ?? 0) - performance.now());
      const admitted =
        part === reserved
          ? undefined
          : (admission.enter(work) ?? (await admission.wait(work, left(), late, requestEnded)));
      // It may have waited for longer, behind statements of the same request.
      if (left() === 0) deadline = performance.now() + CHECKOUT_MARGIN_MS;
      try {
        const client = await nextFree(part, Math.min(left(), patience.checkoutMs));
        if (admitted === undefined) return { client, holds, work };
        const checkedOut: Checkout = { client, holds, admitted, work };
        work?.connect(holds);
        checkedOut.ignoreEnd = work?.onEnd(() => cancelLate(checkedOut));
        return checkedOut;
      } catch (error) {
        if (admitted) admission.leave(admitted);
        if (isOverload(error)) {
          if (onExhausted(part) && left() > 0) continue;
          if (part === shared) throw late(error);
          part = shared;
        } else {
          if (error === NOT_FREE) {
            if (left() > 0) continue;
            throw late();
          }
          if (!isConnectionError(error)) throw error;
          outage.start(error);
          deadline = undefined;
        }
      }
    }
  }

  /** Nobody waits for what the connection executes. */
  function cancelLate(checkedOut: Checkout): void {
    checkedOut.timer = setTimeout(() => {
      checkedOut.canceling = cancelStatement(checkedOut.client).catch(() => false);
      // Between two statements there was nothing to cancel.
      if (checkedOut.timer !== undefined) void checkedOut.canceling.then((isSent) => isSent && again());
    }, GRACE_MS).unref();
    const again = () => checkedOut.timer !== undefined && cancelLate(checkedOut);
  }

  function release(checkedOut: Checkout, isLost: boolean): void {
    const { client, holds, admitted, work, ignoreEnd, timer, canceling } = checkedOut;
    ignoreEnd?.();
    clearTimeout(timer);
    checkedOut.timer = undefined;
    const done = (isUsable: boolean) => {
      client.release(!isUsable);
      if (admitted === undefined) return;
      work?.disconnect(!isUsable, holds);
      admission.leave(admitted);
    };
    if (canceling === undefined || isLost) done(!isLost);
    else void canceling.then((isSent) => isSent && isQuiet(client)).then(done);
  }

  const query = async (...args: unknown[]) => {
    const checkedOut = await checkout(false);
    let isLost = false;
    try {
      checkedOut.work?.beforeCommit([textOf(args[0])]);
      return await (checkedOut.client.query as (...all: unknown[]) => Promise<unknown>)(...args);
    } catch (error) {
      isLost = isConnectionError(error);
      throw ofEnded(checkedOut, error);
    } finally {
      release(checkedOut, isLost);
    }
  };

  /** A statement of its own that lost against a concurrent one did nothing, and runs again as a transaction does. */
  const repeated = async (...args: unknown[]) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await query(...args);
      } catch (error) {
        if (!patience.repeats || attempt >= 5 || !RETRY.has((error as { code?: string }).code ?? '')) throw error;
      }
      await sleep(Math.random() * 10 * attempt);
    }
  };

  async function transaction<T>(
    work: (tx: Tx, last: Tx) => Promise<T>,
    { keepsPlans = false, memoizes = true, isDurable = true, isRepeatableRead = false }: TransactionOptions = {},
  ): Promise<T> {
    const deadline = Date.now() + patience.reconnectMs;
    const begin = isRepeatableRead ? 'begin isolation level repeatable read' : 'begin';
    // Citus plans some statements only with their parameters, and would send these settings to the node.
    const opening = database.placementLock
      ? [begin, database.placementLock]
      : [
          begin,
          ...(keepsPlans ? ['set local plan_cache_mode = force_generic_plan'] : []),
          ...(memoizes ? [] : ['set local enable_memoize = off']),
          ...(isDurable ? [] : ['set local synchronous_commit = off']),
        ];
    for (let attempt = 1; ; attempt++) {
      const checkedOut = await checkout(true);
      const beforeCommit = (texts: readonly string[]) => checkedOut.work?.beforeCommit(texts);
      const tx = new OpenTransaction(checkedOut.client, types, opening, database.isDistributed ?? false, beforeCommit);
      let lost = false;
      try {
        const result = await work(tx, tx.last);
        await tx.commit();
        return result;
      } catch (error) {
        lost = isConnectionError(error);
        if (!lost) await tx.rollback().catch(() => (lost = true));
        const curable = isConnectionError(error)
          ? !tx.isCommitting && Date.now() < deadline
          : RETRY.has((error as { code?: string }).code ?? '');
        if (attempt >= 5 || !curable) throw ofEnded(checkedOut, error);
      } finally {
        release(checkedOut, lost);
      }
      // A random wait keeps deadlocked transactions from colliding again.
      await sleep(Math.random() * 10 * attempt);
    }
  }

  async function connect(name: string): Promise<pg.Client> {
    const client = new pg.Client(settings);
    client.on('error', () => {});
    try {
      await client.connect();
      // An application_name in DATABASE_URL would override the one of the settings.
      await client.query("select set_config('application_name', $1, false)", [name]);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    return client;
  }

  async function probe(): Promise<State> {
    const client = new pg.Client({
      ...settings,
      connectionTimeoutMillis: PROBE_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      return 'responds';
    } catch (error) {
      if (!isOverload(error)) return 'away';
      exhaustedAt = performance.now();
      return 'full';
    } finally {
      client.end().catch(() => {});
    }
  }
  // A database without free connections counts as back: requests are refused with Retry-After then.
  const outage = new Outage(async () => (await probe()) !== 'away');
  let probing: Promise<State> | undefined;
  const state = async (): Promise<State> => {
    if (performance.now() - respondedAt < PROBE_TIMEOUT_MS) return 'responds';
    probing ??= probe().finally(() => {
      probing = undefined;
    });
    return probing;
  };

  const parts = reserved ? [shared, reserved] : [shared];
  const sum = (count: (from: pg.Pool) => number) => parts.reduce((all, part) => all + count(part.pool), 0);
  const database: Database = {
    pool,
    pools: parts.map((part) => part.pool),
    get connections() {
      return {
        open: sum(({ totalCount }) => totalCount),
        idle: sum(({ idleCount }) => idleCount),
        waiting: sum(({ waitingCount }) => waitingCount) + admission.waiting,
      };
    },
    get isExhausted() {
      return performance.now() - exhaustedAt < REPORT_EXHAUSTED_MS;
    },
    connection,
    placementLock: undefined,
    get isDistributed() {
      return database.placementLock !== undefined;
    },
    query: ((...args: unknown[]) => repeatIfMoved(() => repeated(...args))) as Tx['query'],
    transaction,
    connect,
    async isAlive() {
      const found = await state();
      return found === 'responds' || (found === 'full' && database.connections.open > 0);
    },
    async close() {
      isClosing = true;
      outage.close();
      clearInterval(watching);
      // A hung query does not delay the end of the service.
      for (const { restoring } of parts) clearTimeout(restoring);
      const ended = Promise.all(parts.map((part) => part.pool.end()));
      await Promise.race([ended, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
  return database;
}

/** Of a text, a statement with parameters, or a stream. */
const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : ((query as { text?: string } | undefined)?.text ?? '');

/** Commits a transaction on a connection outside the pool. @throws RefusedError if the request was refused */
export async function commitOn(client: Tx): Promise<void> {
  currentWork()?.beforeCommit(['commit']);
  await client.query('commit');
}

/** The code of a statement that was canceled. */
const CANCELED = '57014';

const ofEnded = ({ work }: Checkout, error: unknown) =>
  work?.hasEnded && (error as { code?: string }).code === CANCELED ? requestEnded(error) : error;

/** Closes the socket of a connection, whose queries then fail as lost. */
export function terminate(client: pg.ClientBase): void {
  const { connection } = client as pg.ClientBase & { connection?: { stream: { destroy(): void } } };
  connection?.stream.destroy();
}
