import type { Worker as Thread } from 'node:worker_threads';
import { startThread } from '../../shared/run-in-thread.ts';
import type { OwnChannels } from './own-channels.ts';
import type { HiddenSessions, Work, WorkPlan } from './plan.ts';
import type { EngineConnections } from './pools.ts';
import { ReportTooLarge } from './report-too-large.ts';
import type { Part } from './segment.ts';
import type { SegmentRange } from './segment-queries.ts';
import type { SharedVisitors } from './visitors.ts';

/** What a thread is to do for a report. */
export interface ScanJob {
  accountId: string;
  parts: readonly Part[];
  channels: OwnChannels | undefined;
  hidden: HiddenSessions;
  plan: WorkPlan;
  visitors: SharedVisitors;
  ranges: Float64Array;
  snapshot: string;
  onReplica: boolean;
}

export type ScanResponse = { part: unknown } | { isTooLarge: true } | { error: unknown };

/** With fewer segments than these a report is done before another thread would be of use. */
const MIN_SEGMENTS = 1_500;
/** So many neighbours are read by one thread: they are of the same time, and mostly of the same intervals. */
const NEIGHBOURS = 64;

/**
 * Threads that each cache and scan a part of an account's segments, always the same. They are started when a report has many
 * segments, and share the numbers of visitors.
 */
export class ScanThreads {
  /** Whether segments are read from the replica. */
  onReplica = false;
  readonly #connections: EngineConnections;
  readonly #count: number;
  readonly #minSegments: number;
  readonly #threads: (Thread | undefined)[] = [];

  /** @param count of other threads */
  constructor(connections: EngineConnections, count: number, minSegments = MIN_SEGMENTS) {
    this.#connections = connections;
    this.#count = count;
    this.#minSegments = minSegments;
  }

  /** Divides segments among this thread and the others. */
  divide(found: readonly SegmentRange[]): SegmentRange[][] {
    if (found.length < this.#minSegments || this.#count === 0) return [[...found]];
    const parts: SegmentRange[][] = Array.from({ length: this.#count + 1 }, () => []);
    for (const range of found) parts[Math.floor(range.segment / NEIGHBOURS) % parts.length]?.push(range);
    return parts;
  }

  /**
   * Does work in all threads at once. The others have ended when it returns or throws, so that no one uses the numbers of visitors.
   * @param others the segments of each other thread
   * @param ownPart does the part of this thread
   */
  async run<Result>(
    snapshot: string,
    job: Omit<ScanJob, 'ranges' | 'snapshot' | 'onReplica'>,
    others: readonly SegmentRange[][],
    work: Work<Result>,
    ownPart: () => Promise<void>,
  ): Promise<void> {
    const { onReplica } = this;
    const jobs = others.map((ranges, i) =>
      this.#post(i, { ...job, ranges: packRanges(ranges), snapshot, onReplica }).then((part) => part as Result),
    );
    const ended = Promise.allSettled(jobs);
    try {
      await ownPart();
      for (const part of jobs) work.merge(await part);
    } finally {
      await ended;
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread?.terminate()));
  }

  #post(index: number, job: ScanJob): Promise<unknown> {
    const thread = this.#threads[index] ?? this.#start(index);
    return new Promise((resolve, reject) => {
      const end = () => thread.off('message', receive).off('error', fail).off('exit', fail);
      const receive = (response: ScanResponse) => {
        end();
        if ('part' in response) resolve(response.part);
        else reject('error' in response ? response.error : new ReportTooLarge());
      };
      const fail = (error: unknown) => {
        end();
        reject(error instanceof Error ? error : new Error('a thread of a report exited'));
      };
      thread.on('message', receive).once('error', fail).once('exit', fail);
      thread.postMessage(job);
    });
  }

  #start(index: number): Thread {
    const thread = startThread(new URL('./scan-thread.ts', import.meta.url), {
      workerData: this.#connections,
      name: `reports-${index + 2}`,
    });
    this.#threads[index] = thread;
    // The next report starts another one. A job that it had fails by itself.
    const forget = () => {
      if (this.#threads[index] === thread) this.#threads[index] = undefined;
    };
    thread.once('error', forget).once('exit', forget);
    return thread;
  }
}

const PACKED = 6;

/** Ten thousand objects would take longer to send than to scan. */
function packRanges(ranges: readonly SegmentRange[]): Float64Array {
  const packed = new Float64Array(ranges.length * PACKED);
  ranges.forEach(({ segment, version, first_at, last_at, first_event_at, last_event_at }, i) => {
    const times = [first_at, last_at, first_event_at, last_event_at].map((at) => at ?? Number.NaN);
    packed.set([segment, version, ...times], i * PACKED);
  });
  return packed;
}

export function unpackRanges(packed: Float64Array): SegmentRange[] {
  const timeOf = (at = Number.NaN) => (Number.isNaN(at) ? null : at);
  return Array.from({ length: packed.length / PACKED }, (_, i) => {
    const [segment = 0, version = 0, ...times] = packed.subarray(i * PACKED, (i + 1) * PACKED);
    const [first_at = null, last_at = null, first_event_at = null, last_event_at = null] = times.map(timeOf);
    return { segment, version, first_at, last_at, first_event_at, last_event_at };
  });
}
