import { Type } from 'typebox';
import type { Deps } from '../deps.ts';
import { withErrors } from './problem.ts';
import { referenceRoutes } from './reference.ts';
import type { App } from './server.ts';

const Limits = Type.Object(
  {
    bodyBytes: Type.Integer({ description: 'Largest JSON body' }),
    conversionBodyBytes: Type.Integer({ description: 'Largest JSON body of a conversion report' }),
    bodyDepth: Type.Integer({ description: 'Deepest nesting of a JSON body' }),
    conversionsPerBatch: Type.Integer(),
    pageSize: Type.Integer({ description: 'Largest page of a listing' }),
    entryVersions: Type.Integer({ description: 'How many earlier versions of an entry are kept' }),
    imageBytes: Type.Integer(),
    imagePixels: Type.Integer(),
    videoBytes: Type.Integer(),
    importBytes: Type.Integer({ description: 'Largest file of entries' }),
    importRows: Type.Integer({ description: 'Most rows of such a file' }),
    pictureSizes: Type.Array(Type.Integer(), {
      description: 'Widths and heights in which a picture can be asked for: `?w=` and `?h=` on its address',
    }),
    rates: Type.Union([
      Type.Record(Type.String(), Type.Object({ perSecond: Type.Number(), burst: Type.Integer() })),
      Type.Null(),
    ]),
  },
  { title: 'Limits' },
);

/** What belongs to no domain: health, metrics, the API's description, limits. */
export function serviceRoutes(app: App, { config, db, metrics }: Deps): void {
  const hidden = { schema: { hide: true }, config: { access: 'open' as const } };

  const { pool } = db;
  metrics.gauge('headwater_database_connections', 'Connections of the pool', () => pool.totalCount);
  metrics.gauge('headwater_database_connections_idle', 'Connections of the pool that are free', () => pool.idleCount);
  metrics.gauge('headwater_database_waiting', 'Requests that wait for a connection', () => pool.waitingCount);

  // Not through the pool: it would wait as long as a request does for a database that is away, or is busy.
  app.route({
    method: ['GET', 'HEAD'],
    url: '/health',
    ...hidden,
    handler: async (_request, reply) => {
      const isAlive = await db.isAlive();
      return reply
        .code(isAlive ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ status: isAlive ? 'ok' : 'database unreachable' });
    },
  });

  app.get('/metrics', hidden, async (_request, reply) =>
    reply.header('content-type', metrics.registry.contentType).send(await metrics.registry.metrics()),
  );

  let description: string | undefined;
  app.get('/openapi.json', hidden, (_request, reply) => {
    description ??= `${JSON.stringify(app.swagger(), null, 2)}\n`;
    return reply.header('content-type', 'application/json; charset=utf-8').send(description);
  });

  referenceRoutes(app);

  app.get(
    '/v1/limits',
    {
      config: { access: 'secret', rate: 'read' },
      schema: {
        operationId: 'getLimits',
        tags: ['Service'],
        summary: 'The limits of this service',
        security: [{ token: [] }],
        response: withErrors(Limits),
      },
    },
    async () => ({
      ...config.limits,
      pictureSizes: config.files.variantSizes,
      pageSize: 100,
      entryVersions: config.entryVersions,
      rates: config.rates ?? null,
    }),
  );
}
