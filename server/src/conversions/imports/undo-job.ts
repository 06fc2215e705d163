import type { JobHandler } from '../../jobs/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { parseId } from '../../shared/ids.ts';
import { rebuildFromRevisions } from '../matching/queries.ts';
import {
  addToUndo,
  deleteUnmatchedOfImport,
  findConversionsOfImport,
  findImport,
  finishUndo,
  lockConversions,
  markWithdrawn,
  withdrawReports,
} from './queries.ts';

export const UNDO_JOB = 'undo_conversion_import';

const BATCH_SIZE = 1_000;

/**
 * Undoes an import, batch by batch: deletes its unmatched reports and withdraws the others. A conversion that has other
 * reports gets their values again; one without does not count any more. Runs again from where it stopped.
 */
export function undoHandler({ db, clock }: Pick<Deps, 'db' | 'clock'>): JobHandler {
  return {
    async run({ accountId, params, signal, report }) {
      const id = parseId('imp', (params as { importId: string }).importId) ?? '';
      const key = { account_id: accountId, id };
      const none = { withdrawn: 0, reverted: 0, deleted_unmatched: 0 };
      let done = 0;
      const [started] = await findImport(db, key);
      const total = (started?.reported ?? 0) + (started?.unmatched ?? 0);
      const step = async (work: () => Promise<number>) => {
        for (let count = BATCH_SIZE; count > 0; ) {
          signal.throwIfAborted();
          count = await work();
          done += count;
          report(Math.min(1, done / Math.max(1, total)));
        }
      };
      await step(() =>
        db.transaction(async (tx) => {
          const { length } = await deleteUnmatchedOfImport(tx, { ...key, limit: BATCH_SIZE });
          if (length > 0) await addToUndo(tx, { ...key, ...none, deleted_unmatched: length });
          return length;
        }),
      );
      await step(() =>
        db.transaction(async (tx) => {
          const now = new Date(clock());
          const ids = (await findConversionsOfImport(tx, { ...key, limit: BATCH_SIZE })).map((row) => row.id);
          if (ids.length === 0) return 0;
          const batch = { account_id: accountId, ids };
          await lockConversions(tx, batch);
          await withdrawReports(tx, { ...batch, import_id: id, now });
          const marked = await markWithdrawn(tx, { ...batch, now });
          await rebuildFromRevisions(tx, { conversions: ids.map((each) => ({ account_id: accountId, id: each })) });
          const withdrawn = marked.filter((row) => row.is_withdrawn).length;
          await addToUndo(tx, { ...key, ...none, withdrawn, reverted: ids.length - withdrawn });
          return ids.length;
        }),
      );
      const [row] = await finishUndo(db, { ...key, now: new Date(clock()) });
      return {
        withdrawn: row?.withdrawn ?? 0,
        reverted: row?.reverted ?? 0,
        deletedUnmatched: row?.deleted_unmatched ?? 0,
      };
    },
  };
}
