import type { Deps, Module, Worker } from '../shared/deps.ts';
import { ApiError } from '../shared/errors.ts';
import { newCache } from '../shared/lru-cache.ts';
import { MAIN } from '../shared/main-cell.ts';
import type { Outages } from '../shared/outages.ts';
import type { Database } from '../shared/postgres/database.ts';
import { Listener } from '../shared/postgres/listener.ts';
import { poolMetrics } from '../shared/postgres/pool-metrics.ts';
import { Replica } from '../shared/postgres/replica.ts';
import { runAs } from '../shared/postgres/work.ts';
import { SecretBox } from '../shared/secret-box.ts';
import { type CellRow, DIRECTORY_CHANGED, findCell, findCellOfAccount, listCells } from './directory.ts';
import { CellMeter } from './measure.ts';
import { cellMetrics } from './metrics.ts';
import { AccountGates } from './move/gates.ts';
import { connectionOf, openCell } from './open-cell.ts';
import { type RecordedRoutes, recordRoutes } from './record-routes.ts';

/** Builds the modules of a cell. */
export type BuildModules = (deps: Deps, listener: Listener) => Promise<Module[]>;

/** A cell apart from the main one, as this process serves it. */
export interface HostedCell {
  name: string;
  url: string;
  db: Database;
  workers: Worker[];
  routes: RecordedRoutes;
  close(): Promise<void>;
}

/** A cell that cannot be opened is tried again after this time. */
const RETRY_MS = 1_000;
const DIRECTORY_TTL_MS = 10_000;
const MAX_ACCOUNTS = 50_000;
/** For accounts that do not exist, whose files and links are requested again and again. */
const UNKNOWN_TTL_MS = 1_000;

export const sealedUrls = (secret: Buffer) => new SecretBox(secret, 'cell-urls');

/**
 * The cells besides the main one, each with a pool, modules, workers and a listener of its own. A cell is opened when the
 * process starts or a request needs it; while it is unavailable, only its requests fail.
 */
export class Cells implements Worker {
  readonly #deps: Deps;
  readonly #build: BuildModules;
  readonly #outages: Outages;
  readonly #urls: SecretBox;
  readonly #hosted = new Map<string, HostedCell>();
  readonly #opening = new Map<string, Promise<HostedCell>>();
  readonly #failures = new Map<string, { error: unknown; until: number }>();
  /** Hold the requests of accounts whose cell changes. */
  readonly gates: AccountGates;
  readonly meter = new CellMeter();
  readonly #accounts = newCache<string>(MAX_ACCOUNTS, { ttl: DIRECTORY_TTL_MS });
  /** The other cells that the directory names; undefined: it was not read yet. */
  #known: CellRow[] | undefined;
  #isStarted = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param listener of the control database, before it is started */
  constructor(deps: Deps, listener: Listener, build: BuildModules, outages: Outages) {
    this.#outages = outages;
    this.#deps = deps;
    this.#build = build;
    this.#urls = sealedUrls(deps.secret);
    this.gates = new AccountGates(listener, (account) => this.#accounts.delete(account));
    const changed = () => {
      this.gates.openAll();
      this.#accounts.clear();
      this.#known = undefined;
      if (this.#isStarted) void this.#openAll();
    };
    cellMetrics(deps.metrics, this.meter, () => this.databases());
    listener.subscribe(DIRECTORY_CHANGED, changed);
    listener.onInterruption(changed);
  }

  /** Opens every cell and starts its workers; those that are unavailable are tried again until they respond. */
  start(): void {
    this.#isStarted = true;
    for (const { workers } of this.#hosted.values()) for (const worker of workers) worker.start();
    this.#timer = setInterval(() => void this.#openAll(), RETRY_MS).unref();
    void this.#openAll();
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    clearInterval(this.#timer);
    await Promise.allSettled(this.#opening.values());
    await Promise.all([...this.#hosted.values()].flatMap(({ workers }) => workers).map((worker) => worker.stop()));
  }

  /** Closes the connections, after `stop`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.stop();
    await Promise.all([...this.#hosted.values()].map((cell) => cell.close()));
  }

  /** A cell that is open, without waiting. */
  ready(name: string): HostedCell | undefined {
    return this.#hosted.get(name);
  }

  /** @throws ApiError 500 `cell_unavailable` */
  async open(name: string): Promise<HostedCell> {
    const hosted = this.#hosted.get(name);
    if (hosted) return hosted;
    const failed = this.#failures.get(name);
    if (failed && failed.until > performance.now()) throw unavailable(name, failed.error);
    const opening =
      this.#opening.get(name) ?? runAs(undefined, () => this.#open(name)).finally(() => this.#opening.delete(name));
    this.#opening.set(name, opening);
    return opening;
  }

  /** Whether there is no cell besides the main one. */
  get isSingle(): boolean {
    return this.#known?.length === 0;
  }

  /** The cell of an account; the main one if there is no such account. */
  cellOf(accountId: string): string | Promise<string> {
    if (this.isSingle) return MAIN;
    return this.#accounts.get(accountId) ?? this.#find(accountId);
  }

  /** The databases of all cells that this process knows; undefined: one that is not open. */
  databases(): Map<string, Database | undefined> {
    const known = new Map<string, Database | undefined>([[MAIN, this.#deps.control]]);
    for (const { name } of this.#known ?? []) known.set(name, this.#hosted.get(name)?.db);
    return known;
  }

  /** As `cellOf`, by the directory itself. */
  findCellOf(accountId: string): Promise<string> {
    return this.#find(accountId);
  }

  async #find(accountId: string): Promise<string> {
    const [row] = await findCellOfAccount(this.#deps.control, { account_id: accountId });
    const cell = row?.cell ?? MAIN;
    this.#accounts.set(accountId, cell, row ? {} : { ttl: UNKNOWN_TTL_MS });
    return cell;
  }

  async #openAll(): Promise<void> {
    try {
      if (this.#known === undefined) {
        this.#known = (await listCells(this.#deps.control)).filter(({ name }) => name !== MAIN);
        this.#closeMoved(this.#known);
      }
      await Promise.allSettled(this.#known.map(({ name }) => this.open(name)));
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'the directory of cells could not be read; trying again');
    }
  }

  /** Closes cells whose database is another one now, in which they are opened next, and those that were removed. */
  #closeMoved(rows: CellRow[]): void {
    for (const hosted of this.#hosted.values()) {
      const { name } = hosted;
      const url = rows.find((row) => row.name === name)?.url;
      if (url && this.#urls.open(url, name).toString() === hosted.url) continue;
      this.#hosted.delete(name);
      this.#deps.log.info({ cell: name }, 'a cell has moved to another database, or was removed');
      Promise.all(hosted.workers.map((worker) => worker.stop()))
        .then(() => hosted.close())
        .catch((error: unknown) => this.#deps.log.warn({ err: error, cell: name }, 'a cell could not be closed'));
    }
  }

  async #open(name: string): Promise<HostedCell> {
    const { control, secret, config, log } = this.#deps;
    try {
      const [row] = await findCell(control, { name });
      if (!row?.url) throw new Error(`there is no cell ${name}`);
      const url = this.#urls.open(row.url, name).toString();
      const logOfCell = this.#outages.logOf(name);
      const onError = (error: Error) => logOfCell.warn({ err: error }, 'a connection to a cell was lost');
      const db = await openCell(control, name, url, secret, config.poolSize, onError);
      const cell = await this.#host(name, url, db);
      this.#failures.delete(name);
      log.info({ cell: name }, 'a cell was opened');
      return cell;
    } catch (error) {
      const isNew = !this.#failures.has(name);
      this.#failures.set(name, { error, until: performance.now() + RETRY_MS });
      if (isNew) log.error({ err: error, cell: name }, 'a cell cannot be opened; trying again');
      throw unavailable(name, error);
    }
  }

  async #host(name: string, url: string, db: Database): Promise<HostedCell> {
    const log = this.#outages.logOf(name);
    const listener = new Listener(db, log, 'headwater-cell-listener');
    const { replica: connection } = connectionOf(name, url);
    const replica = connection && new Replica(db, connection, this.#deps);
    const modules = await this.#build({ ...this.#deps, db, replica, log }, listener);
    poolMetrics(this.#deps.metrics, db);
    const routes = await recordRoutes(modules);
    await listener.start();
    const workers = [...(replica ? [replica] : []), ...modules.flatMap((module) => module.workers)];
    const close = async () => {
      await listener.close();
      await db.close();
    };
    const cell = { name, url, db, workers, routes, close };
    if (this.#isClosed) await close();
    this.#hosted.set(name, cell);
    if (this.#isStarted) for (const worker of workers) worker.start();
    return cell;
  }
}

function unavailable(name: string, cause: unknown): ApiError {
  const detail = 'The data of this account cannot be reached at the moment. Retry after the time in Retry-After.';
  const error = new Error(`the cell ${name} is unavailable`, { cause });
  return new ApiError(500, 'cell_unavailable', detail, { cause: error, headers: { 'retry-after': '1' } });
}
