import { alertOwners } from '../../mail/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { publicId } from '../../shared/ids.ts';
import { writeOutbox } from '../../shared/outbox.ts';
import type { DestinationRow } from '../manage/queries.ts';
import { recordFailure, recordSuccess } from './queries.ts';

/** The webhook topic. */
export const FAILING_TOPIC = 'destination.failing';

const NOTIFY_AFTER = '10 minutes';
const FIRST_BLOCK_MS = 1_000;
const MAX_BLOCK_MS = 5 * 60_000;
/** Successes are recorded so often at most. */
const RECORD_EVERY_MS = 60_000;

type Failure = 'throttled' | 'unavailable' | 'lost' | 'credentials';

/**
 * Whether the platforms accept what is sent to them. After a failed request, a destination pauses for a moment, longer with
 * each failure. One whose credentials are refused pauses until they are replaced. Its account is notified by webhook.
 */
export class Health {
  readonly #deps: Deps;
  /** Failures since the last success, by destination. */
  readonly #failures = new Map<string, number>();
  readonly #recordedAt = new Map<string, number>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async succeeded(destination: DestinationRow): Promise<void> {
    const { id, failing_since, blocked_until } = destination;
    const wasFailing = this.#failures.delete(id) || failing_since !== null || blocked_until !== null;
    const recordedAt = this.#recordedAt.get(id) ?? Number.NEGATIVE_INFINITY;
    if (!wasFailing && performance.now() - recordedAt < RECORD_EVERY_MS) return;
    this.#recordedAt.set(id, performance.now());
    destination.failing_since = null;
    destination.blocked_until = null;
    await recordSuccess(this.#deps.db, this.#keyOf(destination));
  }

  async failed(
    destination: DestinationRow,
    type: Failure,
    error: string,
    retryAfterMs: number | undefined,
  ): Promise<void> {
    const { db, clock, log } = this.#deps;
    const failures = (this.#failures.get(destination.id) ?? 0) + 1;
    this.#failures.set(destination.id, failures);
    const pause = Math.min(MAX_BLOCK_MS, FIRST_BLOCK_MS * 2 ** Math.min(failures - 1, 20));
    const now = clock();
    const pauses = type === 'credentials';
    const notified = await db.transaction(async (tx) => {
      const rows = await recordFailure(tx, {
        ...this.#keyOf(destination),
        error: error || type,
        blocked_until: new Date(now + Math.max(pause, retryAfterMs ?? 0)),
        is_failure: type !== 'throttled',
        pauses,
        notify_after: NOTIFY_AFTER,
      });
      const [row] = rows;
      if (!row?.is_new) return false;
      const change = { resourceId: row.id, sequence: row.version };
      await writeOutbox(tx, destination.account_id, FAILING_TOPIC, [change], now);
      return true;
    });
    const name = publicId('dst', destination.id);
    if (!notified) return;
    log.warn({ destination: name, paused: pauses }, 'a destination is failing');
    const { account_id } = destination;
    const url = `${this.#deps.publicUrl()}/${publicId('acc', account_id)}/destinations/${name}`;
    const text = `Conversions are not accepted by ${destination.name}. See why, and correct it here:\n${url}\n`;
    await alertOwners(this.#deps, account_id, { subject: `${destination.name} fails`, text });
  }

  #keyOf({ account_id, id }: DestinationRow) {
    return { account_id, destination_id: id, now: new Date(this.#deps.clock()) };
  }
}
