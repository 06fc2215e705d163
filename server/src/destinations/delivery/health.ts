import { alertOwners } from '../../mail/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { publicId } from '../../shared/ids.ts';
import { writeOutbox } from '../../shared/outbox.ts';
import { HOUR, MINUTE } from '../../shared/units.ts';
import type { DestinationRow } from '../manage/queries.ts';
import { platformOf } from '../platforms/registry.ts';
import { recordFailure, recordSuccess } from './queries.ts';

/** The webhook topic. */
export const FAILING_TOPIC = 'destination.failing';

const NOTIFY_AFTER = '10 minutes';
const FIRST_BLOCK_MS = 1_000;
const MAX_BLOCK_MS = 5 * MINUTE;
/** A destination that the platform refuses is tried again so often: what was missing may have been restored there. */
const ACCESS_BLOCK_MS = HOUR;
/** Refusals in a row with one code, without any event accepted in between, after which the destination pauses. */
export const MAX_REFUSALS = 20;
/** Successes are recorded so often at most. */
const RECORD_EVERY_MS = MINUTE;

export type Failure = 'throttled' | 'unavailable' | 'lost' | 'credentials' | 'access';

interface Refusals {
  code: string;
  count: number;
  since: number;
}

/**
 * Whether the platforms accept what is sent to them. After a failed request, a destination pauses for a moment, longer with
 * each failure. One whose credentials are refused pauses until they are replaced; one that the platform refuses for another
 * reason is tried each hour; one of which many events are refused for one reason pauses until it is resumed. Its account is
 * notified by webhook and mail.
 */
export class Health {
  readonly #deps: Deps;
  /** Failures since the last success, by destination. */
  readonly #failures = new Map<string, number>();
  readonly #recordedAt = new Map<string, number>();
  /** The latest refusals in a row, by destination. */
  readonly #refusals = new Map<string, Refusals>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async succeeded(destination: DestinationRow): Promise<void> {
    const { id, failing_since, blocked_until, accepts_refusals } = destination;
    this.#refusals.delete(id);
    const wasFailing =
      this.#failures.delete(id) || failing_since !== null || blocked_until !== null || accepts_refusals;
    const recordedAt = this.#recordedAt.get(id) ?? Number.NEGATIVE_INFINITY;
    if (!wasFailing && performance.now() - recordedAt < RECORD_EVERY_MS) return;
    this.#recordedAt.set(id, performance.now());
    destination.failing_since = null;
    destination.blocked_until = null;
    destination.accepts_refusals = false;
    destination.last_sent_at = new Date(this.#deps.clock());
    await recordSuccess(this.#deps.db, this.#keyOf(destination));
  }

  /**
   * Counts events that the platform refused, all of a request. Returns whether the destination is paused by them, rather than
   * the events being at fault.
   */
  async refused(
    destination: DestinationRow,
    faults: readonly { code?: string; reason: string; message: string }[],
    shorten: (message: string) => string,
  ): Promise<boolean> {
    let refusals = this.#refusals.get(destination.id);
    for (const { code: exact, reason } of faults) {
      const code = exact ?? reason;
      if (refusals?.code === code) refusals.count++;
      else refusals = { code, count: 1, since: this.#deps.clock() };
    }
    if (refusals === undefined) return false;
    this.#refusals.set(destination.id, refusals);
    const { code, count, since } = refusals;
    const wasAccepted = destination.accepts_refusals && destination.refusal_code === code;
    if (count < MAX_REFUSALS || wasAccepted) return false;
    const words = shorten(faults.at(-1)?.message ?? '');
    const error = `${count} conversions in a row were refused with the code ${code}: ${words}`;
    await this.#record(destination, error, {
      isFailure: true,
      pause: { pause_reason: 'refusals', refusal_code: code, refused_since: new Date(since) },
    });
    return true;
  }

  async failed(
    destination: DestinationRow,
    type: Failure,
    error: string,
    retryAfterMs: number | undefined,
  ): Promise<void> {
    const failures = (this.#failures.get(destination.id) ?? 0) + 1;
    this.#failures.set(destination.id, failures);
    const delay = Math.min(MAX_BLOCK_MS, FIRST_BLOCK_MS * 2 ** Math.min(failures - 1, 20));
    const blockMs = Math.max(type === 'access' ? ACCESS_BLOCK_MS : delay, retryAfterMs ?? 0);
    const pauses = type === 'credentials' || type === 'access';
    await this.#record(destination, error || type, {
      isFailure: type !== 'throttled',
      blockMs,
      pause: { pause_reason: pauses ? type : null, refusal_code: null, refused_since: null },
    });
  }

  async #record(
    destination: DestinationRow,
    error: string,
    {
      isFailure,
      blockMs = 0,
      pause,
    }: {
      isFailure: boolean;
      blockMs?: number;
      pause: { pause_reason: DestinationRow['pause_reason']; refusal_code: string | null; refused_since: Date | null };
    },
  ): Promise<void> {
    const { db, clock, log } = this.#deps;
    const now = clock();
    const notified = await db.transaction(async (tx) => {
      const [row] = await recordFailure(tx, {
        ...this.#keyOf(destination),
        ...pause,
        error,
        blocked_until: new Date(now + blockMs),
        is_failure: isFailure,
        notify_after: NOTIFY_AFTER,
      });
      if (!row?.is_new) return false;
      const change = { resourceId: row.id, sequence: row.version };
      await writeOutbox(tx, destination.account_id, FAILING_TOPIC, [change], now);
      return true;
    });
    if (!notified) return;
    const name = publicId('dst', destination.id);
    log.warn({ destination: name, paused: pause.pause_reason }, 'a destination is failing');
    const { account_id } = destination;
    const url = `${this.#deps.publicUrl()}/${publicId('acc', account_id)}/destinations/${name}`;
    const values = { name: destination.name, error: error.slice(0, 500) };
    await alertOwners(this.#deps, account_id, (t) => {
      const words = platformOf(destination.platform).purges
        ? t('Purges are not accepted by {name}. It says: {error}', values)
        : t('Conversions are not accepted by {name}. It says: {error}', values);
      const advice = t('Nothing is lost: what waits is sent once this is corrected:');
      return { subject: t('{name} fails', { name: values.name }), text: `${words}\n\n${advice}\n${url}\n` };
    });
  }

  #keyOf({ account_id, id }: DestinationRow) {
    return { account_id, destination_id: id, now: new Date(this.#deps.clock()) };
  }
}
