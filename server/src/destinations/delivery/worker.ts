import type { Deps, Worker } from '../../shared/deps.ts';
import { FIRST_ID } from '../../shared/ids.ts';
import { SessionLocks } from '../../shared/postgres/session-locks.ts';
import type { Pressure } from '../../shared/pressure.ts';
import { SecretUnreadable } from '../../shared/secrets/vault.ts';
import { type WorkerLoop, workerLoop } from '../../shared/worker-loop.ts';
import { SessionClients } from '../../tracking/index.ts';
import type { DestinationRow } from '../manage/queries.ts';
import { platformOf } from '../platforms/registry.ts';
import type { PlatformClient } from './client.ts';
import { Health } from './health.ts';
import { destinationMetrics } from './metrics.ts';
import { sendPurges } from './purges.ts';
import { findDueDestinations } from './queries.ts';
import { RequestRate } from './request-rate.ts';
import { Turn, type TurnDeps } from './turn.ts';
import { ValueFactors } from './value-factors.ts';

const POLL_MS = 500;
/** From one turn of a destination to its next while ingest is saturated: larger batches cost less. */
const LINGER_MS = 1_000;
/** Destinations visited by one statement. */
const HEADS = 200;
/** Destinations that this process sends to at the same time: in all, and of one account. */
const MAX_TURNS = 16;
const MAX_TURNS_PER_ACCOUNT = MAX_TURNS / 2;
/** How long requests may continue while the service stops. */
const STOP_TIMEOUT_MS = 4_000;
const START = { after_account: FIRST_ID, after_destination: FIRST_ID };

const LOCKS_NAME = 'headwater-destinations';

/**
 * Sends what is queued for destinations. Any number of processes do this at the same time; each destination has its turn in
 * one of them.
 */
export class DestinationWorker implements Worker {
  readonly #deps: Deps;
  readonly #client: PlatformClient;
  readonly #turnDeps: Omit<TurnDeps, 'rate'>;
  readonly #locks: SessionLocks;
  readonly #loop: WorkerLoop;
  readonly #stopping = new AbortController();
  /** Running turns, by destination. */
  readonly #turns = new Map<string, { accountId: string; done: Promise<void> }>();
  readonly #rates = new Map<string, RequestRate>();
  readonly #pressure: Pressure;
  #startedAt = Number.NEGATIVE_INFINITY;
  #cursor = START;

  constructor(deps: Deps, client: PlatformClient, pressure: Pressure, random: () => number = Math.random) {
    this.#deps = deps;
    this.#client = client;
    this.#pressure = pressure;
    this.#locks = new SessionLocks(deps.db, deps.log, LOCKS_NAME);
    this.#turnDeps = {
      factors: new ValueFactors(deps),
      deps,
      client,
      clients: new SessionClients(deps.secret),
      health: new Health(deps),
      metrics: destinationMetrics(deps),
      random,
    };
    this.#loop = workerLoop({
      name: 'send conversions to destinations',
      log: deps.log,
      everyMs: POLL_MS,
      runAtStart: true,
      run: () => this.#startTurns(),
    });
    deps.metrics.gauge('headwater_destination_turns', 'Destinations that are being sent to', () => this.#turns.size);
  }

  start(): void {
    this.#loop.start();
  }

  /** Lets requests finish for a few seconds. What was sent without an answer is repeated by the next process. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop.stop();
    const abort = setTimeout(() => this.#client.close(), STOP_TIMEOUT_MS);
    await Promise.all([...this.#turns.values()].map(({ done }) => done));
    clearTimeout(abort);
    this.#client.close();
    await this.#locks.close();
  }

  /** Starts the turns of one page of destinations. Returns whether to visit the next page at once. */
  async #startTurns(): Promise<boolean> {
    if (this.#turns.size >= MAX_TURNS) return false;
    const isFirstPage = this.#cursor === START;
    const isSoon = performance.now() - this.#startedAt < LINGER_MS;
    if (isFirstPage && isSoon && this.#pressure.isHigh) return false;
    if (isFirstPage) this.#startedAt = performance.now();
    const { db, clock } = this.#deps;
    const visited = await findDueDestinations(db, { ...this.#cursor, heads: HEADS, now: new Date(clock()) });
    for (const destination of visited) if (destination.is_due) await this.#start(destination);
    const last = visited.at(-1);
    const isFullPage = visited.length === HEADS && last !== undefined;
    this.#cursor = isFullPage ? { after_account: last.account_id, after_destination: last.id } : START;
    return isFullPage;
  }

  async #start(destination: DestinationRow): Promise<void> {
    const { id, account_id: accountId } = destination;
    if (this.#turns.has(id) || this.#turns.size >= MAX_TURNS || this.#stopping.signal.aborted) return;
    const ofAccount = [...this.#turns.values()].filter((turn) => turn.accountId === accountId).length;
    if (ofAccount >= MAX_TURNS_PER_ACCOUNT) return;
    const lost = await this.#locks.tryAcquire(id);
    if (lost === undefined) return;
    const done = this.#run(destination, AbortSignal.any([lost, this.#stopping.signal])).finally(async () => {
      await this.#locks.release(id);
      this.#turns.delete(id);
    });
    this.#turns.set(id, { accountId, done });
  }

  async #run(destination: DestinationRow, signal: AbortSignal): Promise<void> {
    const rate = this.#rates.get(destination.id) ?? new RequestRate(platformOf(destination.platform));
    this.#rates.set(destination.id, rate);
    try {
      const context = await this.#client.context(this.#deps.db, destination, destination.mode === 'validate');
      const turnDeps = { ...this.#turnDeps, rate };
      if (platformOf(destination.platform).purges) await sendPurges(destination, context, turnDeps, signal);
      else await new Turn(destination, context, turnDeps, signal).run();
    } catch (error) {
      if (error instanceof SecretUnreadable) {
        const words = 'The credentials cannot be decrypted, as the master key was lost. Enter them again.';
        await this.#turnDeps.health.failed(destination, 'credentials', words, undefined);
      }
      this.#deps.log.warn({ err: error, platform: destination.platform }, 'sending to a destination failed; retrying');
    }
  }
}
