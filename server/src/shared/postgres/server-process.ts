import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Running {
  child: ChildProcess;
  /** Resolves when the process has ended or could not start. */
  exited: Promise<unknown>;
}

export interface Owner {
  uid: number;
  gid: number;
}

/** A group that no user has: with it the server may pass the data folder, and no other process may. */
export const PRIVATE_GROUP = 1_907_443_201;

/**
 * Whether a folder above `path` is closed to other users, like a home folder (0700) or one of mktemp. Only then does the
 * process of the server get a capability, the one to read in such folders.
 */
function isBelowClosed(path: string, owner: Owner): boolean {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder);
    const bit = uid === owner.uid ? 0o100 : gid === PRIVATE_GROUP ? 0o010 : 0o001;
    if ((mode & bit) === 0) return true;
  }
  return false;
}

function serverEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' };
}

/**
 * Runs a program of PostgreSQL in its own session, so that Ctrl-C at a terminal only reaches the service, which then stops
 * it in order. On Linux the kernel ends it when the service dies (`setpriv --pdeathsig`); elsewhere the next start stops the
 * orphan.
 */
export function run(program: string, args: string[], cwd: string, owner: Owner | undefined): Running {
  const options = { cwd, env: serverEnv(), detached: true, stdio: ['ignore', 'pipe', 'pipe'] as never };
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path));
  let child: ChildProcess;
  if (process.platform === 'linux' && setpriv) {
    const as = owner ? [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, `--groups=${PRIVATE_GROUP}`] : [];
    if (owner && (isBelowClosed(cwd, owner) || isBelowClosed(program, owner))) {
      as.push('--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search');
      // Without it access(2), by which initdb finds its sibling, considers the user and not the capability.
      as.push('--securebits=+no_setuid_fixup');
    }
    child = spawn(setpriv, ['--pdeathsig', 'QUIT', ...as, '--', program, ...args], options);
  } else {
    child = spawn(program, args, { ...options, ...owner });
  }
  const exited = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  return { child, exited };
}

/** Collects the output of a process, for its error message. */
export function collect(child: ChildProcess): () => string {
  let text = '';
  const add = (chunk: Buffer) => {
    text = (text + chunk.toString('utf8')).slice(-4_000);
  };
  child.stdout?.on('data', add);
  child.stderr?.on('data', add);
  child.once('error', (error) => add(Buffer.from(error.message)));
  return () => text;
}

/** Stops the server that a killed service left behind. */
export async function stopOrphan(cluster: string, log: (level: 'warn', message: string) => void): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  let isLogged = false;
  for (let waited = 0; ; waited += 10) {
    const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : Number.NaN;
    if (!(pid > 0) || !isServer(pid, cluster)) return;
    if (!isLogged) log('warn', `stopping the PostgreSQL (process ${pid}) that an earlier run left behind`);
    isLogged = true;
    try {
      // Immediate shutdown, like a crash from which the next start recovers. It does not wait for sessions.
      process.kill(pid, waited < 5_000 ? 'SIGQUIT' : 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    await sleep(10);
  }
}

/** Whether the process is a server of this cluster, and not another program that has received its number since. */
function isServer(pid: number, cluster: string): boolean {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(cluster);
    }
    const state = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0];
    return state !== 'Z' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(cluster);
  } catch {
    return false;
  }
}
