import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type BatchWriting,
  type Collection,
  collectionOf,
  findCollection,
  isActive,
  shareCollection,
} from '../content/index.ts';
import { holdJob } from '../jobs/index.ts';
import type { Fault } from '../shared/errors.ts';
import type { Database, Tx } from '../shared/postgres/database.ts';
import { LIMITS } from './contract.ts';
import { csvParser, describeFault } from './csv-rows.ts';
import { emptyCounts, type FileRow, RowMatcher, type RowOutcome, resultLine } from './import-batch.ts';
import {
  advance,
  findImportOfJob,
  findPart,
  holdImport,
  type ImportRow,
  insertBatch,
  type RowCounts,
} from './queries.ts';
import { type BoundPlan, bindPlan } from './read-plan.ts';

/** All that a step of an import needs to know; it can be sent to a thread. */
export interface StepRun {
  accountId: string;
  importId: string;
  jobId: string;
  attempt: number;
  publicUrl: string;
  maxRows: number;
  /** How many earlier versions of an entry are kept. */
  keep: number;
}

/** By whom the step's entries are written, and how. */
export function writingOf(
  { accountId, publicUrl, keep }: StepRun,
  { author_kind, author_id }: ImportRow,
): BatchWriting {
  const author = { accountId, kind: author_kind ?? 'command', id: author_id, address: null };
  return { author, now: Date.now(), publicUrl, keep };
}

/** Why a step cannot go on, for whoever asked for it. */
export class StepError extends Error {
  readonly code: string;

  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

const BATCH_ROWS = 1_000;
/** Characters; rows may be long. */
const BATCH_SIZE = 2_000_000;

/**
 * Rehearses or imports the rows of a file, some hundred in a transaction that also writes down how far it is: a run that is
 * broken off, whenever that is, goes on behind the last row that was written, and no row is written twice.
 * undefined: the step was done before, and the import has gone on to another.
 * @throws StepError
 */
export async function runRows(
  db: Database,
  run: StepRun,
  report: (progress: number) => void,
): Promise<RowCounts | undefined> {
  const [row] = await findImportOfJob(db, run.accountId, run.importId, run.jobId);
  if (!row) return undefined;
  const rows = new Rows(db, run, row);
  if (row.is_done) return rows.counts;
  await rows.bind(db);
  const parser = csvParser(row.separator ?? ',');
  const feeding = pipeline(Readable.from(readParts(db, run)), parser);
  // It is thrown where the rows are read.
  feeding.catch(() => {});
  try {
    let record = -1;
    for await (const cells of parser as AsyncIterable<string[]>) {
      record++;
      if (record === 0) continue;
      if (record > run.maxRows) throw new StepError('too_many_rows', `A file has at most ${run.maxRows} rows.`);
      if (rows.take({ row: record + 1, cells })) {
        await rows.flush(record, false);
        report(parser.info.bytes / row.bytes);
      }
    }
    await rows.flush(Math.max(record, 0), true);
    return rows.counts;
  } catch (error) {
    const told = describeFault(error);
    throw told === undefined ? error : new StepError('csv_malformed', told);
  }
}

/** The file's bytes, as much at a time as a part has. */
async function* readParts(db: Database, { accountId, importId }: StepRun) {
  for (let number = 0; ; number++) {
    const [part] = await findPart(db, accountId, importId, number);
    if (!part) return;
    yield part.bytes;
  }
}

class Rows {
  counts: RowCounts;
  readonly #db: Database;
  readonly #run: StepRun;
  readonly #import: ImportRow;
  readonly #isReal: boolean;
  #collection: Collection | undefined;
  #matcher: RowMatcher | undefined;
  #batches: number;
  #batch: FileRow[] = [];
  #size = 0;

  constructor(db: Database, run: StepRun, row: ImportRow) {
    this.#db = db;
    this.#run = run;
    this.#import = row;
    this.#isReal = row.step === 'import';
    this.counts = (this.#isReal ? row.imported : row.rehearsal) ?? emptyCounts();
    this.#batches = row.batches;
  }

  /** Reads the collection, and binds the plan to its fields as they are. */
  async bind(tx: Tx): Promise<void> {
    const { accountId } = this.#run;
    const [row] = await findCollection(tx, accountId, this.#import.collection_id);
    if (!row || !isActive(row)) throw new StepError('collection_deleted', 'The collection was deleted.');
    this.#collection = collectionOf(row);
    const faults: Fault[] = [];
    const plan: BoundPlan | null =
      this.#import.plan && bindPlan(this.#collection, this.#import.plan, this.#import.columns?.length ?? 0, faults);
    if (!plan || faults.length > 0) {
      const detail = 'The fields of the collection have changed since the rehearsal: choose the columns again.';
      throw new StepError('plan_outdated', detail);
    }
    if (this.#matcher) this.#matcher.rebind(this.#collection, plan);
    else this.#matcher = new RowMatcher(accountId, this.#collection, plan, this.#run.publicUrl);
  }

  /** @returns whether there are as many as are written at once */
  take(row: FileRow): boolean {
    const matcher = this.#matcher;
    if (!matcher) throw new Error('rows were read before the plan');
    // An empty line is no row of anything.
    if (row.cells.every((cell) => cell === '')) return false;
    const identified = matcher.identify(row);
    if (row.row - 1 <= this.#import.records) return false;
    this.#batch.push(identified);
    for (const cell of row.cells) this.#size += cell.length;
    return this.#batch.length >= BATCH_ROWS || this.#size >= BATCH_SIZE;
  }

  /** Judges what was taken, and writes it. @param records rows of the file that are done with it */
  async flush(records: number, isDone: boolean): Promise<void> {
    const counts = await this.#db.transaction(async (tx) => {
      await this.#hold(tx);
      const matcher = this.#matcher;
      if (!matcher) throw new Error('rows were read before the plan');
      const outcomes = await matcher.judge(tx, this.#batch, this.#isReal);
      const written = this.#isReal ? await matcher.write(tx, outcomes, writingOf(this.#run, this.#import)) : [];
      const counts = countOf(this.counts, outcomes);
      const { accountId, importId } = this.#run;
      await insertBatch(
        tx,
        accountId,
        importId,
        this.#import.step,
        this.#batches,
        outcomes.map(resultLine).join(''),
        written.map(({ id }) => id),
        written.map(({ version }) => version),
        written.map(({ before }) => before),
        written.map(({ row }) => row),
      );
      const both = [this.#isReal ? null : counts, this.#isReal ? counts : null];
      await advance(tx, accountId, importId, this.#batches + 1, records, isDone, ...both, null);
      return counts;
    });
    this.counts = counts;
    this.#batches++;
    this.#batch = [];
    this.#size = 0;
  }

  /** Makes sure, until the transaction ends, that this is the run that goes on, and that the fields stay as they are. */
  async #hold(tx: Tx): Promise<void> {
    const { accountId, importId, jobId } = this.#run;
    await holdRun(tx, this.#run);
    const [held] = await holdImport(tx, accountId, importId, jobId);
    if (held?.batches !== this.#batches) throw new StepError('import_gone', 'Another run has gone on with the import.');
    const [shared] = await shareCollection(tx, accountId, this.#import.collection_id);
    if (!shared) throw new StepError('collection_deleted', 'The collection was deleted.');
    if (shared.version !== this.#collection?.version) await this.bind(tx);
  }
}

/** @throws Error where the job was cancelled, or another process has taken it up */
export async function holdRun(tx: Tx, { accountId, jobId, attempt }: StepRun): Promise<void> {
  const [job] = await holdJob(tx, accountId, jobId, attempt);
  if (!job) throw new StepError('job_lost', 'The job was cancelled, or another process has taken it up.');
}

function countOf(before: RowCounts, outcomes: readonly RowOutcome[]): RowCounts {
  const counts = { ...before, faults: [...before.faults] };
  for (const { does, row, faults } of outcomes) {
    counts.rows++;
    counts[does]++;
    for (const fault of faults) if (counts.faults.length < LIMITS.faults) counts.faults.push({ row, ...fault });
  }
  return counts;
}
