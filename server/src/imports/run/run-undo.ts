import {
  type EntryUpdate,
  findCollection,
  findDeleteFaults,
  findTaken,
  isActive,
  lockEntries,
  shareLockCollection,
  uncachedView,
  updateEntries,
  type WritableEntryRow,
} from '../../content/index.ts';
import type { Fault } from '../../shared/errors.ts';
import { readJson } from '../../shared/json.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import type { UndoCounts } from '../contract.ts';
import {
  type BatchWrites,
  findBatchBefore,
  findImportOfJob,
  type ImportRow,
  insertBatch,
  saveProgress,
} from '../queries.ts';
import { resultLine } from '../results.ts';
import { collectionDeleted } from './run-rows.ts';
import { batchWriting, lockRun, type StageRun } from './stage-run.ts';

const NO_ENTRIES: UndoCounts = { entries: 0, deleted: 0, restored: 0, skipped: 0 };

/**
 * Undoes an import from its last batch to its first: entries it created are deleted, entries it updated get their previous
 * values. Entries that have changed since are skipped and listed in the results. Each batch is one transaction; it is undone
 * while the one before it still is, and they commit in order.
 * @returns the counts; undefined if the undo was done before and another stage has started
 */
export async function runUndo(
  db: Database,
  run: StageRun,
  report: (progress: number) => void,
): Promise<UndoCounts | undefined> {
  const { accountId: account_id, importId, jobId: job_id } = run;
  const [row] = await findImportOfJob(db, { account_id, id: importId, job_id });
  if (!row) return undefined;
  if (row.is_stage_done) return row.undone ?? NO_ENTRIES;
  const { created = 0, updated = 0 } = row.imported ?? {};
  let earlier = Promise.resolve(row.undone ?? NO_ENTRIES);
  let commit = earlier;
  let batches_done = row.batches_done;
  for (;;) {
    report((await earlier).entries / Math.max(1, created + updated));
    const [batch] = await findBatchBefore(db, { account_id, import_id: importId, number: batches_done });
    if (!batch) break;
    const { promise: locked, resolve: onLocked } = Promise.withResolvers<void>();
    earlier = commit;
    commit = undoBatch(db, run, row, batch, { batches_done, counts: earlier, onLocked });
    commit.catch(() => {});
    batches_done = batch.number;
    await Promise.race([commit, locked]);
  }
  const counts = await commit;
  await db.transaction(async (tx) => {
    await lockRun(tx, run, { batches_done });
    await saveUndo(tx, run, row, counts, 0, true);
  });
  return counts;
}

interface Order {
  /** How many batches of the import are left when this one is committed. */
  batches_done: number;
  /** Resolves at the commit of the batch before. */
  counts: Promise<UndoCounts>;
  /** Called once the entries are locked: now the next batch may start. */
  onLocked: () => void;
}

function undoBatch(
  db: Database,
  run: StageRun,
  row: ImportRow,
  batch: BatchWrites & { number: number },
  { batches_done, counts, onLocked }: Order,
): Promise<UndoCounts> {
  const { accountId: account_id, importId: import_id } = run;
  const { collection_id } = row;
  return db.transaction(async (tx) => {
    const [locked] = await shareLockCollection(tx, { account_id, id: collection_id });
    const [found] = locked ? await findCollection(tx, { account_id, id: collection_id }) : [];
    const collection = found && (await uncachedView(run.access).read(tx, account_id, found));
    if (!collection) throw collectionDeleted();
    const stored = await lockEntries(tx, account_id, collection, batch.entry_ids);
    // Batches that use the same file would wait for each other.
    if (collection.hasAssets) await counts;
    else onLocked();
    const entries = new Map(stored.map((entry) => [entry.id, entry]));
    const undone = { ...NO_ENTRIES };
    const changes: EntryUpdate[] = [];
    const previousValues = batch.entry_ids.map((id, i) => ({
      id,
      values: readJson(batch.previous_values[i] ?? '{}'),
    }));
    const taken = await findTaken(tx, account_id, collection, previousValues);
    const created = batch.entry_ids.filter((_, i) => (batch.previous_values[i] ?? null) === null);
    const kept = await findDeleteFaults(tx, account_id, collection_id, created);
    const results = batch.entry_ids.map((id, i) => {
      const entry = entries.get(id);
      const previous = batch.previous_values[i] ?? null;
      const fileRow = batch.row_numbers[i] ?? 0;
      undone.entries++;
      const reason = reasonToSkip(entry, batch.versions[i], taken[i]?.[0] ?? kept.get(id));
      if (reason || !entry) {
        undone.skipped++;
        return resultLine(fileRow, 'skipped', id, ...(reason ?? []));
      }
      const outcome = previous === null ? 'deleted' : 'restored';
      undone[outcome]++;
      const status = previous === null ? 'deleted' : 'active';
      changes.push({ before: entry, values: readJson(previous ?? entry.values), status });
      return resultLine(fileRow, outcome, id);
    });
    await updateEntries(tx, batchWriting(run, row), collection, changes);
    const before = await counts;
    const after = {
      entries: before.entries + undone.entries,
      deleted: before.deleted + undone.deleted,
      restored: before.restored + undone.restored,
      skipped: before.skipped + undone.skipped,
    };
    await lockRun(tx, run, { batches_done });
    await insertBatch(tx, {
      account_id,
      import_id,
      stage: 'undo',
      number: batch.number,
      results: results.join(''),
      entry_ids: [],
      versions: [],
      previous_values: [],
      row_numbers: [],
    });
    await saveUndo(tx, run, row, after, batch.number, false);
    return after;
  });
}

async function saveUndo(
  tx: Tx,
  { accountId: account_id, importId: id }: StageRun,
  { rows_read }: ImportRow,
  counts: UndoCounts,
  batches_done: number,
  is_stage_done: boolean,
): Promise<void> {
  const progress = { batches_done, rows_read, is_stage_done, counts: JSON.stringify(counts) };
  await saveProgress(tx, { account_id, id, ...progress });
}

function reasonToSkip(
  entry: WritableEntryRow | undefined,
  version: number | undefined,
  taken: Fault | undefined,
): [code: string, detail: string] | undefined {
  if (!entry) return ['entry_gone', 'The entry was permanently deleted after the import.'];
  if (!isActive(entry)) return ['entry_deleted', 'The entry was deleted after the import.'];
  if (entry.version !== version) return ['entry_changed', 'The entry was changed after the import.'];
  if (taken) return [taken.code, taken.detail];
  return undefined;
}
