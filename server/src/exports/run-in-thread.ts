import { Worker } from 'node:worker_threads';
import type { ExportPlan, WrittenExport } from './write-export.ts';

/** Bounds the objects of a thread, not its buffers. An export needs about a tenth; past it the thread ends, not the service. */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };

type Message = { progress: number } | { written: WrittenExport };

/**
 * Writes an export in a thread of its own, so that requests are answered meanwhile as if there were none; when `signal`
 * is aborted the thread ends, wherever it is, with its connection and its file.
 */
export function writeInThread(
  plan: ExportPlan,
  signal: AbortSignal,
  report: (progress: number) => void,
): Promise<WrittenExport> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./export-thread.ts', import.meta.url), {
      workerData: plan,
      resourceLimits: LIMITS,
      name: 'export',
    });
    const terminate = () => void thread.terminate();
    signal.addEventListener('abort', terminate, { once: true });
    thread.on('message', (message: Message) => {
      if ('written' in message) resolve(message.written);
      else report(message.progress);
    });
    thread.once('error', reject);
    thread.once('exit', () => {
      signal.removeEventListener('abort', terminate);
      reject(signal.reason ?? new Error('an export ended without a result'));
    });
  });
}
