/**
 * Loaded into a program by `--import`: each process and thread that it starts, and each folder that it makes without blocking, is there two seconds late.
 * What uses one without waiting for it fails.
 */
import { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import threads, { Worker } from 'node:worker_threads';

const LATE_MS = 2_000;

/** Of a program that is started, whichever function starts it. */
interface Start {
  file: string;
  args: string[];
}

const start: (this: ChildProcess, options: Start) => unknown = Reflect.get(ChildProcess.prototype, 'spawn');
Object.assign(ChildProcess.prototype, {
  spawn(this: ChildProcess, options: Start) {
    const [, ...args] = options.args;
    const late = ['sh', '-c', `sleep ${LATE_MS / 1_000}; exec "$0" "$@"`, options.file, ...args];
    return start.call(this, { ...options, file: '/bin/sh', args: late });
  },
});

// `run-in-thread.ts` starts threads by a text.
const wait = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${LATE_MS});`;
threads.Worker = class extends Worker {
  constructor(...[script, options]: ConstructorParameters<typeof Worker>) {
    super(options?.eval ? `${wait}${script}` : script, options);
  }
};

const { mkdir } = fs.promises;
fs.promises.mkdir = (async (...args: Parameters<typeof mkdir>) => {
  await sleep(LATE_MS);
  return mkdir(...args);
}) as typeof mkdir;
syncBuiltinESMExports();
