import { join } from 'node:path';
import pg from 'pg';
import { listAssetBlobsSince } from '../../files/index.ts';
import type { Deps, Worker } from '../../shared/deps.ts';
import { MAIN } from '../../shared/main-cell.ts';
import { embeddedConnection, superuserConnection } from '../../shared/postgres/cluster-files.ts';
import { runInThread } from '../../shared/run-in-thread.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../shared/units.ts';
import { workerLoop } from '../../shared/worker-loop.ts';
import { Attempts } from '../attempts.ts';
import type { Failing } from '../contract.ts';
import type { ListedBlob } from '../copy-files.ts';
import { openRepository } from '../repository.ts';
import { archiveLog, countWaitingBytes, dropSlots, type LogArchive, openChain } from './archive-log.ts';
import { listChains, readBase, timeName } from './chain.ts';
import type { CopyPlan } from './copy-cluster.ts';
import { applyContinuousRetention } from './retention.ts';

const COPY_SCRIPT = new URL('./copy-thread.ts', import.meta.url);
const COPY_THREAD = { name: 'copy cluster', heapMb: 256 };
const CHECK_INTERVAL_MS = 5 * MINUTE;
/** Transactions are committed some time after the time that their rows contain. */
const LATE_MS = MINUTE;

/**
 * Archives the log of the embedded database to BACKUP_URL all the time, and copies the cluster whenever its newest copy is
 * old enough, so that the database can be restored as it was at any time.
 */
export function continuousBackups(deps: Deps): { workers: Worker[]; failing: () => Failing | null } {
  const { config, db, log, metrics, clock, secret } = deps;
  const { dataDir, storageUrl } = config;
  const { url, everyHours, recipient, continuous } = config.backup;
  // Tests run on another server.
  const none = { workers: [], failing: () => null };
  if (config.databaseUrl !== undefined || db.connection.host !== embeddedConnection(dataDir).host) return none;
  const connection = superuserConnection(dataDir);
  if (url === undefined || continuous === undefined) return { ...none, workers: [dropLeftSlots(deps, connection)] };

  const repository = openRepository(url, dataDir);
  const archive: LogArchive = { repository, recipient, cluster: join(dataDir, 'postgres/cluster') };
  let chain: string | undefined;
  let until = 0;
  let waiting = 0;
  const copies = new Attempts(clock, CHECK_INTERVAL_MS);
  const failures = metrics.counter(
    'headwater_backup_log_failures_total',
    'Attempts to archive the log of the database that failed',
  );
  const gaps = metrics.counter(
    'headwater_backup_log_gaps_total',
    'Times that the log of the database was not archived without a gap',
  );
  metrics.gauge(
    'headwater_backup_log_until_timestamp_seconds',
    'Everything that was committed before this time is in the archived log',
    () => until / 1000,
  );
  metrics.gauge('headwater_backup_log_waiting_bytes', 'Log that was not archived by the last run', () => waiting);

  async function archiveOnce(): Promise<void> {
    const client = new pg.Client(connection);
    client.on('error', () => {});
    try {
      await client.connect();
      waiting = await countWaitingBytes(client);
      const now = clock();
      const opened = await openChain(client, archive, now);
      if (opened.hasGap) {
        gaps.inc();
        log.warn('the archived log of the database has a gap; copying the cluster again');
      }
      if (opened.chain !== chain) copies.dueNow();
      chain = opened.chain;
      // Files first: what the archived log refers to must be there.
      await storeNewFiles(chain, new Date(opened.until - LATE_MS), now);
      until = Date.parse((await archiveLog(client, archive, chain, now)).until);
      waiting = await countWaitingBytes(client);
      copying.wake();
    } catch (error) {
      failures.inc();
      throw error;
    } finally {
      await client.end().catch(() => {});
    }
  }

  async function storeNewFiles(chain: string, since: Date, now: number): Promise<void> {
    const rows = await listAssetBlobsSince(db, { since });
    if (rows.length > 0) {
      // Loaded on demand.
      const { storeBlobs } = await import('./copy-cluster.ts');
      await repository.withSpool((folder) =>
        storeBlobs(
          repository,
          folder,
          { chain, name: timeName(new Date(now)), recipient, secret, dataDir, storageUrl },
          listed(rows),
        ),
      );
    }
  }

  async function copyIfDue(chain: string, signal: AbortSignal): Promise<void> {
    const bases = (await listChains(repository.storage)).find(({ id }) => id === chain)?.bases ?? [];
    const newest = bases.at(-1);
    const base = newest === undefined ? undefined : await readBase(repository.storage, chain, newest);
    if (base && clock() - Date.parse(base.startedAt) < everyHours * HOUR) return;
    const plan: CopyPlan = { connection, chain, target: url ?? '', recipient, secret, dataDir, storageUrl };
    try {
      const { bytes } = await runInThread<{ bytes: number }>(COPY_SCRIPT, plan, COPY_THREAD, signal, () => {});
      log.info({ bytes }, 'the database was copied for continuous backups');
      await applyContinuousRetention(repository, continuous?.days ?? 1, clock());
    } catch (error) {
      if (!signal.aborted) failures.inc();
      throw error;
    }
  }

  const archiving = workerLoop({
    name: 'archive the log of the database',
    log,
    everyMs: continuous.everySeconds * 1_000,
    runAtStart: true,
    run: archiveOnce,
  });
  const copying = workerLoop({
    name: 'copy the database',
    log,
    everyMs: 5 * SECOND,
    run: async (signal) => chain !== undefined && copies.run(() => copyIfDue(chain ?? '', signal)),
  });
  return { workers: [archiving, copying], failing: () => copies.failing };
}

/** Continuous backups were switched off: the server must not keep its log for them. */
function dropLeftSlots({ log }: Deps, connection: pg.ClientConfig): Worker {
  return workerLoop({
    name: 'delete the replication slot of continuous backups',
    log,
    everyMs: DAY,
    runAtStart: true,
    async run() {
      const client = new pg.Client(connection);
      await client.connect();
      await dropSlots(client).finally(() => client.end());
    },
  });
}

async function* listed(rows: Awaited<ReturnType<typeof listAssetBlobsSince>>): AsyncGenerator<ListedBlob> {
  for (const { storage_key: key, media_type: mediaType, sha256, bytes } of rows) {
    const size = bytes === null ? null : Number(bytes);
    yield { cell: MAIN, key, mediaType, sha256: sha256?.toString('hex') ?? null, bytes: size };
  }
}
