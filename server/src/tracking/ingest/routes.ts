import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { ApiError } from '../../shared/errors.ts';
import { FORM, parseForm } from '../../shared/http/form.ts';
import { withErrors } from '../../shared/http/problem.ts';
import type { App } from '../../shared/http/server.ts';
import { validatorCompiler } from '../../shared/http/validate.ts';
import type { SettingsCache, TrackingSettings } from '../settings/settings.ts';
import {
  BatchBody,
  BatchCheck,
  BatchResponse,
  EventBody,
  EventCheck,
  EventResponse,
  VisitBody,
  VisitCheck,
  VisitResponse,
} from './contract.ts';
import type { Ingest } from './ingest.ts';
import { withoutEmptyProperties } from './read-event.ts';
import { isForget, recordBatch } from './record-batch.ts';
import { forgetVisitor, keepVisitor, siteOf } from './visitor-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The settings of the caller's account, on the ingest routes. */
    trackingSettings: TrackingSettings;
  }
}

const INGEST = { access: 'ingest', rate: 'ingest', isLenient: true } as const;

type Members = Readonly<Record<string, unknown>>;

/** Validates only what must be right. The documented schemas say more, but nothing may be lost because of the rest. */
const checkedBy = (check: TSchema) => ({
  validatorCompiler: ({ httpPart }: { httpPart?: string }) =>
    httpPart === 'body' ? validatorCompiler()({ schema: check, httpPart }) : () => true,
});

/** `POST /v1/visits`, `/v1/events` and `/v1/batch`, for pages and servers. */
export function ingestRoutes(app: App, ingest: Ingest, settings: SettingsCache): void {
  openToBrowsers(app);
  app.decorateRequest('trackingSettings');
  const preValidation = applySettings(settings);

  app.post(
    '/v1/visits',
    {
      preValidation,
      ...checkedBy(VisitCheck),
      config: INGEST,
      schema: {
        operationId: 'recordVisit',
        consumes: ['application/json', 'text/plain', FORM],
        'x-idempotency-key': true,
        tags: ['Tracking'],
        summary: 'Record a page visit',
        description:
          'Without `sessionHash` the service finds the session of `visitorId` or starts one. A session ends after 30 minutes without activity or after 24 hours; a new click id or campaign starts a new one. JSON sent as `text/plain` is accepted, too.',
        body: VisitBody,
        response: withErrors(VisitResponse),
      },
    },
    async (request, reply) => {
      const body = request.body as Members;
      const recorded = await ingest.respond(request, (inside) => ingest.visit(request, body, body.sentAt, inside));
      keepVisitor(request, reply, body.visitorId === undefined ? undefined : recorded.visitorId);
      return recorded;
    },
  );

  app.post(
    '/v1/events',
    {
      preValidation,
      ...checkedBy(EventCheck),
      config: INGEST,
      schema: {
        operationId: 'recordEvent',
        consumes: ['application/json', 'text/plain', FORM],
        'x-idempotency-key': true,
        tags: ['Tracking'],
        summary: 'Record a custom event',
        description:
          '`properties.email` creates or updates a lead. A numeric `properties.value` counts as a conversion of origin `event`. An event is never rejected because of a property that it cannot use. A form body (`application/x-www-form-urlencoded`) is accepted, too, with properties as `properties[name]`. JSON sent as `text/plain` is accepted, too.',
        body: EventBody,
        response: withErrors(EventResponse),
      },
    },
    (request) => {
      const body = request.body as Members;
      return ingest.respond(request, (inside) => ingest.event(request, body, body.sentAt, inside));
    },
  );

  app.post(
    '/v1/batch',
    {
      preValidation,
      ...checkedBy(BatchCheck),
      config: { ...INGEST, cost: itemCount },
      schema: {
        operationId: 'recordBatch',
        consumes: ['application/json', 'text/plain'],
        'x-idempotency-key': true,
        tags: ['Tracking'],
        summary: 'Record visits and events together',
        description:
          'Used by the page script. Each item has its own result: an invalid item has `success: false` and the reason, and the others are recorded. Visits are recorded before events. `visitId` of a visit and `id` of an event make a retry harmless. JSON sent as `text/plain` is accepted, too.',
        body: BatchBody,
        response: withErrors(BatchResponse),
      },
    },
    async (request, reply) => {
      const { items, sentAt } = request.body as { items: unknown[]; sentAt?: unknown };
      const response = await ingest.respond(request, async (inside) => {
        return { success: true, results: await recordBatch(ingest, request, items, sentAt, inside) };
      });
      if (items.some(isForget)) forgetVisitor(reply);
      else keepVisitor(request, reply, visitorOfBatch(items, response.results));
      return response;
    },
  );
}

/** A hook that loads the account's tracking settings and rejects pages of origins that it does not allow, before validation. */
function applySettings(settings: SettingsCache) {
  const apply = (request: FastifyRequest, loaded: TrackingSettings) => {
    request.trackingSettings = loaded;
    const { origin } = request.headers;
    if (origin === undefined || loaded.allows(origin)) return;
    throw new ApiError(
      401,
      'origin_not_allowed',
      `This account does not accept pages from ${origin.slice(0, 200)}. Add the origin to allowedOrigins.`,
      {
        headers: { 'www-authenticate': 'Bearer realm="headwater"' },
      },
    );
  };
  return (request: FastifyRequest, _reply: unknown, next: (error?: Error) => void): void => {
    request.body = withoutEmptyProperties(request.body);
    const { accountId } = request.caller;
    const known = settings.cached(accountId);
    if (!known) {
      settings
        .load(accountId)
        .then((loaded) => apply(request, loaded))
        .then(() => next(), next);
      return;
    }
    try {
      apply(request, known);
    } catch (error) {
      next(error as Error);
      return;
    }
    next();
  };
}

/** The visitor of the latest visit that was sent with one. */
function visitorOfBatch(items: readonly unknown[], results: BatchResponse['results']): string | undefined {
  const isIdentified = (i: number) => typeof (items[i] as { visit?: Members }).visit?.visitorId === 'string';
  return results.flatMap((result, i) => ('visitorId' in result && isIdentified(i) ? result.visitorId : [])).at(-1);
}

function itemCount(body: unknown): number {
  const items = (body as { items?: unknown } | null)?.items;
  return Array.isArray(items) ? Math.max(1, items.length) : 1;
}

/** Only here: CORS for any page, JSON sent as `text/plain`, which browsers send without a preflight, and forms. */
function openToBrowsers(app: App): void {
  app.addContentTypeParser('text/plain', { parseAs: 'buffer' }, app.parseJsonBody);
  app.addContentTypeParser(FORM, { parseAs: 'string' }, parseForm);
  app.addHook('onRequest', (request, reply, next) => {
    const { origin } = request.headers;
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'retry-after');
    // Pages of other subdomains may let the browser send and store the first-party cookie.
    if (origin !== undefined && siteOf(request) === 'same-site') {
      reply.header('access-control-allow-origin', origin).header('access-control-allow-credentials', 'true');
      reply.header('vary', 'origin');
    }
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
