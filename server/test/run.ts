/**
 * Runs the tests: `npm test`, or `npm test -- server/src/content` for some of them.
 *
 * One PostgreSQL for the whole run, with a migrated template that each test file clones. It does not flush to disk; the
 * tests that kill processes start services with servers of their own, which do.
 */
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { openDatabase } from '../src/shared/postgres/database.ts';
import { startEmbeddedPostgres } from '../src/shared/postgres/embedded.ts';
import { migrate } from '../src/shared/postgres/migrate.ts';

const ROOT = join(import.meta.dirname, '../..');
const chosen = process.argv.slice(2).filter((each) => !each.startsWith('-'));
const flags = process.argv.slice(2).filter((each) => each.startsWith('-'));
const all = globSync(['server/{chaos,src,test}/**/*.test.ts', '{tracker,sdk,dashboard}/test/*.test.ts'], {
  cwd: ROOT,
}).sort();
const isChosen = (file: string) => chosen.some((each) => file.includes(relative(ROOT, join(ROOT, each))));
// Other files, such as the screenshots, run when they are named in full.
const named = chosen.filter((each) => each.endsWith('.ts') && !all.includes(each) && existsSync(join(ROOT, each)));
const files = chosen.length === 0 ? all : [...all.filter(isChosen), ...named];
if (files.length === 0) {
  console.error('no test file fits');
  process.exit(1);
}

const dataDir = mkdtempSync(join(tmpdir(), 'headwater-test-'));
const server = await startEmbeddedPostgres({
  dataDir,
  log: (level, message) => level === 'info' || console.error(message),
  settings: {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
    shared_buffers: '256MB',
    // Some tests drop a database with open connections.
    log_min_messages: 'panic',
  },
});
const template = openDatabase(server.connection, 4, () => {});
await migrate(template);
await template.query('create database headwater_cell');
await template.close();
const cellTemplate = openDatabase({ ...server.connection, database: 'headwater_cell' }, 1, () => {});
await migrate(cellTemplate, 'cell');
await cellTemplate.close();

const child = spawn(
  process.execPath,
  [
    '--test',
    '--test-timeout=300000',
    `--test-concurrency=${Math.max(2, availableParallelism() - 1)}`,
    ...flags,
    ...files,
  ],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      TEST_POSTGRES: JSON.stringify(server.connection),
      NODE_ENV: 'test',
      // Every file loads the service, which takes half as long with cached code.
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compile'),
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
const code = await new Promise<number>((resolve) => child.once('exit', (status) => resolve(status ?? 1)));
await server.stop();
rmSync(dataDir, { recursive: true, force: true });
process.exit(code);
