import type { Deps } from '../../shared/deps.ts';
import { rebuildSegment } from '../engine/index.ts';
import { findSegmentsToRebuild } from './queries.ts';
import { aggregateOutcomes } from './record-new-rows.ts';

/**
 * Up to this many changed sessions of an account are read from their rows by each report, which takes about 30 ms. Rebuilding
 * sooner would write a segment again for every few sessions.
 */
const MAX_CHANGED = 1_000;

/** Rebuilds segments with many changed or with due sessions. Several processes may do it at once. */
export async function updateSegments(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  signal?: AbortSignal,
  maxChanged = MAX_CHANGED,
): Promise<void> {
  const failures: unknown[] = [];
  const segments = await findSegmentsToRebuild(db, { now: new Date(clock()), max_changed: maxChanged });
  for (const { account_id, segment } of segments) {
    if (signal?.aborted) return;
    try {
      await db.transaction(async (tx) => {
        await tx.query('set local statement_timeout = 0');
        const numbers = await rebuildSegment(tx, account_id, segment, clock());
        await aggregateOutcomes(
          tx,
          numbers.map((number) => ({ account_id, number })),
        );
      });
    } catch (error) {
      // One failing segment does not stop the others.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
