/**
 * `npm run test:cluster [-- path …]` runs the tests that send requests, and those of moves, with every account in a schema of a server that is
 * running: once for each of `CITUS_URL`, the coordinator of a Citus cluster, and `PLAIN_URL`. See docs/scaling.md for how to start them.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** What these test is in the main database, in a service with a database of its own, or needs a build. */
const APART =
  /backup|restore|doctor|embedded|upgrade|package|deploy|releases\.test|plans\.test|importers|demo|logs\.test|how-to/;

const chosen = process.argv.slice(2).map((path) => relative(ROOT, join(ROOT, path)));
const files = globSync('server/{src,test}/**/*.test.ts', { cwd: ROOT })
  .filter((file) => (chosen.length === 0 ? !APART.test(file) : chosen.some((path) => file.includes(path))))
  .filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('testService('))
  .sort();

const servers = (['CITUS_URL', 'PLAIN_URL'] as const).flatMap((name) => {
  const url = process.env[name];
  return url === undefined || url === '' ? [] : [{ name, url }];
});
if (servers.length === 0) {
  console.error('Set CITUS_URL or PLAIN_URL, or both.');
  process.exit(2);
}
for (const { name, url } of servers) {
  console.log(`Accounts in schemas of ${name}, ${files.length} files`);
  const { status } = spawnSync(process.execPath, [join(ROOT, 'server/test/run.ts'), ...files], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, TEST_CELL_SERVER: url },
  });
  if (status !== 0) process.exitCode = 1;
}
