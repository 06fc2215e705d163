/**
 * Runs the tests: `npm test`, or `npm test -- server/src/content` for some of them. Files that end in `.proof.test.ts` are proofs, which
 * `npm run test:proofs` runs: they start whole services many times, or attack them for long.
 *
 * A file with a failure runs once more at the end, alone, in a process of its own. What passes then is named as flaky, and the run passes;
 * `--no-retry` turns that off. What the run found is in `test-results`.
 *
 * One PostgreSQL for the whole run, with a migrated template that each test file clones. It does not flush to disk; the
 * tests that kill processes start services with servers of their own, which do.
 */
import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec, type TestEvent } from 'node:test/reporters';
import { openDatabase } from '../src/shared/postgres/database.ts';
import { startEmbeddedPostgres } from '../src/shared/postgres/embedded.ts';
import { migrate } from '../src/shared/postgres/migrate.ts';
import { openInstance } from '../src/shared/secrets/instance.ts';
import { GROUP_TIMEOUT_MS, measureMachine, TEST_TIMEOUT_MS } from './machine.ts';
import { type Outcome, Outcomes } from './outcomes.ts';
import { CONCURRENCY, type Program, planRun } from './plan-run.ts';
import { MAX_FLAKY, printResults, saveResults } from './results.ts';
import { printUsage, readUsage } from './slowest.ts';
import { testKeys } from './test-keys.ts';
import { runningSeconds } from './usage.ts';

const ROOT = join(import.meta.dirname, '../..');
const chosen = process.argv.slice(2).filter((each) => !each.startsWith('-'));
const OWN_FLAGS = ['--proofs', '--no-retry'];
const flags = process.argv.slice(2).filter((each) => each.startsWith('-') && !OWN_FLAGS.includes(each));
const isProofs = process.argv.includes('--proofs');
const mayRetry = !process.argv.includes('--no-retry');
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

const machine = measureMachine();
console.log(`This machine takes ${machine.toFixed(1)} times as long as that of the limits.`);
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

// Proofs choose other values in each run.
const choices = process.env.CHOICES ?? String(isProofs ? randomInt(2 ** 31) : 0);
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort());

/** Runs the programs, and prints what their tests do. */
async function runAll(programs: Program[], concurrency: number): Promise<Outcome[]> {
  const results = run({
    files: programs.map(({ path }) => path),
    cwd: ROOT,
    concurrency,
    timeout: GROUP_TIMEOUT_MS * machine,
    execArgv: [`--test-timeout=${TEST_TIMEOUT_MS * machine}`, ...flags],
    signal: stopped.signal,
    env: {
      ...process.env,
      TEST_POSTGRES: JSON.stringify(server.connection),
      NODE_ENV: 'test',
      TEST_RUN: folder,
      TEST_MACHINE: String(machine),
      TMPDIR: folder,
      CHOICES: choices,
      // Every process loads the service, which takes half as long with cached code.
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compile'),
    },
  });
  const outcomes = new Outcomes(programs);
  results.on('data', (event: TestEvent) => outcomes.add(event));
  await pipeline(results, new spec(), process.stdout, { end: false });
  return outcomes.all();
}

let outcomes = await runAll(planRun(ROOT, files, folder), CONCURRENCY);
const failures = outcomes.filter(({ failure }) => failure !== undefined);
// The files of a process that ended early have one failure.
const causes = new Set(failures.map(({ failure }) => failure)).size;
if (mayRetry && causes > 0 && causes <= MAX_FLAKY && !stopped.signal.aborted) {
  console.log(`\n${failures.map(({ file }) => file).join(', ')}: again, alone.`);
  const again = failures.flatMap(({ file }, i) => {
    const apart = join(folder, `again-${i}`);
    mkdirSync(apart);
    return planRun(ROOT, [file], apart);
  });
  const retried = new Map((await runAll(again, 1)).map((outcome) => [outcome.file, outcome]));
  outcomes = outcomes.map((outcome) => retried.get(outcome.file) ?? outcome);
}
const flaky = failures.filter(({ file }) => outcomes.some((each) => each.file === file && each.failure === undefined));

const shared = runningSeconds();
await server.stop();
const usage = readUsage(folder);
printUsage(ROOT, usage, shared);
const results = saveResults(join(ROOT, 'test-results'), isProofs ? 'proofs' : 'tests', outcomes, flaky, usage);
if (isProofs) console.log(`To choose the same values again: CHOICES=${choices}`);
if (!printResults([results])) process.exitCode = 1;
rmSync(folder, { recursive: true, force: true });
process.exit();
