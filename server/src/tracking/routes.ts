import type { FastifyRequest } from 'fastify';
import type { Deps } from '../shared/deps.ts';
import { ApiError } from '../shared/errors.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import { BatchAnswer, BatchBody, EventAnswer, EventBody, VisitAnswer, VisitBody } from './contract.ts';
import type { FindCountry } from './country.ts';
import { Ingest } from './ingest.ts';
import { recordBatch } from './record-batch.ts';
import type { SettingsCache, TrackingSettings } from './settings.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the caller's account; set on the routes that record. */
    trackingSettings: TrackingSettings;
  }
}

const INGEST = { access: 'ingest', rate: 'ingest' } as const;

/** What pages and back ends record: `POST /v1/visits`, `/v1/events` and, of both, `/v1/batch`. */
export function trackingRoutes(app: App, deps: Deps, findCountry: FindCountry, settings: SettingsCache): void {
  openToBrowsers(app);
  applySettings(app, settings);
  const ingest = new Ingest(deps, findCountry);

  app.post(
    '/v1/visits',
    {
      config: INGEST,
      schema: {
        operationId: 'recordVisit',
        'x-idempotency-key': true,
        tags: ['Tracking'],
        summary: 'Record a page visit',
        description:
          'Without `sessionHash` the service decides which session the visit belongs to, by `visitorId`: a session ends after 30 minutes idle or 24 hours, and a new click id or campaign begins one. Also takes `text/plain` with JSON in it.',
        body: VisitBody,
        response: withErrors(VisitAnswer),
      },
    },
    (request) => ingest.answer(request, (inside) => ingest.visit(request, request.body, request.body.sentAt, inside)),
  );

  app.post(
    '/v1/events',
    {
      config: INGEST,
      schema: {
        operationId: 'recordEvent',
        'x-idempotency-key': true,
        tags: ['Tracking'],
        summary: 'Record a custom event',
        description:
          'An event with `properties.email` makes or updates a lead; one with a numeric `properties.value` counts as a conversion of origin `event`. Also takes `text/plain` with JSON in it.',
        body: EventBody,
        response: withErrors(EventAnswer),
      },
    },
    (request) => ingest.answer(request, (inside) => ingest.event(request, request.body, undefined, inside)),
  );

  app.post(
    '/v1/batch',
    {
      config: { ...INGEST, cost: itemsOf },
      schema: {
        operationId: 'recordBatch',
        'x-idempotency-key': true,
        tags: ['Tracking'],
        summary: 'Record visits and events together',
        description:
          'What the page script sends. Each item is answered by itself: one that is refused has `success: false` and says why, the others are recorded. Visits are recorded before events. `visitId` and `properties.event_id` make a retry harmless. Also takes `text/plain` with JSON in it.',
        body: BatchBody,
        response: withErrors(BatchAnswer),
      },
      // The items are judged one by one; the rest of the body as ever.
      validatorCompiler: ({ schema, httpPart }) => batchValidator(app, schema, httpPart),
    },
    (request) =>
      ingest.answer(request, async (inside) => {
        const { items, sentAt } = request.body;
        return { success: true, results: await recordBatch(ingest, request, items, sentAt, inside) };
      }),
  );
}

/** Refuses pages of origins that the account does not allow, before any other fault is told. */
function applySettings(app: App, settings: SettingsCache): void {
  app.decorateRequest('trackingSettings', null as unknown as TrackingSettings);
  const apply = (request: FastifyRequest, found: TrackingSettings) => {
    request.trackingSettings = found;
    const { origin } = request.headers;
    if (origin === undefined || found.allows(origin)) return;
    throw new ApiError(401, 'origin_not_allowed', `The account does not allow pages of ${origin.slice(0, 200)}.`, {
      headers: { 'www-authenticate': 'Bearer realm="headwater"' },
    });
  };
  app.addHook('preValidation', (request, _reply, next) => {
    if (request.routeOptions.config.access !== 'ingest') return next();
    const { accountId } = request.caller;
    const known = settings.recall(accountId);
    if (!known) {
      settings
        .load(accountId)
        .then((found) => apply(request, found))
        .then(() => next(), next);
      return;
    }
    try {
      apply(request, known);
    } catch (error) {
      return next(error as Error);
    }
    next();
  });
}

function itemsOf(body: unknown): number {
  const items = (body as { items?: unknown } | null)?.items;
  return Array.isArray(items) ? Math.max(1, items.length) : 1;
}

function batchValidator(app: App, schema: unknown, httpPart: string | undefined) {
  const compile = app.validatorCompiler;
  if (!compile) throw new Error('the server has no validator');
  if (httpPart !== 'body') return compile({ schema, httpPart } as never);
  const body = schema as typeof BatchBody;
  const either = {
    type: 'object',
    properties: { visit: {}, event: {} },
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
  };
  const items = { ...body.properties.items, items: either };
  return compile({ schema: { ...body, properties: { ...body.properties, items } }, httpPart } as never);
}

/** CORS for any page, and JSON sent as `text/plain`, which a browser sends without a preflight: here and nowhere else. */
function openToBrowsers(app: App): void {
  app.addContentTypeParser('text/plain', { parseAs: 'buffer' }, app.parseJsonBody);
  app.addHook('onRequest', (_request, reply, next) => {
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'retry-after');
    next();
  });
  for (const url of ['/v1/visits', '/v1/events', '/v1/batch']) {
    app.options(url, { config: { access: 'open' }, schema: { hide: true } }, (_request, reply) => {
      reply
        .header('access-control-allow-methods', 'POST')
        .header('access-control-allow-headers', 'content-type, idempotency-key')
        .header('access-control-max-age', '86400')
        .send('');
    });
  }
}
