import { mkdirSync } from 'node:fs';
import { cellConnections } from '../cells/index.ts';
import type { Config } from '../shared/config.ts';
import type { Deps, Worker } from '../shared/deps.ts';
import type { Queue } from '../shared/queue.ts';
import { runInThread } from '../shared/run-in-thread.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../shared/units.ts';
import { workerLoop } from '../shared/worker-loop.ts';
import { Attempts } from './attempts.ts';
import type { Failing } from './contract.ts';
import type { BackupResult } from './format.ts';
import { openRepository, type StoredBackup } from './repository.ts';
import type { BackupPlan } from './write-backup.ts';

const SCRIPT = new URL('./backup-thread.ts', import.meta.url);
const THREAD = { name: 'backup', heapMb: 256 };
const CHECK_INTERVAL_MS = 5 * MINUTE;

/** The newest backup at BACKUP_URL. */
export async function newestBackup({ backup, dataDir }: Config): Promise<StoredBackup | undefined> {
  return backup.url === undefined ? undefined : (await openRepository(backup.url, dataDir).list())[0];
}

/**
 * Backs up to BACKUP_URL whenever its newest backup is old enough, in a thread. The processes of a service check
 * independently; a lock in the database lets one of them do it.
 */
export function scheduledBackups({ config, control, secret, log, metrics, clock }: Deps): {
  workers: Worker[];
  queues: Queue[];
  failing: () => Failing | null;
} {
  const { url, everyHours, keep, recipient } = config.backup;
  if (url === undefined) return { workers: [], queues: [], failing: () => null };
  const { storageUrl, dataDir } = config;
  let newest = { createdAt: 0, bytes: 0 };
  let lacking = 0;
  const startedAt = clock();
  const attempts = new Attempts(clock, CHECK_INTERVAL_MS);
  /** Whether this process or another one makes a backup, which may take long. */
  let isRunning = false;
  const failures = metrics.counter('headwater_backup_failures_total', 'Scheduled backups that failed in this process');
  metrics.gauge(
    'headwater_backup_last_success_timestamp_seconds',
    'Time of the newest backup at BACKUP_URL, 0 if there is none',
    () => newest.createdAt / 1000,
  );
  metrics.gauge(
    'headwater_backup_damaged_items',
    'Cells and files that are missing from the newest backup of this process',
    () => lacking,
  );
  metrics.gauge('headwater_backup_size_bytes', 'Size of the newest archive at BACKUP_URL', () => newest.bytes);

  async function run(signal: AbortSignal): Promise<void> {
    const plan: BackupPlan = {
      cells: await cellConnections(control, secret),
      storageUrl,
      dataDir,
      target: url ?? '',
      recipient,
      secret,
      keep,
      unlessYoungerThanMs: everyHours * HOUR,
    };
    try {
      const find = async () => {
        const found = await newestBackup(config);
        if (found) newest = { createdAt: found.createdAt.getTime(), bytes: found.bytes };
      };
      await find();
      isRunning = false;
      if (clock() - newest.createdAt < everyHours * HOUR) return;
      // A folder that does not exist would be taken for a file.
      if (!plan.target.startsWith('s3://')) mkdirSync(plan.target, { recursive: true, mode: 0o700 });
      isRunning = true;
      const result = await runInThread<BackupResult | undefined>(SCRIPT, plan, THREAD, signal, () => {}).finally(() => {
        isRunning = false;
      });
      if (!result) return;
      const { damaged, ...done } = result;
      lacking = damaged.length;
      log.info({ backup: done }, 'a backup was made');
      if (lacking > 0)
        log.error({ damaged: lacking }, 'the backup lacks cells that are away, or files that are missing or damaged');
      await find();
    } catch (error) {
      isRunning = /another backup of this database is running/.test((error as Error).message);
      if (isRunning) return;
      if (!signal.aborted) failures.inc();
      throw error;
    }
  }
  const queue: Queue = {
    name: 'backups',
    label: 'Backups',
    tables: [],
    async findOverdue(before) {
      // The first one is due at the start.
      const dueAt = newest.createdAt === 0 ? startedAt : newest.createdAt + everyHours * HOUR;
      const isOverdue = dueAt < before.getTime() - (isRunning ? DAY : 0);
      return isOverdue ? [{ accountId: null, subject: '', since: new Date(dueAt) }] : [];
    },
  };
  const worker = workerLoop({
    name: 'back up',
    log,
    everyMs: 5 * SECOND,
    runAtStart: true,
    run: (signal) => attempts.run(() => run(signal)),
  });
  return { workers: [worker], queues: [queue], failing: () => attempts.failing };
}
