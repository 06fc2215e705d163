import type { Deps } from '../shared/deps.ts';
import { durationOf } from './experiment.ts';
import { findEnded, keepResults } from './queries.ts';
import { computeResults, settledOf } from './results.ts';

/** Keeps the results of experiments that have ended, before retention deletes what they are computed from. */
export async function keepEndedResults(
  deps: Deps,
  account_id: string,
  before: Date,
  signal: AbortSignal,
): Promise<void> {
  for (const row of await findEnded(deps.db, { account_id, started_before: before })) {
    signal.throwIfAborted();
    const { window, settleAfter } = row.definition;
    const settledAt = (row.stopped_at?.getTime() ?? 0) + durationOf(window) + durationOf(settleAfter);
    if (row.kept_at && row.kept_at.getTime() >= settledAt) continue;
    try {
      const results = await computeResults(deps, account_id, row, {});
      const isBetter = !row.kept_results || settledOf(results) >= settledOf(row.kept_results);
      const kept_results = JSON.stringify(isBetter ? results : row.kept_results);
      await keepResults(deps.db, { account_id, id: row.id, kept_results, kept_at: new Date(deps.clock()) });
    } catch (err) {
      // Retention was promised; the results are those of an earlier run.
      deps.log.warn({ err, experiment: row.id }, 'failed to keep the results of an experiment');
    }
  }
}
