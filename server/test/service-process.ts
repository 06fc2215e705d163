import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './at-end.ts';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface ServiceProcess {
  /** Its URL. */
  url: string;
  pid: number;
  /** From the start of the process to its ready line. */
  readyMs: number;
  ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
}

const running = new Set<ChildProcess>();
const folders: string[] = [];
let willStop = false;

function stopAllAtEnd(): void {
  if (willStop) return;
  willStop = true;
  atEnd(async () => {
    willStop = false;
    for (const child of running) child.kill('SIGKILL');
    // Their databases end with them, a moment later.
    for (const folder of folders.splice(0)) {
      await until(() => !isRunning(postgresPid(folder)));
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** A temporary folder that is closed to other users. */
export function newDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-process-'));
  chmodSync(folder, 0o700);
  folders.push(folder);
  stopAllAtEnd();
  return folder;
}

/** Starts a program of the repository with only these settings. */
export function launch(
  command: string,
  args: string[],
  env: Record<string, string>,
  cwd = ROOT,
): ChildProcess & { ended: Promise<Ended> } {
  const { PATH, HOME = '/root', NODE_COMPILE_CACHE, TMPDIR } = process.env;
  const child = spawn(command, args, {
    cwd,
    env: { PATH, HOME, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...(TMPDIR && { TMPDIR }), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  stopAllAtEnd();
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal, stdout, stderr });
    });
  });
  return Object.assign(child, { ended });
}

/**
 * Starts the service like `npm start`, or by it, and waits for its ready line.
 * @param root the repository, or a copy of it
 */
export async function startService(
  env: Record<string, string>,
  by: 'node' | 'npm' = 'node',
  root = ROOT,
): Promise<ServiceProcess> {
  const began = performance.now();
  const settings = { PORT: '0', HOST: '127.0.0.1', RATE_LIMIT: 'off', ...env };
  const child =
    by === 'npm'
      ? launch('npm', ['start', '--silent'], settings, root)
      : launch(process.execPath, ['server/src/start.js'], settings, root);
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      const ready = /^Headwater is ready at (\S+) /m.exec(text)?.[1];
      if (ready) resolve(ready);
    });
    child.ended.then((end) => reject(new Error(`the service did not start: ${JSON.stringify(end)}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    readyMs: performance.now() - began,
    ended: child.ended,
    kill: (signal) => child.kill(signal),
  };
}

/** Runs `headwater <args>`. @param signal kills it */
export function command(args: string[], env: Record<string, string>, signal?: AbortSignal): Promise<Ended> {
  const child = launch(process.execPath, ['server/src/cli.ts', ...args], env);
  signal?.addEventListener('abort', () => child.kill('SIGKILL'));
  return child.ended;
}

/** The JSON output of a command. @throws if it fails */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape, and fails where they differ
export async function commandJson(args: string[], env: Record<string, string>): Promise<any> {
  const { code, stdout, stderr } = await command([...args, '--json'], env);
  if (code !== 0) throw new Error(`headwater ${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

/** The process id of the embedded PostgreSQL of a data folder. */
export function postgresPid(dataDir: string): number {
  try {
    return Number.parseInt(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10);
  } catch {
    // The file is removed with the process.
    return 0;
  }
}

export function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    // A zombie counts as ended.
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
