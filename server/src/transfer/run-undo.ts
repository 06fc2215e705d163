import {
  type BatchChange,
  type BatchRow,
  changeBatch,
  collectionOf,
  findCollection,
  isActive,
  lockEntries,
  shareCollection,
} from '../content/index.ts';
import { csvLine } from '../shared/csv.ts';
import { publicId } from '../shared/ids.ts';
import type { Database, Tx } from '../shared/postgres/database.ts';
import {
  advance,
  findImportOfJob,
  holdImport,
  type ImportRow,
  insertBatch,
  lastBatchBefore,
  type UndoCounts,
} from './queries.ts';
import { holdRun, StepError, type StepRun, writingOf } from './run-import.ts';

const NOTHING: UndoCounts = { entries: 0, deleted: 0, restored: 0, kept: 0 };

/**
 * Takes an import back, its batches from the last to the first: what it created is deleted, what it changed becomes what it
 * was. An entry that is not as the import left it is left as it is, and told of. Each batch is one transaction, as in the
 * import. undefined: it was done before, and the import has gone on to another step.
 */
export async function runUndo(
  db: Database,
  run: StepRun,
  report: (progress: number) => void,
): Promise<UndoCounts | undefined> {
  for (;;) {
    const undone = await db.transaction((tx) => undoBatch(tx, run));
    if (undone === undefined || undone.isDone) return undone?.counts;
    const { row, counts } = undone;
    const { created = 0, changed = 0 } = row.imported ?? {};
    report(counts.entries / Math.max(1, created + changed));
  }
}

interface UndoneBatch {
  row: ImportRow;
  counts: UndoCounts;
  isDone: boolean;
}

async function undoBatch(tx: Tx, run: StepRun): Promise<UndoneBatch | undefined> {
  const { accountId, importId, jobId } = run;
  const [known] = await findImportOfJob(tx, accountId, importId, jobId);
  if (!known) return undefined;
  if (known.is_done) return { row: known, counts: known.undone ?? NOTHING, isDone: true };
  await holdRun(tx, run);
  const [row] = await holdImport(tx, accountId, importId, jobId);
  if (!row) throw new StepError('import_gone', 'The import was forgotten, or another job has it.');
  const counts = row.undone ?? NOTHING;
  const [batch] = await lastBatchBefore(tx, accountId, importId, row.batches);
  if (!batch) {
    await advance(tx, accountId, importId, 0, row.records, true, null, null, counts);
    return { row, counts, isDone: true };
  }
  const [shared] = await shareCollection(tx, accountId, row.collection_id);
  const [found] = shared ? await findCollection(tx, accountId, row.collection_id) : [];
  if (!found) throw new StepError('collection_deleted', 'The collection was deleted: bring it back first.');
  const entries = new Map(
    (await lockEntries(tx, accountId, row.collection_id, batch.entry_ids)).map((entry) => [entry.id, entry]),
  );
  const changes: BatchChange[] = [];
  const after = { ...counts };
  const lines = batch.entry_ids.map((id, i) => {
    const before = batch.befores[i] ?? null;
    const entry = entries.get(id);
    after.entries++;
    const line = (outcome: string, code = '', detail = '') =>
      csvLine([String(batch.rows[i]), outcome, publicId('ent', id), code, detail]);
    const kept = whyKept(entry, batch.versions[i]);
    if (kept || !entry) {
      after.kept++;
      return line('kept', ...(kept ?? []));
    }
    if (before === null) {
      changes.push({ before: entry, values: JSON.parse(entry.values), status: 'deleted' });
      after.deleted++;
      return line('deleted');
    }
    changes.push({ before: entry, values: JSON.parse(before), status: 'active' });
    after.restored++;
    return line('restored');
  });
  await changeBatch(tx, writingOf(run, row), collectionOf(found), changes);
  await insertBatch(tx, accountId, importId, 'undo', batch.number, lines.join(''), [], [], [], []);
  await advance(tx, accountId, importId, batch.number, row.records, false, null, null, after);
  return { row, counts: after, isDone: false };
}

function whyKept(entry: BatchRow | undefined, version: number | undefined): [code: string, detail: string] | undefined {
  if (!entry) return ['entry_gone', 'It was removed for good since.'];
  if (!isActive(entry)) return ['entry_deleted', 'Somebody has deleted it since.'];
  if (entry.version !== version) return ['entry_changed', 'Somebody has changed it since.'];
  return undefined;
}
