import type { Deps } from '../../shared/deps.ts';
import { unlessBackup } from '../../shared/postgres/backup-lock.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { HOUR } from '../../shared/units.ts';
import { claimBlobs, lockDueBlobs, lockDueBlobsByKey, markOrphaned } from './queries.ts';
import type { Storage } from './storage.ts';

/** Longer than an upload may take: see the server's `requestTimeout`. */
export const UPLOAD_TIMEOUT_MS = 6 * HOUR;
const PAGE_SIZE = 50;

interface BlobDeps extends Pick<Deps, 'db' | 'clock' | 'log'> {
  storage: Storage;
}

/** Deletes those of the blobs that are orphaned and due. */
async function deleteDueBlobs(deps: BlobDeps, accountId: string, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  await deps.db.transaction(async (tx) => {
    const due = await unlessBackup(
      tx,
      lockDueBlobsByKey(tx, { account_id: accountId, keys, now: new Date(deps.clock()) }),
    );
    await deleteLocked(tx, deps.storage, accountId, due);
  });
}

/** Deletes orphaned blobs after a commit. What fails is retried by the worker. */
export async function deleteBlobsOrWarn(deps: BlobDeps, accountId: string, keys: string[]): Promise<void> {
  await deleteDueBlobs(deps, accountId, keys).catch((error) =>
    deps.log.warn({ err: error }, 'deleting orphaned blobs failed and will be retried'),
  );
}

/** Deletes blobs that were, or were to be, written for an asset that was not inserted. */
export async function discardBlobs(deps: BlobDeps, accountId: string, keys: string[]): Promise<void> {
  await markOrphaned(deps.db, { account_id: accountId, keys, delete_after: new Date(deps.clock()) });
  await deleteBlobsOrWarn(deps, accountId, keys);
}

/** Deletes every orphaned blob that is due. Any number of processes may run it concurrently. */
export async function deleteAllDueBlobs(deps: BlobDeps): Promise<void> {
  for (let isLast = false; !isLast; ) {
    isLast = await deps.db.transaction(async (tx) => {
      const due = await unlessBackup(tx, lockDueBlobs(tx, { now: new Date(deps.clock()), max: PAGE_SIZE }));
      for (const { account_id, storage_key } of due)
        await deleteLocked(tx, deps.storage, account_id, [{ storage_key }]);
      return due.length < PAGE_SIZE;
    });
  }
}

/** The rows are locked while their blobs are deleted, which prevents an upload from claiming them. */
async function deleteLocked(tx: Tx, storage: Storage, account_id: string, rows: { storage_key: string }[]) {
  for (const { storage_key } of rows) await storage.delete(storage_key);
  if (rows.length > 0) await claimBlobs(tx, { account_id, keys: rows.map((row) => row.storage_key) });
}
