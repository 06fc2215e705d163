import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const GROUP_SIZE = 8;

/**
 * What tests share a process must leave as it is: memory that they measure, settings, mocks, other processes, and the
 * clock, as a module's ids never go back.
 */
const NEEDS_A_PROCESS = /memoryUsage|process\.(env|kill)|mock\.|spawn\(|fork\(|clock\.now [+*]?=/;

/** Long files first, so that none is left to run alone at the end. */
const ORDER = ['server/test', 'server/chaos', 'dashboard', 'tracker', 'server', ''];

/** One file more than cores, as many wait for other processes. A file with its services and browser takes up to 1 GiB. */
export const CONCURRENCY = Math.max(2, Math.min(availableParallelism() + 1, Math.floor(totalmem() / 2 ** 30)));

/**
 * The files to run, in order. Those of `server/src` that may share a process do, which saves loading the service for each (0.5 s of CPU
 * time): for each group, writes a file that runs them one after the other, each as a suite with its own clean-up.
 */
export function planRun(root: string, files: string[], folder: string): string[] {
  const rank = (file: string) => ORDER.findIndex((prefix) => file.startsWith(prefix));
  const mayShare = (file: string) =>
    file.startsWith('server/src/') && !NEEDS_A_PROCESS.test(readFileSync(join(root, file), 'utf8'));
  const apart = files.filter((file) => !mayShare(file)).sort((a, b) => rank(a) - rank(b));
  const shared = files.filter(mayShare);
  const groups: string[] = [];
  for (let at = 0; at < shared.length; at += GROUP_SIZE) {
    groups.push(writeGroup(root, shared.slice(at, at + GROUP_SIZE), join(folder, `group-${groups.length}.test.mjs`)));
  }
  return [...apart.map((file) => join(root, file)), ...groups];
}

/**
 * A timer keeps the process alive while a suite waits for timers that do not. A process that ends before all its suites
 * fails.
 */
const groupHead = (count: number) => `import { after, describe } from 'node:test';

let left = ${count};
process.on('exit', () => {
  if (left > 0) process.exitCode = 1;
});

const suite = (file, load) =>
  describe(file, async () => {
    const timer = setInterval(() => {}, 1_000);
    after(() => {
      clearInterval(timer);
      left--;
    });
    await load();
  });
`;

function writeGroup(root: string, files: string[], path: string): string {
  const suites = files.map((file) => `await suite('${file}', () => import('${pathToFileURL(join(root, file))}'));\n`);
  writeFileSync(path, groupHead(files.length) + suites.join(''));
  return path;
}
