import type { FastifyReply, FastifyRequest } from 'fastify';

const CHECK_MS = 250;

type Expire = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Deadlines of the running requests. One timer checks all of them: a timer for each request would cost ingest a few percent.
 * A request has at most one deadline, which is kept under the number `request.deadline`.
 */
export class Deadlines {
  readonly #replies: (FastifyReply | undefined)[] = [];
  readonly #times: number[] = [];
  readonly #expires: Expire[] = [];
  readonly #unused: number[] = [];
  readonly #now: () => number;
  readonly #timer = setInterval(() => this.check(), CHECK_MS).unref();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Calls `expire` if neither another deadline is set nor this one is cleared in time. */
  set(request: FastifyRequest, reply: FastifyReply, ms: number, expire: Expire): void {
    if (request.deadline < 0) request.deadline = this.#unused.pop() ?? this.#replies.length;
    const i = request.deadline;
    this.#replies[i] = reply;
    this.#times[i] = this.#now() + ms;
    this.#expires[i] = expire;
  }

  /** How much time the request has left until its deadline; 0 without one. */
  left({ deadline }: FastifyRequest): number {
    return deadline < 0 ? 0 : (this.#times[deadline] ?? 0) - this.#now();
  }

  clear(request: FastifyRequest): void {
    const i = request.deadline;
    if (i < 0) return;
    request.deadline = -1;
    this.#replies[i] = undefined;
    this.#unused.push(i);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Ends the requests whose time is over. Called at intervals. */
  check(): void {
    const now = this.#now();
    for (let i = 0; i < this.#replies.length; i++) {
      const reply = this.#replies[i];
      if (reply === undefined || (this.#times[i] ?? 0) > now) continue;
      this.clear(reply.request);
      // A response that is being sent to a slow reader is not late.
      if (!reply.sent) this.#expires[i]?.(reply.request, reply);
    }
  }
}
