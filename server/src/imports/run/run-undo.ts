import {
  collectionOf,
  type EntryUpdate,
  findCollection,
  isActive,
  lockEntries,
  shareLockCollection,
  updateEntries,
  type WritableEntryRow,
} from '../../content/index.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import type { UndoCounts } from '../contract.ts';
import { findBatchBefore, findImportOfJob, type ImportRow, insertBatch, saveProgress } from '../queries.ts';
import { resultLine } from '../results.ts';
import { collectionDeleted } from './run-rows.ts';
import { batchWriting, lockRun, type StageRun } from './stage-run.ts';

const NO_ENTRIES: UndoCounts = { entries: 0, deleted: 0, restored: 0, skipped: 0 };

/**
 * Undoes an import from its last batch to its first: entries it created are deleted, entries it updated get their previous
 * values. Entries that have changed since are skipped and listed in the results. Each batch is one transaction.
 * @returns the counts; undefined if the undo was done before and another stage has started
 */
export async function runUndo(
  db: Database,
  run: StageRun,
  report: (progress: number) => void,
): Promise<UndoCounts | undefined> {
  for (;;) {
    const undone = await db.transaction((tx) => undoBatch(tx, run));
    if (undone === undefined || undone.isDone) return undone?.counts;
    const { row, counts } = undone;
    const { created = 0, updated = 0 } = row.imported ?? {};
    report(counts.entries / Math.max(1, created + updated));
  }
}

interface UndoneBatch {
  row: ImportRow;
  counts: UndoCounts;
  isDone: boolean;
}

async function undoBatch(tx: Tx, run: StageRun): Promise<UndoneBatch | undefined> {
  const { accountId, importId, jobId } = run;
  const of = { account_id: accountId, id: importId };
  const [row] = await findImportOfJob(tx, { ...of, job_id: jobId });
  if (!row) return undefined;
  const counts = { ...(row.undone ?? NO_ENTRIES) };
  if (row.is_stage_done) return { row, counts, isDone: true };
  const save = (batches_done: number, is_stage_done: boolean) =>
    saveProgress(tx, { ...of, batches_done, rows_read: row.rows_read, is_stage_done, counts: JSON.stringify(counts) });
  const [batch] = await findBatchBefore(tx, { account_id: accountId, import_id: importId, number: row.batches_done });
  if (!batch) {
    await lockRun(tx, run, row);
    await save(0, true);
    return { row, counts, isDone: true };
  }
  const [locked] = await shareLockCollection(tx, { account_id: accountId, id: row.collection_id });
  const [found] = locked ? await findCollection(tx, { account_id: accountId, id: row.collection_id }) : [];
  if (!found) throw collectionDeleted();
  const stored = await lockEntries(tx, {
    account_id: accountId,
    collection_id: row.collection_id,
    ids: batch.entry_ids,
  });
  const entries = new Map(stored.map((entry) => [entry.id, entry]));
  const changes: EntryUpdate[] = [];
  const results = batch.entry_ids.map((id, i) => {
    const entry = entries.get(id);
    const previous = batch.previous_values[i] ?? null;
    const fileRow = batch.row_numbers[i] ?? 0;
    counts.entries++;
    const reason = reasonToSkip(entry, batch.versions[i]);
    if (reason || !entry) {
      counts.skipped++;
      return resultLine(fileRow, 'skipped', id, ...(reason ?? []));
    }
    const outcome = previous === null ? 'deleted' : 'restored';
    counts[outcome]++;
    const status = previous === null ? 'deleted' : 'active';
    changes.push({ before: entry, values: JSON.parse(previous ?? entry.values), status });
    return resultLine(fileRow, outcome, id);
  });
  await lockRun(tx, run, row);
  await updateEntries(tx, batchWriting(run, row), collectionOf(found), changes);
  await insertBatch(tx, {
    account_id: accountId,
    import_id: importId,
    stage: 'undo',
    number: batch.number,
    results: results.join(''),
    entry_ids: [],
    versions: [],
    previous_values: [],
    row_numbers: [],
  });
  await save(batch.number, false);
  return { row, counts, isDone: false };
}

function reasonToSkip(
  entry: WritableEntryRow | undefined,
  version: number | undefined,
): [code: string, detail: string] | undefined {
  if (!entry) return ['entry_gone', 'The entry was permanently deleted after the import.'];
  if (!isActive(entry)) return ['entry_deleted', 'The entry was deleted after the import.'];
  if (entry.version !== version) return ['entry_changed', 'The entry was changed after the import.'];
  return undefined;
}
