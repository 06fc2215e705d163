import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from '../test/at-end.ts';
import { stretched } from '../test/machine.ts';
import { S3_CREDENTIALS, startS3Server } from '../test/s3-server.ts';
import { newDataDir } from '../test/service-process.ts';
import { until } from '../test/until.ts';
import { defineProof, type Finding, finding, sideBySide, skipped } from './proof.ts';
import { checkWrites } from './writes/check.ts';
import { type Response, startClients } from './writes/clients.ts';
import { exportsWorkload } from './writes/exports.ts';
import { install } from './writes/installation.ts';

const NORMAL_MS = 2_000;
/** The full disk is filled up again as often, since the service may free some of it. */
const REFILL_MS = 100;
const CHUNKS = [1_048_576, 4_096];

interface Place {
  megabytes: number;
  /** The folder that gets a disk of its own. */
  folder(dataDir: string): string;
  settings(dataDir: string): Promise<Record<string, string>>;
}

const PLACES = {
  database: {
    megabytes: 700,
    folder: (dataDir) => join(dataDir, 'postgres'),
    settings: async () => ({}),
  },
  // With the exports, and the temporary files of uploads.
  files: {
    megabytes: 200,
    folder: (dataDir) => join(dataDir, 'storage'),
    settings: async (dataDir) => ({ STORAGE_URL: join(dataDir, 'storage') }),
  },
  // Of uploads and exports that are then put into S3.
  'temporary files': {
    megabytes: 200,
    folder: (dataDir) => join(dataDir, 'uploads'),
    async settings() {
      Object.assign(process.env, S3_CREDENTIALS);
      return { STORAGE_URL: (await startS3Server()).url, ...S3_CREDENTIALS };
    },
  },
} satisfies Record<string, Place>;

export const diskFull = defineProof({
  title: 'The disk is full: under the database, under files and exports, under temporary files.',
  parameters: { seconds: 30, heal: 30 },
  async run(parameters, log) {
    if (!canMount()) return [skipped('no false success on a full disk', 'needs root on Linux, to mount small disks')];
    const findings = Object.entries(PLACES).map(
      async ([name, place]): Promise<[string, Finding[]]> => [
        name,
        await survive(place, parameters, (line) => log(`${name}: ${line}`)),
      ],
    );
    return sideBySide(new Map(await Promise.all(findings)));
  },
});

async function survive(
  place: Place,
  { seconds, heal }: { seconds: number; heal: number },
  log: (line: string) => void,
): Promise<Finding[]> {
  const dataDir = newDataDir();
  const disk = mountDisk(place.folder(dataDir), place.megabytes);
  const at = await install(await place.settings(dataDir), dataDir);
  at.workloads.push({ ...exportsWorkload(at.keys), clients: 1 });

  const responses: (Response & { at: number })[] = [];
  const clients = startClients(at, (response) => responses.push({ ...response, at: performance.now() }));
  await sleep(NORMAL_MS);
  // Each workload has something to lose.
  const succeeded = () => new Set(responses.filter(({ status }) => status === 200).map(({ workload }) => workload));
  const { workloads } = at;
  await until(() => succeeded().size === workloads.length && workloads.every(({ hasEnded }) => hasEnded?.() ?? true));
  const fullAt = performance.now();
  disk.fill();
  const refilling = setInterval(() => disk.fill(), REFILL_MS);
  await sleep(seconds * 1_000);
  await until(() => responses.some(({ status, at }) => status === 500 && at > fullAt));
  clearInterval(refilling);
  disk.free();
  const freeAt = performance.now();
  const refusedAt = () => responses.findLast(({ status }) => status !== 200)?.at ?? 0;
  /** When each workload first succeeded, of those that did. */
  const healedAt = () => {
    const since = Math.max(freeAt, refusedAt());
    const healed = Map.groupBy(
      responses.filter((each) => each.at > since),
      ({ workload }) => workload,
    );
    return [...healed.values()].flatMap(([first]) => first?.at ?? []);
  };
  const isHealed = () =>
    healedAt().length === at.workloads.length && performance.now() - Math.max(freeAt, refusedAt()) > NORMAL_MS;
  // What is not healed is reported below.
  await until(isHealed, stretched(heal * 1_000 + NORMAL_MS)).catch(() => {});
  const unexplained = await clients.stop();

  const during = responses.filter((response) => response.at > fullAt && response.at < freeAt);
  const refused = Map.groupBy(
    responses.filter(({ status }) => status !== 200),
    ({ workload, status }) => `${status} for ${workload}`,
  );
  log([...refused].map(([what, { length }]) => `${length} × ${what}`).join(', '));
  const healed = Math.max(0, ...healedAt().map((at) => at - freeAt));
  const missing = at.workloads.length - healedAt().length;
  const examples = unexplained.slice(0, 3).join(', ');
  const refusals = during.filter(({ status }) => status !== 200).length;
  return [
    finding(
      'every request is answered with 200, 429 or 500',
      `${refusals} of ${during.length} refused meanwhile, ${unexplained.length} others ${examples}`,
      unexplained.length === 0 && refusals > 0,
    ),
    finding(
      `everything succeeds again within ${heal} s`,
      `after ${(healed / 1_000).toFixed(1)} s, ${missing} workloads do not`,
      healed <= heal * 1_000 && missing === 0,
    ),
    ...(await checkWrites(at)),
  ];
}

/** A disk of its own under a folder, in memory. */
function mountDisk(folder: string, megabytes: number): { fill(): void; free(): void } {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder]);
  atEnd(() => execFileSync('umount', ['--lazy', folder]));
  const ballast = join(folder, 'ballast');
  return {
    fill() {
      const file = openSync(ballast, 'a');
      try {
        for (const size of CHUNKS) fillBy(file, Buffer.alloc(size));
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast),
  };
}

function fillBy(file: number, chunk: Buffer): void {
  try {
    while (writeSync(file, chunk) === chunk.length);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOSPC') throw error;
  }
}

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'headwater-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
