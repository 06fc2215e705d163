import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from './installation.ts';
import type { Workload } from './workload.ts';

const ALLOWED_STATUSES = [200, 429, 500];
/** A client that is refused waits before it tries again. */
const WAIT_MS = 20;

export interface Response {
  workload: string;
  status: number;
}

export interface Clients {
  /** Responses and lost connections that no fault explains. */
  readonly ended: Promise<string[]>;
  /** From now on a client ends when it loses its connection. */
  stopAtLoss(): void;
  /** Ends the clients after their requests. */
  stop(): Promise<string[]>;
}

/** Runs the clients of every workload of an installation. */
export function startClients(at: Installation, onResponse: (response: Response) => void): Clients {
  const { service } = at;
  let isLossExpected = false;
  let isOver = false;
  const unexplained: string[] = [];

  async function run(workload: Workload, client: number): Promise<void> {
    while (!isOver) {
      try {
        const status = await workload.step(service, client);
        onResponse({ workload: workload.name, status });
        if (status !== 200) await sleep(WAIT_MS);
        if (!ALLOWED_STATUSES.includes(status)) unexplained.push(`status ${status}`);
      } catch (error) {
        if (isLossExpected) return;
        unexplained.push(`${(error as Error).message} (${(error as Error).cause})`);
        await sleep(WAIT_MS);
      }
    }
  }
  const ended = Promise.all(
    at.workloads.flatMap((workload) => Array.from({ length: workload.clients }, (_, client) => run(workload, client))),
  ).then(() => unexplained);
  return {
    ended,
    stopAtLoss() {
      isLossExpected = true;
    },
    stop() {
      isOver = true;
      return ended;
    },
  };
}
