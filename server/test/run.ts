/**
 * Runs the tests: `npm test`, or `npm test -- server/src/content` for some of them. Files that end in `.proof.test.ts` are proofs, which
 * `npm run test:proofs` runs: they start whole services many times, or attack them for long.
 *
 * One PostgreSQL for the whole run, with a migrated template that each test file clones. It does not flush to disk; the
 * tests that kill processes start services with servers of their own, which do.
 */
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { openDatabase } from '../src/shared/postgres/database.ts';
import { startEmbeddedPostgres } from '../src/shared/postgres/embedded.ts';
import { migrate } from '../src/shared/postgres/migrate.ts';
import { openInstance } from '../src/shared/secrets/instance.ts';
import { CONCURRENCY, GROUP_TIMEOUT_MS, planRun } from './plan-run.ts';
import { printSlowest } from './slowest.ts';
import { testKeys } from './test-keys.ts';
import { runningSeconds } from './usage.ts';

const ROOT = join(import.meta.dirname, '../..');
const chosen = process.argv.slice(2).filter((each) => !each.startsWith('-'));
const flags = process.argv.slice(2).filter((each) => each.startsWith('-') && each !== '--proofs');
const isProofs = process.argv.includes('--proofs');
const all = globSync(['server/{chaos,simulate,src,test}/**/*.test.ts', '{tracker,sdk,dashboard}/test/*.test.ts'], {
  cwd: ROOT,
})
  .filter((file) => file.endsWith('.proof.test.ts') === isProofs)
  .sort();
const isChosen = (file: string) => chosen.some((each) => file.includes(relative(ROOT, join(ROOT, each))));
// Others, such as proofs and the screenshots, run when they are named in full.
const named = chosen.filter((each) => each.endsWith('.ts') && !all.includes(each) && existsSync(join(ROOT, each)));
const files = chosen.length === 0 ? all : [...all.filter(isChosen), ...named];
if (files.length === 0) {
  console.error('no test file fits');
  process.exit(1);
}

const folder = temporaryFolder();
const dataDir = join(folder, 'postgres');
mkdirSync(dataDir, { mode: 0o700 });
const server = await startEmbeddedPostgres({
  dataDir,
  log: (level, message) => level === 'info' || console.error(message),
  settings: {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
    shared_buffers: '256MB',
    // Hundreds of databases, of which each lives for seconds.
    autovacuum: 'off',
    // Some tests drop a database with open connections.
    log_min_messages: 'panic',
  },
});
const template = openDatabase(server.connection, 4, () => {});
await migrate(template);
// Each service of a test opens it with this key.
await template.query('update instance set secret = $1', [Buffer.alloc(32, 7)]);
await openInstance(template, testKeys());
await template.query('update instance set seals_version = 1');
await template.query('create database headwater_cell');
await template.close();
const cellTemplate = openDatabase({ ...server.connection, database: 'headwater_cell' }, 1, () => {});
await migrate(cellTemplate, 'cell');
await cellTemplate.close();

/**
 * The folder of all files of this run: in memory where there is room, as every test database is a copy of 700 files and most
 * services start with a new cluster (measured: a quarter less CPU time).
 */
function temporaryFolder(): string {
  const memory = '/dev/shm';
  const hasRoom = existsSync(memory) && freeBytes(memory) >= 4 * 2 ** 30;
  const made = mkdtempSync(join(hasRoom ? memory : tmpdir(), 'headwater-test-'));
  // The user that PostgreSQL runs as passes through it.
  chmodSync(made, 0o711);
  return made;
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort());
const results = run({
  files: planRun(ROOT, files, folder),
  cwd: ROOT,
  concurrency: CONCURRENCY,
  timeout: GROUP_TIMEOUT_MS,
  execArgv: ['--test-timeout=300000', ...flags],
  signal: stopped.signal,
  env: {
    ...process.env,
    TEST_POSTGRES: JSON.stringify(server.connection),
    NODE_ENV: 'test',
    TEST_RUN: folder,
    TMPDIR: folder,
    ...(isProofs && { CHOICES: 'new' }),
    // Every process loads the service, which takes half as long with cached code.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compile'),
  },
});
results.once('test:fail', () => {
  process.exitCode = 1;
});
await pipeline(results, new spec(), process.stdout, { end: false });
const shared = runningSeconds();
await server.stop();
printSlowest(ROOT, folder, shared);
rmSync(folder, { recursive: true, force: true });
process.exit();
