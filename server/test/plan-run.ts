import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const GROUP_SIZE = 20;
/** Tests of every route take long. Together they compile the schemas of all routes once. */
const WHOLE_API_SIZE = 5;

/** What tests that share a process must leave as it is: memory that they measure, settings, mocks, other processes. */
const NEEDS_A_PROCESS =
  /memoryUsage|process\.kill|Object\.assign\(process\.env|process\.env\.\w+ =|\{ \.\.\.process\.env|(?<!context\.)mock\.|spawn\(|fork\(/;
/** Of `server/test`, what starts services or commands. */
const STARTS_PROCESSES = /'\.\/service-process\.ts'|'node:child_process'/;

/** The imports of what files share: a service, a browser. Also those that do nothing else. */
const SHARED = /'([./\w]*\/(?:shared|world|browser)\.ts)'/g;
const BROWSER = 'tracker/test/browser.ts';
const SERVICE = 'server/test/shared.ts';

/** Tests that share a service must not move its clock or start its workers. */
const CHANGES_THE_SERVICE = /clock\.now (?:[-+]?=) |\.start\(\)|\.workers\b/;

/** Long files first, so that none is left to run alone at the end. */
const ORDER = ['tracker', 'dashboard', 'server/test', 'server/chaos', ''];

/** Three files more than cores, as many wait for other processes. A file with its services and browser takes up to 1 GiB. */
export const CONCURRENCY = Math.max(2, Math.min(availableParallelism() + 3, Math.floor(totalmem() / 2 ** 30)));

/** A process of the run. */
export interface Program {
  path: string;
  files: string[];
}

interface Group {
  files: string[];
  /** Modules that they share, whose clean-up runs after the last file. */
  setUps: string[];
}

/**
 * Writes the program of each process of the run, in the order in which they start. Loading the service takes 0.5 s of CPU time, building one
 * with its database 0.2 s, and a browser 0.5 s. So
 * - the tests of the dashboard in a browser share two, and those of the page script one,
 * - those that import `server/test/shared.ts` share its service, a group of them each,
 * - the tests of the whole API that start no processes share three,
 * - the other tests of modules share processes, unless they need one of their own.
 */
export function planRun(root: string, files: string[], folder: string): Program[] {
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const sharedBy = (file: string) =>
    [...(texts.get(file) ?? '').matchAll(SHARED)].map(([, path = '']) => join(dirname(file), path));
  const ofWholeApi = (file: string) => file.startsWith('server/test/') && !STARTS_PROCESSES.test(texts.get(file) ?? '');
  const mayShare = (file: string) =>
    !/^server\/(?:test|chaos)\//.test(file) && !NEEDS_A_PROCESS.test(texts.get(file) ?? '');

  const inBrowser = files.filter((file) => /^(?:tracker|dashboard)\//.test(file) && sharedBy(file).length > 0);
  const withService = files.filter((file) => sharedBy(file).includes(SERVICE));
  const intruder = withService.find((file) => CHANGES_THE_SERVICE.test(texts.get(file) ?? ''));
  if (intruder) throw new Error(`${intruder} changes the service that it shares: let it have one of its own`);
  const others = files.filter((file) => !inBrowser.includes(file) && !withService.includes(file));
  const suites = Object.values(Object.groupBy(inBrowser, (file) => dirname(file))) as string[][];
  const lengthOf = (file: string) => texts.get(file)?.length ?? 0;
  const groups: Group[] = [
    ...suites
      .flatMap((suite) => inHalves(suite, lengthOf))
      .map((suite) => ({
        files: suite,
        setUps: [BROWSER, ...new Set(suite.flatMap(sharedBy).filter((path) => path.endsWith('/shared.ts')))],
      })),
    ...others.filter((file) => !mayShare(file) && !ofWholeApi(file)).map((file) => ({ files: [file], setUps: [] })),
    ...evenly(others.filter(ofWholeApi), WHOLE_API_SIZE).map((part) => ({ files: part, setUps: [] })),
    ...evenly(withService).map((part) => ({ files: part, setUps: [SERVICE] })),
    ...evenly(others.filter(mayShare)).map((part) => ({ files: part, setUps: [] })),
  ];
  const rank = ({ files: [first = ''] }: Group) => ORDER.findIndex((prefix) => first.startsWith(prefix));
  return groups
    .sort((a, b) => rank(a) - rank(b))
    .map((group, i) => writeProgram(root, group, join(folder, `${i}.test.mjs`)));
}

/** A long suite in two groups of even length, so that both cores are busy with it. Of tests in a browser the text tells how long they take. */
function inHalves(files: string[], lengthOf: (file: string) => number): string[][] {
  if (files.length < GROUP_SIZE) return [files];
  const halves = [
    { files: [] as string[], length: 0 },
    { files: [] as string[], length: 0 },
  ];
  for (const file of files.toSorted((a, b) => lengthOf(b) - lengthOf(a))) {
    const [shorter] = halves.toSorted((a, b) => a.length - b.length);
    shorter?.files.push(file);
    if (shorter) shorter.length += lengthOf(file);
  }
  return halves.map((half) => half.files);
}

/** Files of one module are often of the same length, and so are spread over the groups. */
function evenly(files: string[], size = GROUP_SIZE): string[][] {
  const count = Math.ceil(files.length / size);
  return Array.from({ length: count }, (_, group) => files.filter((_, i) => i % count === group));
}

function writeProgram(root: string, { files, setUps }: Group, path: string): Program {
  const url = (file: string) => JSON.stringify(pathToFileURL(join(root, file)).href);
  const program = `import { runGroup } from ${url('server/test/run-group.ts')};

await runGroup(${JSON.stringify(files, null, 2)}, ${JSON.stringify(setUps)});
`;
  writeFileSync(path, program);
  return { path, files };
}
