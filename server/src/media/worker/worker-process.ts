/**
 * A sandboxed process that parses untrusted media, one task at a time. It runs without the service's environment and
 * rights. A parser stuck in a loop cannot check its own limits, so a thread does: it ends the process when it uses too
 * much memory or when the service is gone. (A thread's own resource limits would not do: some allocations beyond them end
 * the whole process that the thread runs in.)
 */
import { Worker } from 'node:worker_threads';
import { ApiError } from '../../shared/errors.ts';
import { type Answer, OPERATIONS, type Outcome, type Task } from './operations.ts';

const memoryLimit = new BigInt64Array(new SharedArrayBuffer(8));
const WATCHDOG = `
  const { workerData: { limit, parent } } = require('node:worker_threads');
  setInterval(() => {
    const max = Number(Atomics.load(limit, 0));
    if (process.ppid !== parent || (max > 0 && process.memoryUsage.rss() > max)) process.kill(process.pid, 'SIGKILL');
  }, 20);`;
new Worker(WATCHDOG, { eval: true, workerData: { limit: memoryLimit, parent: process.ppid } });

async function run({ operation, args, memoryMb }: Task): Promise<Outcome> {
  // What earlier tasks left is not the fault of this one.
  Atomics.store(memoryLimit, 0, BigInt(process.memoryUsage.rss() + memoryMb * 1_048_576));
  try {
    const work = OPERATIONS[operation] as (...args: unknown[]) => Promise<unknown>;
    return { result: await work(...args) };
  } catch (error) {
    if (error instanceof ApiError) return { refused: { code: error.code, detail: error.message } };
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

async function respond(task: Task): Promise<void> {
  const outcome = await run(task);
  const answer: Answer = { outcome, rss: process.memoryUsage.rss() };
  process.send?.(answer);
}

process.on('message', (task: Task) => void respond(task));
// The service decides when to stop: a task in progress is finished on Ctrl-C.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());
