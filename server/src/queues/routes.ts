import type { Deps } from '../shared/deps.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import { FIRST_ID } from '../shared/ids.ts';
import { isoTime } from '../shared/time.ts';
import { isOperator } from '../users/index.ts';
import { QueueAlarms } from './contract.ts';
import { listAlarms } from './queries.ts';
import type { QueueStatus } from './watch-queues.ts';

const MOST = 100;

/** `GET /v1/queue-alarms` */
export function queueRoutes(app: App, { db, control }: Deps, status: QueueStatus): void {
  const { get } = routesOf(app);
  get('/v1/queue-alarms', {
    config: { access: 'secret', rate: 'read' },
    tags: ['Service'],
    security: [{ token: [] }],
    operationId: 'listQueueAlarms',
    summary: 'List what has waited for too long',
    description:
      'Queues in which something of the account has waited for more than 15 minutes past its due time, the oldest first. Operators of the service also see those of the installation, such as backups.',
    returns: QueueAlarms,
    handle: async ({ caller }) => {
      const accounts = [caller.accountId];
      const isWhole = caller.type === 'user' && !caller.isViewing && caller.limitedTo === null;
      if (isWhole && (await isOperator(control, caller.userId))) accounts.push(FIRST_ID);
      const rows = await listAlarms(db, { accounts, limit: MOST });
      return {
        alarms: rows.map(({ queue, subject, since, raised_at }) => ({
          queue,
          label: status.labelOf(queue),
          subject,
          since: isoTime(since),
          raisedAt: isoTime(raised_at),
        })),
      };
    },
  });
}
