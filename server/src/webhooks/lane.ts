const FIRST_LIMIT = 8;
const LOWEST_LIMIT = 1;
const HIGHEST_LIMIT = 64;

/** A lane that does well may have so many times its attempts under way waiting here, so that it never runs dry. */
const AHEAD = 8;
const DOES_WELL = 4;

const roomOf = (limit: number) => (limit >= DOES_WELL ? limit * AHEAD : limit);

/**
 * What one process does for one endpoint: so much at once as the endpoint answers well. Each success lets one more in, a
 * failure halves; so one that hangs soon holds a single connection.
 */
export class Lane<Item> {
  /** Of a lane that nothing is known of. */
  static readonly FIRST_ROOM = roomOf(FIRST_LIMIT);

  readonly waiting: Item[] = [];
  inFlight = 0;
  /** Promised to deliveries that are being written. */
  reserved = 0;
  limit = FIRST_LIMIT;
  /** Whether there seems to be more in the queue than was claimed. */
  hasMore = false;

  /** How many more deliveries it may take. */
  get room(): number {
    return roomOf(this.limit) - this.inFlight - this.waiting.length - this.reserved;
  }

  get mayBegin(): boolean {
    return this.waiting.length > 0 && this.inFlight < this.limit;
  }

  learn(isSuccess: boolean): void {
    this.limit = isSuccess
      ? Math.min(HIGHEST_LIMIT, this.limit + 1)
      : Math.max(LOWEST_LIMIT, Math.floor(this.limit / 2));
  }

  /** Takes out what waits. */
  empty(): Item[] {
    return this.waiting.splice(0);
  }
}
