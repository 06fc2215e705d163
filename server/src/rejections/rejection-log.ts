import type { FastifyRequest } from 'fastify';
import type { Deps } from '../shared/deps.ts';
import type { Fault } from '../shared/errors.ts';
import { toApiError } from '../shared/http/problem.ts';
import { newUuid } from '../shared/ids.ts';
import type { Database } from '../shared/postgres/database.ts';
import type { Clock } from '../shared/time.ts';
import { type WorkerLoop, workerLoop } from '../shared/worker-loop.ts';
import { insertRejections } from './queries.ts';
import { Sampler } from './sampler.ts';
import { storable, summarize, withoutKeys } from './summarize.ts';

type Rejection = Parameters<typeof insertRejections>[1]['rejections'][number];

const FLUSH_MS = 1_000;
const MAX_WAITING = 1_000;
const MAX_FAULTS = 20;

/**
 * Keeps refused requests of keys, so that people see why data is missing. Only a refused request does anything, and it waits for
 * nothing: rows are written a second later. What does not fit is dropped.
 */
export class RejectionLog {
  readonly #clock: Clock;
  readonly #dbOf: (cell: string) => Database | undefined;
  readonly #sampler = new Sampler();
  readonly #counter: ReturnType<Deps['metrics']['counter']>;
  #waiting: { cell: string; row: Rejection }[] = [];
  readonly worker: WorkerLoop;

  /** @param dbOf the database of a cell; undefined while it is unavailable */
  constructor(
    { clock, log, metrics }: Pick<Deps, 'clock' | 'log' | 'metrics'>,
    dbOf: (cell: string) => Database | undefined,
  ) {
    this.#clock = clock;
    this.#counter = metrics.counter(
      'headwater_rejected_requests_total',
      'Refused requests and items of API keys by code',
      ['code'],
    );
    this.#dbOf = dbOf;
    this.worker = workerLoop({
      name: 'write rejected requests',
      log,
      everyMs: FLUSH_MS,
      run: () => this.flush(),
    });
  }

  /** A request that was answered with an error. Those of the dashboard show it to their user. */
  recordError(request: FastifyRequest, thrown: unknown): void {
    const { status, code, message, errors } = toApiError(thrown);
    if (status < 500) this.#record(request, { status, code, detail: message, errors, body: request.body });
  }

  /** An item of a batch that failed, while the others were accepted. */
  recordItem(request: FastifyRequest, item: unknown, { code, detail }: Pick<Fault, 'code' | 'detail'>): void {
    this.#record(request, { status: 200, code, detail, errors: [], body: item });
  }

  #record(
    request: FastifyRequest,
    rejection: { status: number; code: string; detail: string; errors: Fault[]; body: unknown },
  ): void {
    // Null where the request was refused before its key was verified.
    const caller = request.caller as FastifyRequest['caller'] | null;
    if (!caller || caller.type === 'user' || caller.type === 'upload') return;
    this.#counter.inc({ code: rejection.code });
    if (this.#waiting.length >= MAX_WAITING) return;
    const now = this.#clock();
    const skipped = this.#sampler.take(caller.accountId, now);
    if (skipped === undefined) return;
    const body = summarize(rejection.body);
    const row = {
      account_id: caller.accountId,
      id: newUuid(now),
      key_id: caller.keyId,
      method: request.method,
      url: withoutKeys(request.url),
      status: rejection.status,
      code: rejection.code,
      detail: storable(rejection.detail),
      errors: JSON.stringify(
        rejection.errors.slice(0, MAX_FAULTS).map(({ pointer, code, detail }) => ({
          ...{ pointer: storable(pointer), code, detail: storable(detail) },
        })),
      ),
      body: body === null ? null : JSON.stringify(body),
      skipped,
    };
    this.#waiting.push({ cell: caller.cell, row });
  }

  /** Writes what waits. What cannot be written is lost: the log must not fill the memory of a service without a database. */
  async flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const [cell, rows] of Map.groupBy(waiting, (each) => each.cell)) {
      const db = this.#dbOf(cell);
      if (db) await insertRejections(db, { rejections: rows.map(({ row }) => row) });
    }
  }
}
