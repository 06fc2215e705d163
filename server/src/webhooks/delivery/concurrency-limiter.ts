const INITIAL_LIMIT = 8;
const MIN_LIMIT = 1;
const MAX_LIMIT = 64;

/** A healthy endpoint may have this many times its limit queued here, so that it never runs out of work. */
const PREFETCH_FACTOR = 16;
const HEALTHY_LIMIT = 4;

const capacityOf = (limit: number) => (limit >= HEALTHY_LIMIT ? limit * PREFETCH_FACTOR : limit);

/**
 * How many attempts one process makes at one endpoint at the same time. Additive increase, multiplicative decrease: each
 * success adds one, each failure halves the limit, so an endpoint that hangs soon occupies a single connection.
 */
export class ConcurrencyLimiter {
  /** Capacity of a new limiter. */
  static readonly INITIAL_CAPACITY = capacityOf(INITIAL_LIMIT);

  queued = 0;
  inFlight = 0;
  /** Capacity reserved for deliveries that are being written. */
  reserved = 0;
  limit = INITIAL_LIMIT;

  /** How many more deliveries it accepts. */
  get capacity(): number {
    return Math.max(0, capacityOf(this.limit) - this.inFlight - this.queued - this.reserved);
  }

  get canStart(): boolean {
    return this.queued > 0 && this.inFlight < this.limit;
  }

  get isIdle(): boolean {
    return this.queued + this.inFlight + this.reserved === 0;
  }

  onResult(isSuccess: boolean): void {
    this.limit = isSuccess ? Math.min(MAX_LIMIT, this.limit + 1) : Math.max(MIN_LIMIT, Math.floor(this.limit / 2));
  }
}
