import type { Database } from '../postgres/database.ts';
import type { App } from './server.ts';

/**
 * `GET /health/live`: the process responds; restart it otherwise. `GET /health/ready`, and `GET /health`: it can serve, that is
 * the database responds and the service is not stopping; send requests elsewhere otherwise. `GET /health` also names the queues in
 * which something has waited for too long, and for how many seconds, which no other process would do better.
 * With `database connections exhausted` the service works on the connections that it has, above all ingest.
 */
export function healthRoutes(app: App, db: Database, overdue: () => Record<string, number>): void {
  const route = { method: ['GET', 'HEAD'], config: { access: 'open' as const }, schema: { hide: true } };
  app.addHook('preClose', async () => {
    app.drain.isDraining = true;
  });

  app.route({
    ...route,
    url: '/health/live',
    handler: (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  });

  for (const url of ['/health', '/health/ready']) {
    app.route({
      ...route,
      url,
      handler: async (_request, reply) => {
        // Not through the pool, which would wait for a database that is down or busy.
        const isAlive = !app.drain.isDraining && (await db.isAlive());
        const status = app.drain.isDraining
          ? 'stopping'
          : db.isExhausted
            ? 'database connections exhausted'
            : isAlive
              ? 'ok'
              : 'database unreachable';
        return reply
          .code(isAlive ? 200 : 503)
          .header('cache-control', 'no-store')
          .send({ status, ...(url === '/health' && hasMembers(overdue()) && { overdueSeconds: overdue() }) });
      },
    });
  }
}

const hasMembers = (record: object): boolean => Object.keys(record).length > 0;
