import type { FastifyRequest } from 'fastify';
import type { Deps } from '../shared/deps.ts';
import { GroupCommit } from '../shared/group-commit.ts';
import { idempotencyKey, idempotently } from '../shared/http/idempotency.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import { publicId } from '../shared/ids.ts';
import { EventAnswer, EventBody, VisitAnswer, VisitBody } from './contract.ts';
import { type FindCountry, openCountries } from './country.ts';
import { readProperties } from './event-properties.ts';
import { shortHashOf } from './identifier.ts';
import { readLanding } from './landing.ts';
import { occurredAt } from './occurred-at.ts';
import { type BegunSession, reactionsOf } from './reactions.ts';
import { type NewEvent, recordEvents } from './record-events.ts';
import { type NewVisit, type RecordedVisit, VisitRecorder } from './record-visits.ts';
import { readUserAgent } from './user-agent.ts';

const BATCH = { maxBatch: 256, maxConcurrent: 2, maxWaiting: 20_000 };

/** `POST /v1/visits` and `POST /v1/events`: what pages and back ends record, by group commit. */
export function trackingRoutes(app: App, deps: Deps): void {
  const { clock, db } = deps;
  let findCountry: FindCountry = () => null;
  app.addHook('onReady', async () => {
    findCountry = await openCountries(deps.config.geoipPath);
  });
  openToBrowsers(app);

  const observe = (kind: string) => {
    const sizes = deps.metrics.batches.labels(kind);
    return (size: number) => sizes.observe(size);
  };
  const recorder = new VisitRecorder(db);
  const announce = (begun: BegunSession[]) => {
    if (begun.length > 0) for (const reaction of reactionsOf(deps)) reaction.sessionsBegan(begun);
  };
  const visits = new GroupCommit<NewVisit, RecordedVisit>(
    async (batch) => {
      const { recorded, begun } = await recorder.record(batch);
      announce(begun);
      return recorded;
    },
    { ...BATCH, onBatch: observe('visit') },
  );
  const recordOnce = async (request: FastifyRequest, visit: NewVisit) => {
    let begun: BegunSession[] = [];
    const recorded = await idempotently(db, request, visit.accountId, async (tx) => {
      const result = await recorder.record([visit], tx);
      begun = result.begun;
      return first(result.recorded);
    });
    announce(begun);
    return recorded;
  };
  const events = new GroupCommit<NewEvent, string>((batch) => recordEvents(db, batch, reactionsOf(deps)), {
    ...BATCH,
    onBatch: observe('event'),
  });

  function readVisit(request: FastifyRequest<{ Body: VisitBody }>): NewVisit {
    const { url, referrer, title, visitorId, sessionHash, timestamp, sentAt } = request.body;
    const receivedAt = clock();
    return {
      accountId: request.caller.accountId,
      url,
      landing: readLanding(url),
      referrer: referrer || null,
      title: title ?? null,
      visitorId,
      sessionHash,
      device: readUserAgent(request.headers['user-agent']),
      country: findCountry(request.ip),
      occurredAt: occurredAt(timestamp, sentAt, receivedAt),
      receivedAt,
    };
  }

  function readEvent(request: FastifyRequest<{ Body: EventBody }>): NewEvent {
    const { event, properties = {} } = request.body;
    const { accountId, kind } = request.caller;
    const receivedAt = clock();
    const { json, email, value, identifiers } = readProperties(properties);
    const trusted = kind === 'secret';
    return {
      accountId,
      event,
      json,
      clientEventId: properties.event_id ?? null,
      identifiers,
      email,
      value,
      currency: (properties as { currency?: unknown }).currency,
      // A back end's own HTTP library is no bot.
      isBot: !trusted && readUserAgent(request.headers['user-agent']).isBot,
      trusted,
      occurredAt: occurredAt(properties.timestamp, undefined, receivedAt),
      receivedAt,
    };
  }

  app.post(
    '/v1/visits',
    {
      config: { access: 'ingest', rate: 'ingest' },
      schema: {
        operationId: 'recordVisit',
        tags: ['Tracking'],
        summary: 'Record a page visit',
        description:
          'Without `sessionHash` the service decides which session the visit belongs to, by `visitorId`: a session ends after 30 minutes idle or 24 hours, and a new click id or campaign begins one. Also takes `text/plain` with JSON in it.',
        body: VisitBody,
        response: withErrors(VisitAnswer),
      },
    },
    async (request): Promise<VisitAnswer> => {
      const visit = readVisit(request);
      const recorded = await (idempotencyKey(request) === undefined
        ? visits.submit(visit)
        : recordOnce(request, visit));
      return {
        success: true,
        sessionId: recorded.sessionNumber,
        sessionHash: recorded.sessionHash,
        shortSessionHash: shortHashOf(recorded.sessionHash),
        visitorId: recorded.visitorId,
      };
    },
  );

  app.post(
    '/v1/events',
    {
      config: { access: 'ingest', rate: 'ingest' },
      schema: {
        operationId: 'recordEvent',
        tags: ['Tracking'],
        summary: 'Record a custom event',
        description:
          'An event with `properties.email` makes or updates a lead; one with a numeric `properties.value` counts as a conversion of origin `event`. Also takes `text/plain` with JSON in it.',
        body: EventBody,
        response: withErrors(EventAnswer),
      },
    },
    async (request): Promise<EventAnswer> => {
      const event = readEvent(request);
      const id =
        idempotencyKey(request) === undefined
          ? await events.submit(event)
          : await idempotently(db, request, event.accountId, async (tx) =>
              first(await recordEvents(db, [event], reactionsOf(deps), tx)),
            );
      return { success: true, event_id: publicId('evt', id) };
    },
  );
}

function first<T>(list: T[]): T {
  const [only] = list;
  if (only === undefined) throw new Error('nothing was recorded');
  return only;
}

/** CORS for any page, and JSON sent as `text/plain`, which a browser sends without a preflight: here and nowhere else. */
function openToBrowsers(app: App): void {
  app.addContentTypeParser('text/plain', { parseAs: 'buffer' }, app.parseJsonBody);
  app.addHook('onRequest', (_request, reply, next) => {
    reply.header('access-control-allow-origin', '*');
    next();
  });
  for (const url of ['/v1/visits', '/v1/events']) {
    app.options(url, { config: { access: 'open' }, schema: { hide: true } }, (_request, reply) => {
      reply
        .header('access-control-allow-methods', 'POST')
        .header('access-control-allow-headers', 'content-type, idempotency-key')
        .header('access-control-max-age', '86400')
        .send('');
    });
  }
}
