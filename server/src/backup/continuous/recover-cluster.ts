import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Storage } from '../../files/index.ts';
import { ConfigError } from '../../shared/config.ts';
import { tryLock } from '../../shared/data-lock.ts';
import {
  type ClusterFolders,
  configure,
  giveTo,
  prepareFolders,
  superuserConnection,
} from '../../shared/postgres/cluster-files.ts';
import { isReady } from '../../shared/postgres/embedded.ts';
import { collect, run } from '../../shared/postgres/server-process.ts';
import { readArchive } from '../archive.ts';
import { readAll } from '../read-all.ts';
import { readBlob } from '../repository.ts';
import { type Base, baseKey, type Chain } from './chain.ts';
import { LogReader } from './log-reader.ts';

export interface Recovery {
  storage: Storage;
  chain: Chain;
  baseName: string;
  base: Base;
  identity: string | undefined;
  /** undefined: to the end of the log. */
  to: Date | undefined;
}

/**
 * Recovers a cluster into an empty DATA_DIR: a copy, and the log up to a time. The cluster gets its name when it is complete,
 * so an interrupted recovery can be repeated.
 * @throws ConfigError if the folder has a database or is in use
 */
export async function recoverCluster(dataDir: string, recovery: Recovery): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const locks = ['service.lock', 'postgres.lock'].map((name) => tryLock(join(dataDir, name)));
  try {
    if (locks.includes(undefined)) throw new ConfigError(`DATA_DIR ${dataDir} is in use: stop its service first`);
    const folders = prepareFolders(dataDir);
    if (existsSync(folders.cluster))
      throw new ConfigError('The database is not empty. Restore into an empty DATA_DIR.');
    const draft = { ...folders, cluster: join(folders.root, 'cluster.restored') };
    rmSync(draft.cluster, { recursive: true, force: true });
    await extractBase(draft, recovery);
    await recover(draft, dataDir, recovery);
    renameSync(draft.cluster, folders.cluster);
  } finally {
    for (const lock of locks) lock?.release();
  }
}

async function extractBase(
  folders: ClusterFolders,
  { storage, chain, baseName, base, identity }: Recovery,
): Promise<void> {
  const { cluster, owner } = folders;
  const makeFolder = (path: string) => {
    mkdirSync(path, { mode: 0o700 });
    giveTo(owner, path);
  };
  makeFolder(cluster);
  const key = baseKey(chain.id, baseName, base.isEncrypted);
  let hasLabel = false;
  for await (const { name, content } of readArchive(await readBlob(storage, key, base.bytes), identity)) {
    if (name === 'folders.json') {
      for (const folder of JSON.parse((await readAll(content)).toString('utf8'))) makeFolder(inside(cluster, folder));
      continue;
    }
    const path = name === 'backup_label' ? join(cluster, name) : inside(cluster, name.replace(/^cluster\//, ''));
    hasLabel ||= name === 'backup_label';
    await pipeline(Readable.from(content), createWriteStream(path, { mode: 0o600 }));
    giveTo(owner, path);
  }
  // Without it the server would take the copy for a cluster that needs no log.
  if (!hasLabel) throw new ConfigError(`The backup ${key} is incomplete.`);
}

function inside(cluster: string, name: string): string {
  const path = join(cluster, name);
  if (!path.startsWith(`${cluster}/`)) throw new ConfigError(`The backup has a file with the invalid name ${name}.`);
  return path;
}

async function recover(
  folders: ClusterFolders,
  dataDir: string,
  { chain, storage, identity, to }: Recovery,
): Promise<void> {
  const { cluster, owner, root } = folders;
  const spool = join(root, 'recovery');
  rmSync(spool, { recursive: true, force: true });
  const reader = new LogReader(chain, storage, identity, spool, owner);
  await reader.prepare();
  const stopping = new AbortController();
  let failure: unknown;
  const serving = reader.serve(stopping.signal).catch((error: unknown) => {
    failure = error;
  });
  const attempt = (target: Record<string, string>) =>
    runRecovery(folders, dataDir, { restore_command: reader.command, ...target }, () => failure);
  try {
    try {
      await attempt(
        to
          ? {
              recovery_target_time: to.toISOString().replace('T', ' ').replace('Z', '+00'),
              recovery_target_action: 'promote',
            }
          : {},
      );
    } catch (error) {
      // The archived log reaches to the time, and has no transaction after it: its end is the state at that time.
      if (failure || !/before configured recovery target was reached/.test((error as Error).message)) throw error;
      await attempt({});
    }
  } finally {
    stopping.abort();
    await serving;
    rmSync(spool, { recursive: true, force: true });
  }
  writeFileSync(join(cluster, 'postgresql.auto.conf'), '', { mode: 0o600 });
  giveTo(owner, join(cluster, 'postgresql.auto.conf'));
}

async function runRecovery(
  folders: ClusterFolders,
  dataDir: string,
  target: Record<string, string>,
  failure: () => unknown,
): Promise<void> {
  const { native, cluster, owner } = folders;
  configure(folders, {
    recovery_target_timeline: 'current',
    // Nobody can connect before the recovery is done.
    hot_standby: 'off',
    ...target,
  });
  const signal = join(cluster, 'recovery.signal');
  writeFileSync(signal, '', { mode: 0o600 });
  giveTo(owner, signal);
  const { child, exited } = run(join(native, 'bin', 'postgres'), ['-D', cluster], cluster, owner);
  const output = collect(child);
  let hasExited = false;
  exited.then(() => {
    hasExited = true;
  });
  while (!hasExited && !failure()) {
    if (await isReady(superuserConnection(dataDir), 'postgres')) break;
    await sleep(50);
  }
  if (!hasExited) child.kill(failure() ? 'SIGQUIT' : 'SIGINT');
  await exited;
  if (failure()) throw failure();
  if (child.exitCode !== 0) throw new Error(`PostgreSQL could not be recovered: ${output().trim()}`);
}
