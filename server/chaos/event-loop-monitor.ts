/**
 * Preloaded into a service (`node --import`): measures for how long its event loop is blocked and how much memory it
 * takes, and reports both over IPC on request. Each report starts the next period.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { unitMs } from '../test/event-loop.ts';

export interface Reading {
  /** The longest block of the event loop, in milliseconds of CPU time of its thread: a busy machine does not count, and a slow one is allowed for. */
  blockedMs: number;
  /** The same by the wall clock. */
  delayedMs: number;
  /** Bytes. */
  rss: number;
  peakRss: number;
  heapUsed: number;
  external: number;
  openFiles: number;
}

const TICK_MS = 5;

function now(): { wall: number; cpu: number } {
  const { user, system } = process.threadCpuUsage();
  return { wall: performance.now(), cpu: (user + system) / 1000 };
}

function monitor(): void {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const profiler = process.env.CHAOS_PROFILE === undefined ? undefined : profile(process.env.CHAOS_PROFILE);
  let last = now();
  let blockedMs = 0;
  let delayedMs = 0;
  let peakRss = 0;
  const check = () => {
    const next = now();
    const delay = next.wall - last.wall - TICK_MS;
    const block = Math.min(delay, next.cpu - last.cpu);
    if (profiler && block > 200) profiler(block);
    delayedMs = Math.max(delayedMs, delay);
    blockedMs = Math.max(blockedMs, block);
    peakRss = Math.max(peakRss, process.memoryUsage.rss());
    last = now();
  };
  setInterval(check, TICK_MS).unref();
  process.on('message', (message: { collect: boolean }) => {
    check();
    const { heapUsed, external } = process.memoryUsage();
    const rss = process.memoryUsage.rss();
    const reading: Reading = {
      blockedMs: Math.round(blockedMs / Math.max(1, unitMs())),
      delayedMs: Math.round(delayedMs),
      rss,
      peakRss,
      heapUsed,
      external,
      openFiles: readdirSync('/proc/self/fd').length,
    };
    if (message.collect) {
      collectGarbage();
      Object.assign(reading, { heapUsed: process.memoryUsage().heapUsed, rss: process.memoryUsage.rss() });
    }
    process.send?.(reading);
    last = now();
    blockedMs = 0;
    delayedMs = 0;
    peakRss = process.memoryUsage.rss();
  });
  process.channel?.unref();
}

/** Writes a CPU profile of the time around each long block, for whoever looks for its cause. */
function profile(folder: string): (block: number) => void {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.start');
  let count = 0;
  return (block) => {
    session.post('Profiler.stop', (_error, { profile: found }) => {
      writeFileSync(`${folder}/block-${count++}-${Math.round(block)}.cpuprofile`, JSON.stringify(found));
      session.post('Profiler.start');
    });
  };
}

if (isMainThread && process.send && process.env.CHAOS_MONITORED === String(process.ppid)) monitor();
