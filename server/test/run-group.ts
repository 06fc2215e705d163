import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { restartIds } from '../src/shared/ids.ts';
import { GROUP_TIMEOUT_MS, stretched } from './machine.ts';
import { chooseTheSame, restartChoices } from './same-choices.ts';
import { cpuSeconds, USAGE_LOG, type Usage } from './usage.ts';

const ROOT = join(import.meta.dirname, '../..');
const LOG = join(process.env.TEST_RUN ?? '', USAGE_LOG);
/**
 * Runs test files one after the other in this process, each as a suite with its own clean-up.
 * @param setUps modules that they share, whose clean-up runs after the last file. All files are then loaded before the first runs.
 */
export async function runGroup(files: readonly string[], setUps: readonly string[]): Promise<void> {
  chooseTheSame();
  let left = files.length;
  // A process that ends before all its suites fails.
  process.on('exit', () => {
    if (left > 0) process.exitCode = 1;
  });
  const runAll = async () => {
    for (const file of files) await runFile(file, () => left--);
  };
  if (setUps.length === 0) return runAll();
  await describe(`with ${setUps.join(' and ')}`, { timeout: stretched(GROUP_TIMEOUT_MS) }, async () => {
    for (const module of setUps) await import(urlOf(module));
    await runAll();
  });
}

async function runFile(file: string, onEnd: () => void): Promise<void> {
  let loading: Promise<void> | undefined;
  const ended = describe(file, { timeout: stretched(GROUP_TIMEOUT_MS) }, async () => {
    // Keeps the process alive while a suite waits for timers that do not.
    const timer = setInterval(() => {}, 1_000);
    loading = load(file, () => {
      clearInterval(timer);
      onEnd();
    });
    await loading;
  });
  await loading;
  await ended;
}

async function load(file: string, onEnd: () => void): Promise<void> {
  let start = used();
  const ofLoading = { cpu: 0, seconds: 0 };
  before(() => {
    restartChoices();
    start = used();
  });
  // An earlier file may have moved its clock.
  restartIds();
  restartChoices();
  try {
    await import(urlOf(file));
  } finally {
    Object.assign(ofLoading, since(start));
    after(() => {
      const { cpu, seconds } = since(start);
      const of = { cpu: ofLoading.cpu + cpu, seconds: ofLoading.seconds + seconds };
      const usage: Usage = { file, ...of, process: { pid: process.pid, cpu: cpuSeconds() } };
      appendFileSync(LOG, `${JSON.stringify(usage)}\n`);
      onEnd();
    });
  }
}

const urlOf = (file: string) => pathToFileURL(join(ROOT, file)).href;

const since = (start: ReturnType<typeof used>) => {
  const now = used();
  return { cpu: now.cpu - start.cpu, seconds: now.seconds - start.seconds };
};

function used(): { cpu: number; seconds: number } {
  return { cpu: cpuSeconds(), seconds: performance.now() / 1_000 };
}
