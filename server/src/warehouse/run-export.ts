import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CredentialStore } from '../destinations/index.ts';
import { type DayDatasetName, type DayFile, runDays } from '../exports/index.ts';
import type { Storage } from '../files/index.ts';
import { JobError, type JobHandler, type JobRun } from '../jobs/index.ts';
import type { Deps } from '../shared/deps.ts';
import { newUuid, parseId } from '../shared/ids.ts';
import type { MayConnect } from '../shared/outbound/connect-policy.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { SecretUnreadable } from '../shared/secrets/vault.ts';
import { MINUTE } from '../shared/units.ts';
import { bucketOf, storageFailure } from './bucket.ts';
import { DATASET_NAMES } from './contract.ts';
import { exportFailed } from './health.ts';
import { fileKey, publish } from './manifest.ts';
import {
  beginRun,
  countChange,
  deleteFile,
  findCurrentFiles,
  findLeftFiles,
  findState,
  holdRun,
  insertFiles,
  promoteFiles,
  recordManifest,
  recordSuccess,
  retireFiles,
  type WarehouseRow,
} from './queries.ts';

export const EXPORT_JOB = 'export_warehouse';

export interface ExportParams {
  warehouseId: string;
}

export const EVERY_MS = 30 * MINUTE;
const BEAT_MS = 5 * MINUTE;
/** A query that read the manifest before may still read replaced files. */
const REPLACED_MS = 25 * MINUTE;
/** A process that believes to own a run may upload its files for so long. */
const ABANDONED_MS = 60 * MINUTE;
/** Rows that are written before they are uploaded: it bounds the disk that is needed, and what is written again after a kill. Each step reads all digests. */
const STEP_ROWS = 12_000_000;
const UPLOADS = 4;

/**
 * Runs the jobs of type `export_warehouse`: makes the bucket what the database is now, dataset by dataset. After a kill the next run
 * continues, as what is in the bucket is known by its digests.
 */
export function exportHandler(
  deps: Deps,
  files: Storage,
  store: CredentialStore,
  mayConnect: MayConnect,
  stepRows = STEP_ROWS,
): JobHandler {
  const { db, clock, config } = deps;
  return {
    async run(job) {
      const startedAt = clock();
      const { warehouseId } = job.params as ExportParams;
      const [warehouse] = await beginRun(db, { account_id: job.accountId, id: parseId('whs', warehouseId) ?? '' });
      if (!warehouse) throw new JobError('warehouse_deleted', 'The warehouse was deleted.');
      const run = new Run(deps, warehouse, job);
      // No other run begins while this one lives, however long an upload takes.
      const beat = setInterval(() => run.postpone().catch(() => {}), BEAT_MS).unref();
      const folder = join(files.uploadsFolder, `${job.accountId}.${randomUUID()}`);
      try {
        await mkdir(folder, { recursive: true });
        const secret = (await store.open(db, warehouse)).secretAccessKey ?? '';
        const bucket = bucketOf(warehouse, secret, mayConnect, config.dataDir);
        try {
          const chosen = DATASET_NAMES.filter((name) => warehouse.datasets.includes(name));
          const exported: Record<string, { days: number; rows: number }> = {};
          for (const [i, dataset] of chosen.entries()) {
            const report = (share: number) => job.report((i + share) / chosen.length);
            exported[dataset] = await exportDataset(run, bucket.storage, dataset, folder, report);
            report(1);
          }
          await recordSuccess(db, {
            ...run.key,
            fence: warehouse.fence,
            next: new Date(startedAt + EVERY_MS),
            now: new Date(clock()),
          });
          return { exported };
        } finally {
          bucket.close();
        }
      } catch (error) {
        const failure =
          error instanceof SecretUnreadable
            ? { words: 'The secret cannot be decrypted. Enter it again.', isRefused: true }
            : storageFailure(error);
        if (failure === undefined || job.signal.aborted) throw error;
        await exportFailed(deps, warehouse, failure);
        throw new JobError(failure.isRefused ? 'bucket_refused' : 'bucket_unavailable', failure.words, {
          cause: error,
        });
      } finally {
        clearInterval(beat);
        await rm(folder, { recursive: true, force: true });
      }
    },
  };

  async function exportDataset(
    run: Run,
    storage: Storage,
    dataset: DayDatasetName,
    folder: string,
    report: (share: number) => void,
  ) {
    const of = { ...run.of, dataset };
    const { accountId, signal } = run.job;
    await deleteLeftFiles(run, storage, dataset);
    let [days, rows, isDone] = [0, 0, false];
    while (!isDone) {
      signal.throwIfAborted();
      const known = await findCurrentFiles(db, of);
      const plan = { accountId, dataset, known, from: run.warehouse.starts_on, folder, maxRows: stepRows };
      const written = await runDays(deps, plan, signal, (share) => report(0.5 * share));
      isDone = written.left.days === 0;
      days += written.files.length;
      rows += written.files.reduce((sum, file) => sum + file.rows, 0);
      if (written.files.length > 0) await storeDays(run, storage, dataset, written.files);
      report(rows / (rows + written.left.rows + 1));
    }
    const [state] = await findState(db, of);
    if (state && state.sequence !== state.published) {
      const { sequence } = state;
      // Under the lock of the warehouse, so that no later run writes a manifest meanwhile.
      await run.write(async (tx) => {
        await publish(storage, run.warehouse, dataset, sequence, await findCurrentFiles(tx, of), folder);
        await recordManifest(tx, { ...of, sequence, now: new Date(clock()) });
      });
    }
    return { days, rows };
  }

  /** Uploads files of days, which then together become those of their days. */
  async function storeDays(run: Run, storage: Storage, dataset: DayDatasetName, written: readonly DayFile[]) {
    const of = { ...run.of, dataset };
    const files = written.map((file) => ({ ...file, id: newUuid(clock()) }));
    await run.write((tx) => insertFiles(tx, { ...of, files, now: new Date(clock()) }));
    const pending = files[Symbol.iterator]();
    const upload = async () => {
      for (const { id, day, path } of pending) {
        run.job.signal.throwIfAborted();
        await storage.put(path, fileKey(dataset, day, id), PARQUET);
        await rm(path, { force: true });
      }
    };
    await Promise.all(Array.from({ length: UPLOADS }, upload));
    await run.write(async (tx) => {
      await retireFiles(tx, { ...of, days: files.map(({ day }) => day) });
      await promoteFiles(tx, { ...run.of, ids: files.map(({ id }) => id) });
      await countChange(tx, of);
    });
  }

  async function deleteLeftFiles({ of }: Run, storage: Storage, dataset: DayDatasetName): Promise<void> {
    const now = clock();
    const retired_before = new Date(now - REPLACED_MS);
    const written_before = new Date(now - ABANDONED_MS);
    for (const { id, day } of await findLeftFiles(db, { ...of, dataset, retired_before, written_before })) {
      await storage.delete(fileKey(dataset, day, id));
      await deleteFile(db, { ...of, id });
    }
  }
}

const PARQUET = 'application/vnd.apache.parquet';

/** One start of an export. Its writes are refused once a later one began. */
class Run {
  readonly #deps: Deps;
  readonly warehouse: WarehouseRow;
  readonly job: JobRun;
  readonly key: { account_id: string; id: string };
  readonly of: { account_id: string; warehouse_id: string };

  constructor(deps: Deps, warehouse: WarehouseRow, job: JobRun) {
    this.#deps = deps;
    this.warehouse = warehouse;
    this.job = job;
    const { account_id, id } = warehouse;
    this.key = { account_id, id };
    this.of = { account_id, warehouse_id: id };
  }

  /** Postpones the next run. Returns no row if one began already. */
  postpone(tx: Tx = this.#deps.db) {
    const next = new Date(this.#deps.clock() + EVERY_MS);
    return holdRun(tx, { ...this.key, fence: this.warehouse.fence, next });
  }

  /** @throws JobError if a later run began, or the warehouse was changed or deleted */
  write(work: (tx: Tx) => Promise<unknown>): Promise<unknown> {
    return this.#deps.db.transaction(async (tx) => {
      const [held] = await this.postpone(tx);
      if (!held)
        throw new JobError('superseded', 'A later export of this warehouse began, or its settings were changed.');
      await work(tx);
    });
  }
}
