import { alertOwners } from '../../mail/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { publicId } from '../../shared/ids.ts';
import { writeOutbox } from '../../shared/outbox.ts';
import { HOUR, MINUTE } from '../../shared/units.ts';
import type { PlatformFault } from '../connectors/connector.ts';
import { type CostSourceRow, recordFailure } from '../manage/queries.ts';

/** The webhook topic. */
export const FAILING_TOPIC = 'cost_source.failing';

const NOTIFY_AFTER = '3 hours';
const FIRST_DELAY_MS = 5 * MINUTE;
/** From a report that is not ready to the next look at it. */
const PENDING_MS = 2 * MINUTE;

/**
 * What becomes of sources that could not be read. One whose credentials are refused waits until they are replaced; one that the platform
 * refuses otherwise is read again each hour. The account is notified by webhook and mail, at once or after three hours of other failures.
 */
export class SourceHealth {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async failed(source: CostSourceRow, { type, message, retryAfterMs }: PlatformFault): Promise<void> {
    if (type === 'notReady') return this.#record(source, message, null, PENDING_MS);
    const pauses = type === 'credentials' || type === 'access';
    const delay = Math.min(HOUR, FIRST_DELAY_MS * 2 ** Math.min(source.failures, 10));
    const wait = type === 'access' ? HOUR : Math.max(delay, retryAfterMs ?? 0);
    await this.#record(source, message || type, pauses ? type : null, type === 'credentials' ? null : wait);
  }

  async #record(
    source: CostSourceRow,
    error: string,
    pause_reason: string | null,
    waitMs: number | null,
  ): Promise<void> {
    const { db, clock, log, publicUrl } = this.#deps;
    const now = clock();
    const { account_id, id, name } = source;
    const isNew = await db.transaction(async (tx) => {
      const [row] = await recordFailure(tx, {
        ...{ account_id, id, error, pause_reason },
        ...{ next: waitMs === null ? null : new Date(now + waitMs), notify_after: NOTIFY_AFTER, now: new Date(now) },
      });
      if (row?.is_new)
        await writeOutbox(tx, account_id, FAILING_TOPIC, [{ resourceId: id, sequence: row.version }], now);
      return row?.is_new ?? false;
    });
    if (!isNew) return;
    log.warn({ costSource: publicId('cst', id), paused: pause_reason }, 'a cost source is failing');
    const url = `${publicUrl()}/${publicId('acc', account_id)}/ad-costs/sources`;
    await alertOwners(this.#deps, account_id, (t) => {
      const words = t('What ads cost cannot be read from {name}. It says: {error}', { name, error });
      const advice = t('Nothing is lost: the days since are read once this is corrected:');
      return { subject: t('{name} fails', { name }), text: `${words}\n\n${advice}\n${url}\n` };
    });
  }
}
