import { Type } from 'typebox';
import type { Deps } from '../deps.ts';
import { withErrors } from './problem.ts';
import type { App } from './server.ts';

const Limits = Type.Object({
  bodyBytes: Type.Integer({ description: 'Largest JSON body' }),
  conversionBodyBytes: Type.Integer({ description: 'Largest JSON body of a conversion report' }),
  bodyDepth: Type.Integer({ description: 'Deepest nesting of a JSON body' }),
  conversionsPerBatch: Type.Integer(),
  pageSize: Type.Integer({ description: 'Largest page of a listing' }),
  imageBytes: Type.Integer(),
  imagePixels: Type.Integer(),
  videoBytes: Type.Integer(),
  rates: Type.Union([
    Type.Record(Type.String(), Type.Object({ perSecond: Type.Number(), burst: Type.Integer() })),
    Type.Null(),
  ]),
});

/** What belongs to no domain: health, metrics, the API's description, limits. */
export function serviceRoutes(app: App, { config, db, metrics }: Deps): void {
  const hidden = { schema: { hide: true }, config: { access: 'open' as const } };

  app.route({
    method: ['GET', 'HEAD'],
    url: '/health',
    ...hidden,
    handler: async (_request, reply) => {
      await db.query('select 1');
      return reply.send({ status: 'ok' });
    },
  });

  app.get('/metrics', hidden, async (_request, reply) =>
    reply.header('content-type', metrics.registry.contentType).send(await metrics.registry.metrics()),
  );

  app.get('/openapi.json', hidden, async (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(app.swagger(), null, 2)),
  );

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
    async () => ({ ...config.limits, pageSize: 100, rates: config.rates ?? null }),
  );
}
