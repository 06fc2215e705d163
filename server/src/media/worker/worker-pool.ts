import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { badRequest } from '../../shared/errors.ts';
import { MINUTE } from '../../shared/units.ts';
import type { Answer, OperationName, Operations, Task } from './operations.ts';

/**
 * Above every `memoryMb`, so that the watchdog ends a process that swells: near its own heap limit, V8 would collect garbage
 * for several times as long before it gives up (measured: 18 s instead of 3 s on a busy machine).
 */
const HEAP_MB = 2_048;
/** A process is replaced after so many tasks, which bounds what the parsers leak. */
const MAX_TASKS = 1_000;
/** So is one that has more after a task: the next may take as much as its limit on top. */
const MAX_RSS = 400 * 1_048_576;
const IDLE_MS = MINUTE;

/** The signals of a process that exceeded a limit or crashed in a native parser: its input is at fault. */
const CRASHES = new Set<string | null>(['SIGKILL', 'SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGTRAP', 'SIGFPE']);

export interface TaskLimits {
  timeoutMs: number;
  /** Beyond what the process has when it starts the task. */
  memoryMb: number;
}

/** The input made the worker exceed its limits or crash. */
export class WorkerCrash extends Error {}

interface Idle {
  child: ChildProcess;
  tasks: number;
  timer: NodeJS.Timeout;
}

/** Long-lived processes for untrusted media. Any that hangs, swells or crashes is replaced. */
export class WorkerPool {
  readonly #writableFolder: string;
  readonly #idle: Idle[] = [];
  readonly #children = new Set<ChildProcess>();
  /** Ended by `stop`, which is not the fault of their input. */
  readonly #stopped = new WeakSet<ChildProcess>();

  /** @param writableFolder the only folder that the processes may write to */
  constructor(writableFolder: string) {
    this.#writableFolder = writableFolder;
  }

  /** @throws ApiError as thrown by the operation; WorkerCrash */
  async run<Name extends OperationName>(
    operation: Name,
    args: Parameters<Operations[Name]>,
    { timeoutMs, memoryMb }: TaskLimits,
  ): Promise<Awaited<ReturnType<Operations[Name]>>> {
    const { child, tasks } = this.#take();
    let answer: Answer;
    try {
      answer = await this.#send(child, { operation, args, memoryMb }, timeoutMs);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
    const { outcome, rss } = answer;
    if (rss > MAX_RSS) child.kill('SIGKILL');
    else this.#putBack(child, tasks + 1);
    if ('refused' in outcome) throw badRequest(outcome.refused.code, outcome.refused.detail);
    if ('failed' in outcome) throw new Error(`${operation} failed: ${outcome.failed}`);
    return outcome.result as Awaited<ReturnType<Operations[Name]>>;
  }

  /** Ends every process, also busy ones. A later task starts another. */
  stop(): void {
    for (const child of this.#children) {
      this.#stopped.add(child);
      this.#removeIdle(child);
      child.kill('SIGKILL');
    }
  }

  #send(child: ChildProcess, task: Task, timeoutMs: number): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    const onExit = (code: number | null, signal: string | null) => {
      const message = `a media worker ended during ${task.operation} (${signal ?? code})`;
      reject(CRASHES.has(signal) && !this.#stopped.has(child) ? new WorkerCrash(message) : new Error(message));
    };
    child.once('message', resolve).once('exit', onExit).once('error', reject);
    child.send(task, (error) => {
      // A process that ended meanwhile is reported by its exit.
      if (error && child.exitCode === null && child.signalCode === null) reject(error);
    });
    return promise.finally(() => {
      clearTimeout(timer);
      child.off('message', resolve).off('exit', onExit).off('error', reject);
    });
  }

  #take(): { child: ChildProcess; tasks: number } {
    const idle = this.#idle.pop();
    if (idle === undefined) return { child: this.#start(), tasks: 0 };
    clearTimeout(idle.timer);
    idle.child.ref();
    idle.child.channel?.ref();
    return idle;
  }

  #putBack(child: ChildProcess, tasks: number): void {
    if (tasks >= MAX_TASKS || !child.connected || this.#stopped.has(child)) {
      child.kill('SIGKILL');
      return;
    }
    // An idle process keeps neither the service nor a test alive.
    child.unref();
    child.channel?.unref();
    const timer = setTimeout(() => {
      this.#removeIdle(child);
      child.kill('SIGKILL');
    }, IDLE_MS).unref();
    this.#idle.push({ child, tasks, timer });
  }

  #start(): ChildProcess {
    const permissions = ['--allow-fs-read=*', `--allow-fs-write=${join(this.#writableFolder, '*')}`];
    // sharp is an addon; the watchdog is a worker thread.
    const flags = ['--permission', ...permissions, '--allow-addons', '--allow-worker', '--no-warnings'];
    const child = fork(join(import.meta.dirname, 'worker-process.ts'), [], {
      execArgv: [`--max-old-space-size=${HEAP_MB}`, ...flags],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#children.add(child);
    child.on('error', () => {});
    child.once('exit', () => {
      this.#children.delete(child);
      this.#removeIdle(child);
    });
    return child;
  }

  /** A process that is about to end must not get another task: the task's input would be blamed. */
  #removeIdle(child: ChildProcess): void {
    const index = this.#idle.findIndex((idle) => idle.child === child);
    if (index >= 0) clearTimeout(this.#idle.splice(index, 1)[0]?.timer);
  }
}
