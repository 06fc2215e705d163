import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { findCollection, shareLockCollection, uncachedView } from '../../content/index.ts';
import { csvParser, explainCsvError } from '../../shared/csv-rows.ts';
import type { Fault } from '../../shared/errors.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import { LIMITS, type RowCounts } from '../contract.ts';
import { resolveMapping } from '../mapping.ts';
import { type BatchWrites, findImportOfJob, findPart, type ImportRow, insertBatch, saveProgress } from '../queries.ts';
import { resultLine } from '../results.ts';
import { type DetectedFormats, detectFormats, withFormats } from './column-formats.ts';
import type { FieldError } from './evaluate-row.ts';
import { type FileRow, RowMatcher, type RowOutcome } from './row-matcher.ts';
import { batchWriting, lockRun, StageError, type StageRun } from './stage-run.ts';

const BATCH_ROWS = 1_000;
/** Long rows make smaller batches. */
const BATCH_CHARACTERS = 2_000_000;

const NO_ROWS: RowCounts = { rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0, errors: [] };
const NO_WRITES: BatchWrites = { entry_ids: [], versions: [], previous_values: [], row_numbers: [] };

/**
 * Runs a dry run or an import. Each batch of rows is one transaction, which also stores the progress: a run that is
 * interrupted at any time resumes after the last committed row, and no row is written twice. A batch is evaluated and written
 * while the one before it still is; they commit in order.
 * @returns the counts; undefined if the stage was done before and another has started
 * @throws StageError
 */
export async function runRows(
  db: Database,
  run: StageRun,
  report: (progress: number) => void,
): Promise<RowCounts | undefined> {
  const { accountId: account_id, importId: id, jobId: job_id } = run;
  const [row] = await findImportOfJob(db, { account_id, id, job_id });
  if (!row) return undefined;
  const isDone = row.is_stage_done;
  const detected = isDone ? new Map() : await detectFormats(await mappingFor(db, run, row), readRows(db, run, row));
  const batches = new Batches(db, run, row, detected, await matcherFor(db, run, row, detected));
  if (isDone) return batches.counts;
  let last = 0;
  for await (const fileRow of readRows(db, run, row)) {
    last = fileRow.row - 1;
    if (batches.add(fileRow)) {
      await batches.commit(last, false);
      report(fileRow.bytesRead / row.bytes);
    }
  }
  await batches.commit(last, true);
  return batches.counts;
}

/** The rows of the file after its header. @throws StageError if the file is no CSV or too long */
async function* readRows(db: Database, run: StageRun, { delimiter }: ImportRow) {
  const parser = csvParser(delimiter ?? ',');
  // An error in it is thrown where the rows are read.
  pipeline(Readable.from(readParts(db, run)), parser).catch(() => {});
  try {
    let record = -1;
    for await (const cells of parser as AsyncIterable<string[]>) {
      record++;
      if (record === 0) continue;
      if (record > run.maxRows) {
        throw new StageError('too_many_rows', `The file has too many rows. The limit is ${run.maxRows}.`);
      }
      yield { row: record + 1, cells, bytesRead: parser.info.bytes };
    }
  } catch (error) {
    const explanation = explainCsvError(error);
    throw explanation === undefined ? error : new StageError('csv_malformed', explanation);
  }
}

async function* readParts(db: Database, { accountId, importId }: StageRun) {
  for (let number = 0; ; number++) {
    const [part] = await findPart(db, { account_id: accountId, import_id: importId, number });
    if (!part) return;
    yield part.bytes;
  }
}

/** Resolves the mapping against the current fields. */
async function mappingFor(tx: Tx, run: StageRun, row: ImportRow) {
  const [found] = await findCollection(tx, { account_id: run.accountId, id: row.collection_id });
  const collection = found && (await uncachedView(run.access).read(tx, run.accountId, found));
  if (!collection) throw collectionDeleted();
  const faults: Fault[] = [];
  const mapping = row.mapping && resolveMapping(collection, row.mapping, row.columns?.length ?? 0, faults);
  if (!mapping || faults.length > 0) {
    const detail = 'The fields of the collection have changed since the dry run. Map the columns again.';
    throw new StageError('mapping_outdated', detail);
  }
  return { ...mapping, collection };
}

/** @param previous the matcher for earlier fields */
async function matcherFor(
  tx: Tx,
  run: StageRun,
  row: ImportRow,
  detected: DetectedFormats,
  previous?: RowMatcher,
): Promise<RowMatcher> {
  const { collection, ...resolved } = await mappingFor(tx, run, row);
  const mapping = withFormats(resolved, detected);
  return previous?.withFields(collection, mapping) ?? new RowMatcher(run.accountId, collection, mapping, run.publicUrl);
}

export const collectionDeleted = () =>
  new StageError('collection_deleted', 'The collection was deleted. Restore it to continue.');

interface Batch {
  rows: FileRow[];
  number: number;
  rowsRead: number;
  isDone: boolean;
}

/** Collects rows, and commits them batch by batch. */
class Batches {
  /** Of the committed batches. */
  counts: RowCounts;
  readonly #db: Database;
  readonly #run: StageRun;
  readonly #import: ImportRow;
  readonly #isDryRun: boolean;
  readonly #detected: DetectedFormats;
  #matcher: RowMatcher;
  /** The number of the next batch. */
  #next: number;
  /** The commits of the last batch and of the one before it. */
  #commit: Promise<void> = Promise.resolve();
  #earlierCommit: Promise<void> = Promise.resolve();
  #rows: FileRow[] = [];
  #characters = 0;

  constructor(db: Database, run: StageRun, row: ImportRow, detected: DetectedFormats, matcher: RowMatcher) {
    this.#db = db;
    this.#run = run;
    this.#import = row;
    this.#isDryRun = row.stage === 'dry_run';
    this.#detected = detected;
    this.#matcher = matcher;
    this.counts = (this.#isDryRun ? row.dry_run : row.imported) ?? NO_ROWS;
    this.#next = row.batches_done;
  }

  /** @returns whether the batch is full */
  add(row: FileRow): boolean {
    if (row.cells.every((cell) => cell.trim() === '')) return false;
    const identified = this.#matcher.identify(row);
    const isCommitted = row.row - 1 <= this.#import.rows_read;
    if (isCommitted) return false;
    this.#rows.push(identified);
    for (const cell of row.cells) this.#characters += cell.length;
    return this.#rows.length >= BATCH_ROWS || this.#characters >= BATCH_CHARACTERS;
  }

  /**
   * Commits the collected rows. Resolves when the next batch may start: once this one has locked its entries, so that batches
   * which meet in an entry change it in their order.
   * @param rowsRead the rows of the file that are done after this batch
   */
  async commit(rowsRead: number, isDone: boolean): Promise<void> {
    await this.#earlierCommit;
    const { promise: evaluated, resolve: onEvaluated } = Promise.withResolvers<void>();
    const previous = this.#commit;
    const batch = { rows: this.#rows, number: this.#next++, rowsRead, isDone };
    this.#rows = [];
    this.#characters = 0;
    const commit = this.#write(batch, previous, onEvaluated);
    commit.catch(() => {});
    this.#earlierCommit = previous;
    this.#commit = commit;
    await (isDone ? commit : Promise.race([commit, evaluated]));
  }

  async #write(
    { rows, number, rowsRead, isDone }: Batch,
    previous: Promise<void>,
    onEvaluated: () => void,
  ): Promise<void> {
    const { accountId: account_id, importId } = this.#run;
    this.counts = await this.#db.transaction(async (tx) => {
      const matcher = await this.#refreshFields(tx);
      const outcomes = await matcher.evaluate(tx, rows, !this.#isDryRun);
      // Batches that use the same file would wait for each other.
      if (matcher.usesFiles) await previous;
      else onEvaluated();
      const writing = batchWriting(this.#run, this.#import);
      const writes = this.#isDryRun ? NO_WRITES : await matcher.write(tx, outcomes, writing);
      await previous;
      await lockRun(tx, this.#run, { batches_done: number });
      const counts = addCounts(this.counts, outcomes);
      const results = outcomes.map(resultOf).join('');
      await insertBatch(tx, { account_id, import_id: importId, stage: this.#import.stage, number, results, ...writes });
      await saveProgress(tx, {
        account_id,
        id: importId,
        batches_done: number + 1,
        rows_read: rowsRead,
        is_stage_done: isDone,
        counts: JSON.stringify(counts),
      });
      return counts;
    });
  }

  /** Locks the fields until the transaction ends, and adapts to them if they have changed. */
  async #refreshFields(tx: Tx): Promise<RowMatcher> {
    const [locked] = await shareLockCollection(tx, {
      account_id: this.#run.accountId,
      id: this.#import.collection_id,
    });
    if (!locked) throw collectionDeleted();
    if (locked.version !== this.#matcher.version) {
      this.#matcher = await matcherFor(tx, this.#run, this.#import, this.#detected, this.#matcher);
    }
    return this.#matcher;
  }
}

function resultOf({ row, outcome, entryId, errors }: RowOutcome): string {
  const codes = errors.map(({ field, code }) => (field === null ? code : `${field}: ${code}`)).join('; ');
  return resultLine(row, outcome, entryId, codes, errors.map(detailOf).join(' '));
}

function detailOf({ detail, column, value }: FieldError): string {
  return column === undefined ? detail : `${detail} (column ${column}: "${value}")`;
}

function addCounts(before: RowCounts, outcomes: readonly RowOutcome[]): RowCounts {
  const counts = { ...before, errors: [...before.errors] };
  for (const { outcome, row, errors } of outcomes) {
    counts.rows++;
    counts[outcome]++;
    for (const error of errors) if (counts.errors.length < LIMITS.errors) counts.errors.push({ row, ...error });
  }
  return counts;
}
