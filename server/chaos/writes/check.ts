import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { exportKey } from '../../src/exports/export-files.ts';
import { startEmbeddedPostgres } from '../../src/shared/postgres/embedded.ts';
import { stretched } from '../../test/machine.ts';
import { until } from '../../test/until.ts';
import { type Finding, finding } from '../proof.ts';
import { connectTo } from '../support.ts';
import type { Installation } from './installation.ts';
import { sweepFiles } from './sweep.ts';
import { column } from './workload.ts';

/** What killed processes held is delivered when their leases end. */
const DELIVERY_TIMEOUT_MS = 300_000;

/** Stops the service and compares what was acknowledged with what was delivered and what is stored. */
export async function checkWrites(at: Installation): Promise<Finding[]> {
  const { env, service, workloads, eventIds, receiver } = at;
  const isDelivered = () => [...eventIds].every((id) => receiver.delivered.has(id));
  // What is missing is reported below.
  await until(isDelivered, stretched(DELIVERY_TIMEOUT_MS)).catch(() => {});
  service.kill('SIGTERM');
  const { code } = await service.ended;
  // The last of them may be about to end.
  await until(() => processesOf(env.DATA_DIR).length === 0).catch(() => {});
  const processes = processesOf(env.DATA_DIR);
  const database = await startEmbeddedPostgres({ dataDir: env.DATA_DIR, log: () => {} });
  const db = await connectTo(env.DATA_DIR);
  try {
    const findings: Finding[] = [];
    for (const each of workloads) findings.push(...(await each.check(db)));
    findings.push(checkDeliveries(at), ...(await checkFiles(at, db)));
    findings.push(
      finding(
        'the service stops in order, and no process is left',
        `exit code ${code}, ${processes.length} processes`,
        code === 0 && processes.length === 0,
      ),
    );
    return findings;
  } finally {
    await db.end();
    await database.stop();
  }
}

function checkDeliveries({ eventIds, receiver: { delivered } }: Installation): Finding {
  const missing = [...eventIds].filter((id) => !delivered.has(id)).length;
  const ids = [...delivered.values()];
  const renamed = ids.filter(({ size }) => size > 1).length;
  const shared = ids.reduce((sum, { size }) => sum + size, 0) - new Set(ids.flatMap((each) => [...each])).size;
  return finding(
    'every acknowledged event is delivered, under one webhook id of its own',
    `${eventIds.size} acknowledged, ${missing} missing, ${renamed} with several ids, ${shared} shared ids`,
    missing + renamed + shared === 0 && eventIds.size > 0,
  );
}

async function checkFiles({ env }: Installation, db: pg.Client): Promise<Finding[]> {
  const { blobs, temporary } = await sweepFiles(env);
  /** The SHA-256 by the key; null: a poster or an export, whose row has none. */
  const referenced = new Map<string, string | null>();
  const { rows } = await db.query("select storage_key, poster_key, encode(sha256, 'hex') as sha256 from assets");
  for (const { storage_key, poster_key, sha256 } of rows) {
    referenced.set(storage_key, sha256);
    if (poster_key !== null) referenced.set(poster_key, null);
  }
  for (const file of await column(db, "select result->>'file' from jobs where status = 'completed'")) {
    referenced.set(exportKey(file), null);
  }
  const broken = [...referenced].filter(
    ([key, sha256]) => !blobs.has(key) || (sha256 ?? blobs.get(key)) !== blobs.get(key),
  );
  const orphans = [...blobs.keys()].filter((key) => !referenced.has(key));
  const pending = (await db.query('select from orphaned_blobs')).rowCount ?? 0;
  return [
    finding(
      'every asset has its content',
      `${referenced.size} blobs, ${broken.length} missing or wrong`,
      broken.length === 0 && referenced.size > 0,
    ),
    finding(
      'no orphaned file after the sweep',
      `${orphans.length} blobs, ${temporary.length} temporary files, ${pending} rows`,
      orphans.length + temporary.length + pending === 0,
    ),
  ];
}

/** Processes that run on a data folder, by their environment or their arguments. */
function processesOf(dataDir: string): number[] {
  if (process.platform !== 'linux') return [];
  const mentions = (pid: string, file: string) => {
    try {
      return readFileSync(join('/proc', pid, file), 'utf8').includes(dataDir);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  };
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => mentions(pid, 'environ') || mentions(pid, 'cmdline')).map(Number);
}
