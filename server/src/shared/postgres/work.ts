import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError } from '../errors.ts';

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
  /** Connections it has, and how many it was given. */
  #connections = 0;
  #served = 0;
  /** Those of transactions. */
  #held = 0;
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

  /** Whether it is in a transaction, whose connection would wait, too, if a statement beside it waited for another one. */
  get holdsConnection(): boolean {
    return this.#held > 0;
  }

  get isConnected(): boolean {
    return this.#connections > 0;
  }

  /** How often it was given a connection. */
  get served(): number {
    return this.#served;
  }

  /** @param holds whether for a transaction, and not for a statement of its own */
  connect(holds = false): void {
    this.#served++;
    if (this.#connections++ === 0) this.#connectedAt = performance.now();
    if (holds) this.#held++;
  }

  disconnect(isLost: boolean, held = false): void {
    if (--this.#connections === 0) this.#connectedMs += performance.now() - this.#connectedAt;
    if (held) this.#held--;
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

  /** Whether a request for which it runs was refused, so that what is not committed yet must not be. */
  get isRefused(): boolean {
    return false;
  }

  /** Whether a statement was sent whose effect has been committed, or will be for all that is known. */
  get mayHaveEffect(): boolean {
    return false;
  }

  /**
   * Called right before statements, all of a transaction, are committed. Requests remember them.
   * @throws RefusedError if one of them changes something, and a request was refused
   */
  beforeCommit(_texts: readonly string[]): void {}

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

/** What is answered when its time is over: that nothing was done, unless something may have been. */
export interface Refusable {
  /** It was answered that nothing was done. */
  isRefused: boolean;
  /** A commit of it was sent. */
  mayHaveEffect: boolean;
}

/** The error of a commit of which a request was refused. That request has its answer. */
export class RefusedError extends ApiError {
  constructor() {
    super(429, 'overloaded', 'The request was given up before anything of it was committed.', {
      headers: { 'retry-after': '1' },
    });
  }
}

/** A request. At its deadline it is refused, and nothing of it takes effect, unless something may have already. */
export class RequestWork extends Work implements Refusable {
  /** Whether another request makes it, and waits for it. */
  readonly isPart: boolean;
  readonly #committed = new Committed();
  readonly #takesPartIn = new Set<SharedWork>();
  #isRefused = false;

  constructor(lane: Lane, accountOf: () => string, isPart = false) {
    super(lane, accountOf);
    this.isPart = isPart;
  }

  override get isRefused(): boolean {
    return this.#isRefused;
  }

  refuse(): void {
    this.#isRefused = true;
    this.end();
  }

  override get mayHaveEffect(): boolean {
    return this.#committed.hasWrite || [...this.#takesPartIn].some((shared) => shared.mayHaveEffect);
  }

  override beforeCommit(texts: readonly string[]): void {
    if (this.#isRefused && texts.some(mayWrite)) throw new RefusedError();
    this.#committed.add(texts);
  }

  override share(shared: SharedWork): void {
    super.share(shared);
    if (this.#takesPartIn.size < MAX_REMEMBERED) this.#takesPartIn.add(shared);
    else this.#committed.add(['unknown']);
  }

  /** Nothing of this request was among what the shared work has committed. */
  leave(shared: Work | undefined): void {
    if (shared instanceof SharedWork) this.#takesPartIn.delete(shared);
  }
}

/** A batch of what visitors did, as these requests report it. */
export class IngestWork extends Work {
  readonly #requests: readonly Refusable[];

  constructor(requests: readonly Refusable[]) {
    super('ingest', () => '');
    this.#requests = requests;
  }

  override beforeCommit(texts: readonly string[]): void {
    if (!texts.some(mayWrite)) return;
    for (const { isRefused } of this.#requests) if (isRefused) throw new RefusedError();
    for (const request of this.#requests) request.mayHaveEffect = true;
  }
}

const READS = /^\s*(?:select|with|values|set local)\b/i;
const WRITES = /(?<!\bfor (?:no key )?)\bupdate\b|\b(?:insert|delete|merge|nextval|setval|pg_notify)\b/i;

/** A response that is streamed may read for hours. */
const MAX_REMEMBERED = 1_000;

/** Statements that were committed, or will be for all that is known. What they do is of interest at a deadline only. */
class Committed {
  #texts: string[] = [];
  #hasWrite = false;

  add(texts: readonly string[]): void {
    if (this.#hasWrite) return;
    this.#texts.push(...texts);
    if (this.#texts.length > MAX_REMEMBERED) void this.hasWrite;
  }

  get hasWrite(): boolean {
    this.#hasWrite ||= this.#texts.some(mayWrite);
    this.#texts = [];
    return this.#hasWrite;
  }
}

const MAX_KNOWN = 1_000;
const known = new Map<string, boolean>();

/** Whether a statement may change something; true if in doubt. */
function mayWrite(text: string): boolean {
  let writes = known.get(text);
  if (writes === undefined) {
    writes = !READS.test(text) || WRITES.test(text);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(text, writes);
  }
  return writes;
}

/** Work that no request waits for, such as a job. @param account '' if it is for any */
export const backgroundWork = (account = '') => new Work('background', () => account);

/** What several requests wait for: it ends when all of them have ended. Its lane and account are those of the first. */
export class SharedWork extends Work {
  readonly #joined: Work[] = [];
  readonly #committed = new Committed();
  #left = 0;

  constructor(first: Work | undefined) {
    super(first?.lane ?? 'requests', () => first?.account ?? '');
  }

  override get isRefused(): boolean {
    return this.#joined.some(({ isRefused }) => isRefused);
  }

  override get mayHaveEffect(): boolean {
    return this.#committed.hasWrite;
  }

  override beforeCommit(texts: readonly string[]): void {
    if (this.isRefused && texts.some(mayWrite)) throw new RefusedError();
    this.#committed.add(texts);
  }

  join(work: Work | undefined): void {
    this.#left++;
    if (work) this.#joined.push(work);
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
