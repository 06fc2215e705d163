import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

const GROUP_SIZE = 8;

/** Files that share a service and a browser: as few processes as keep the cores busy. */
const BROWSER_GROUP_SIZE = 5;

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
  const browsers = files.filter((file) => sharedSetUp(root, file) !== undefined);
  const inBrowser = Object.entries(Object.groupBy(browsers, (file) => sharedSetUp(root, file) ?? ''));
  const apart = files.filter((file) => !mayShare(file) && !browsers.includes(file)).sort((a, b) => rank(a) - rank(b));
  const shared = files.filter(mayShare);
  const groups = (ofFiles: string[], size: number, name: string, setUp?: string) =>
    Array.from({ length: Math.ceil(ofFiles.length / size) }, (_, i) =>
      writeGroup(root, ofFiles.slice(i * size, (i + 1) * size), join(folder, `${name}-${i}.test.mjs`), setUp),
    );
  return [
    ...inBrowser.flatMap(([setUp, of = []], i) => groups(of, BROWSER_GROUP_SIZE, `browser-${i}`, setUp)),
    ...apart.map((file) => join(root, file)),
    ...groups(shared, GROUP_SIZE, 'group'),
  ];
}

/** The module with the service and the browser that a test file shares with others. */
function sharedSetUp(root: string, file: string): string | undefined {
  if (!readFileSync(join(root, file), 'utf8').includes("from './shared.ts'")) return undefined;
  return join(root, dirname(file), 'shared.ts');
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

const suite = async (file, load) => {
  let loading;
  const ended = describe(file, async () => {
    const timer = setInterval(() => {}, 1_000);
    after(() => {
      clearInterval(timer);
      left--;
    });
    loading = load();
    await loading;
  });
  await loading;
  await ended;
};
`;

/** @param setUp a module that the files share: its clean-up, and so the suite around the files, ends after the last of them */
function writeGroup(root: string, files: string[], path: string, setUp?: string): string {
  const imported = (file: string) => `import('${pathToFileURL(file)}')`;
  const suites = files.map((file) => `await suite('${file}', () => ${imported(join(root, file))});\n`).join('');
  const body =
    setUp === undefined
      ? suites
      : `describe('${relative(root, setUp)}', { timeout: 900_000 }, async () => {\nawait ${imported(setUp)};\n${suites}});\n`;
  writeFileSync(path, groupHead(files.length) + body);
  return path;
}
