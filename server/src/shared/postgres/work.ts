import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What connections are for. `ingest` has connections of its own; `reports` and `background` get only a part of the others.
 */
export type Lane = 'ingest' | 'requests' | 'reports' | 'background';

/** For whom statements run: a request, a batch of requests, or a worker. Statements find it without being told. */
export class Work {
  readonly lane: Lane;
  readonly #accountOf: () => string;
  #hasEnded = false;
  #endings: Set<() => void> | undefined;
  /** Connections it has. More of them are not waited for in turn, as those that it has would be waiting, too. */
  #connections = 0;
  #connectedAt = 0;
  #connectedMs = 0;
  #hasLostConnection = false;
  #shared: SharedWork | undefined;

  /** @param accountOf with whom connections are shared fairly: an account, or the address of a client without one; '' takes no turn */
  constructor(lane: Lane, accountOf: () => string) {
    this.lane = lane;
    this.#accountOf = accountOf;
  }

  get account(): string {
    return this.#accountOf();
  }

  /** Nobody waits for it any more. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const endings = this.#endings ?? [];
    this.#endings = undefined;
    for (const each of endings) each();
  }

  get connections(): number {
    return this.#connections;
  }

  connect(): void {
    if (this.#connections++ === 0) this.#connectedAt = performance.now();
  }

  disconnect(isLost: boolean): void {
    if (--this.#connections === 0) this.#connectedMs += performance.now() - this.#connectedAt;
    this.#hasLostConnection ||= isLost;
  }

  get hasLostConnection(): boolean {
    return this.#hasLostConnection || this.#shared?.hasLostConnection === true;
  }

  /** Whether it has had connections for so long: its statements took that time, not the wait for a connection. */
  hasExecutedFor(ms: number): boolean {
    if (this.#shared?.hasExecutedFor(ms)) return true;
    const current = this.#connections > 0 ? performance.now() - this.#connectedAt : 0;
    return this.#connectedMs + current >= ms;
  }

  /** What it shares with others is executed as `shared`. */
  share(shared: SharedWork): void {
    this.#shared = shared;
  }

  /** Calls back when nobody waits any more. @returns a function that takes this back */
  onEnd(callback: () => void): () => void {
    if (this.#hasEnded) callback();
    this.#endings ??= new Set();
    this.#endings.add(callback);
    return () => this.#endings?.delete(callback);
  }
}

const storage = new AsyncLocalStorage<Work | undefined>();

export const currentWork = (): Work | undefined => storage.getStore();

/** Runs what follows from `run` for `work`; undefined: for nobody in particular, until it is done. */
export const runAs = <Result>(work: Work | undefined, run: () => Result): Result => storage.run(work, run);

/** Recording what visitors do, whichever accounts are concerned. */
export const INGEST = new Work('ingest', () => '');

/** Work that no request waits for, such as a job. @param account '' if it is for any */
export const backgroundWork = (account = '') => new Work('background', () => account);

/** What several requests wait for: it ends when all of them have ended. Its lane and account are those of the first. */
export class SharedWork extends Work {
  #left = 0;

  constructor(first: Work | undefined) {
    super(first?.lane ?? 'requests', () => first?.account ?? '');
  }

  join(work: Work | undefined): void {
    this.#left++;
    work?.share(this);
    work?.onEnd(() => {
      if (--this.#left === 0) this.end();
    });
  }
}

/** For whom a batch runs that consists of what these submitted. */
export function sharedWork(all: readonly (Work | undefined)[]): Work | undefined {
  const [first] = all;
  if (first === undefined || all.length === 1) return first;
  const shared = new SharedWork(first);
  for (const each of all) shared.join(each);
  return shared;
}
