import { readdirSync, readFileSync } from 'node:fs';

/** In the folder of the run: a line for each test file, once it has ended. */
export const USAGE_LOG = 'usage.ndjson';

/** What a test file used. */
export interface Usage {
  file: string;
  /**
   * Seconds of processor time: of its process and of all below it, such as services with databases of their own and browsers. That of the
   * shared PostgreSQL is only in the sum of the run.
   */
  cpu: number;
  seconds: number;
  /** Its process, and what that has used so far, which includes what its files share. */
  process: { pid: number; cpu: number };
}

/** Of `/proc/PID/stat`. */
const TICKS_PER_SECOND = 100;

/** The processor time of this process, and on Linux of those below it: that run, and that were waited for. */
export function cpuSeconds(): number {
  return process.platform === 'linux' ? secondsOfTree(process.pid) : ownSeconds();
}

/** Without those that this process waited for. */
export function runningSeconds(): number {
  const [waited = 0, ofSystem = 0] = statOf('self')?.slice(13, 15).map(Number) ?? [];
  return cpuSeconds() - (waited + ofSystem) / TICKS_PER_SECOND;
}

function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function secondsOfTree(root: number): number {
  const children = new Map<number, number[]>();
  const used = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const fields = /^\d+$/.test(name) ? statOf(name) : undefined;
    if (fields === undefined) continue;
    const [pid, parent] = [Number(name), Number(fields[1])];
    children.set(parent, [...(children.get(parent) ?? []), pid]);
    // utime, stime, cutime and cstime
    used.set(pid, fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND);
  }
  const sum = (pid: number): number =>
    (children.get(pid) ?? []).reduce((total, child) => total + sum(child), used.get(pid) ?? 0);
  return sum(root);
}

/** The fields after the name; undefined: the process has ended. */
function statOf(pid: string): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return undefined;
  }
}
