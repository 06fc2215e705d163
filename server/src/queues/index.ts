/** Says when something has waited too long. Its tables: queue_alarms. */
import type { Deps, Module } from '../shared/deps.ts';
import type { Queue } from '../shared/queue.ts';
import { queueRoutes } from './routes.ts';
import { type QueueStatus, QueueWatch } from './watch-queues.ts';

export { QueueStatus, QueueWatch } from './watch-queues.ts';

/** Tells when something waits for too long in any of the queues that the modules contribute. */
export function queuesModule(deps: Deps, status: QueueStatus, queues: readonly Queue[]): Module {
  return {
    routes: (app) => queueRoutes(app, deps, status),
    workers: [new QueueWatch(deps, status, queues)],
  };
}
