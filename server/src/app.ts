import swagger from '@fastify/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Access, authenticate, type Caller, KeyVerifier } from './accounts/index.ts';
import { contentRoom } from './content/index.ts';
import { conversionsRoom } from './conversions/index.ts';
import { exportsRoom } from './exports/index.ts';
import { filesRoom } from './files/index.ts';
import { jobsRoom } from './jobs/index.ts';
import type { RateName } from './shared/config.ts';
import type { Deps, Worker } from './shared/deps.ts';
import { rateLimitHeaders, TokenBuckets, tooManyRequests } from './shared/http/rate-limit.ts';
import { type App, createServer } from './shared/http/server.ts';
import { serviceRoutes } from './shared/http/service-routes.ts';
import { trackingRoom } from './tracking/index.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route; every route of a room says it. */
    access?: Access;
    rate?: Exclude<RateName, 'ingestAddress'>;
    /** How many requests one is worth that holds many things. */
    cost?: (body: unknown) => number;
    /** The body is read by the route itself, at its sender's pace. */
    streams?: boolean;
  }
  interface FastifyRequest {
    /** Set on every route whose access is not `open`. */
    caller: Caller;
  }
}

export interface Service {
  app: App;
  workers: Worker[];
}

/** The whole service as an app that can be injected into or made to listen, and the work beside it. */
export async function buildApp(deps: Deps): Promise<Service> {
  const { config, db, log, metrics, clock } = deps;
  const app = createServer(config, log, metrics);
  const keys = new KeyVerifier(db, log, clock);
  await keys.start();
  app.addHook('onClose', () => keys.close());
  app.decorateRequest('caller', null as unknown as Caller);
  guard(app, deps, keys);

  await app.register(swagger, OPENAPI);
  const workers: Worker[] = [];
  await app.register(async (rooms) => {
    serviceRoutes(rooms as unknown as App, deps);
    for (const open of ROOMS) workers.push(...open(rooms as unknown as App, deps));
  });
  return { app, workers };
}

const ROOMS = [contentRoom, filesRoom, trackingRoom, conversionsRoom, jobsRoom, exportsRoom];

const OPENAPI = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Headwater',
      version: '1',
      description: 'Content, tracking, conversions, exports and files of one account, behind one API.',
    },
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey' as const,
          in: 'header' as const,
          name: 'x-api-key',
          description: '`Bearer ` and a secret API token',
        },
        postbackKey: { type: 'apiKey' as const, in: 'query' as const, name: 'key', description: 'A postback key' },
      },
    },
  },
  refResolver: {
    buildLocalReference: (json: { $id?: unknown }, _base: unknown, _fragment: unknown, i: number) =>
      typeof json.$id === 'string' ? json.$id : `def-${i}`,
  },
};

/** Authentication and rate limits, by what each route declares of itself. */
function guard(app: App, { config, clock }: Deps, keys: KeyVerifier): void {
  const buckets = config.rates
    ? new Map(Object.entries(config.rates).map(([name, rate]) => [name, new TokenBuckets(rate, clock)]))
    : undefined;

  /** @throws 401, 429 */
  const admit = (request: FastifyRequest, reply: FastifyReply, caller: Caller) => {
    request.caller = caller;
    const { rate, access, cost = () => 1 } = request.routeOptions.config;
    const bucket = rate && buckets?.get(rate);
    if (!rate || !buckets || !bucket) return;
    const price = cost(request.body);
    const verdict = bucket.take(caller.keyId, price);
    reply.headers(rateLimitHeaders(rate, bucket.rate, verdict));
    if (!verdict.allowed) throw tooManyRequests(verdict);
    const addresses = access === 'ingest' ? buckets.get('ingestAddress') : undefined;
    if (!addresses) return;
    const byAddress = addresses.take(request.ip, price);
    if (!byAddress.allowed) {
      reply.headers(rateLimitHeaders('ingestAddress', addresses.rate, byAddress));
      throw tooManyRequests(byAddress);
    }
  };

  const check = (request: FastifyRequest, reply: FastifyReply, access: Access, next: (error?: Error) => void) => {
    try {
      const caller = authenticate(request, access, keys);
      if (!(caller instanceof Promise)) {
        admit(request, reply, caller);
        return next();
      }
      caller.then((known) => admit(request, reply, known)).then(() => next(), next);
    } catch (error) {
      next(error as Error);
    }
  };

  // A key in a header is judged before the body is read, one in the body as soon as it is parsed.
  app.addHook('onRequest', (request, reply, next) => {
    const { access = 'open' } = request.routeOptions.config;
    if (access === 'secret' || access === 'postback') check(request, reply, access, next);
    else next();
  });
  app.addHook('preValidation', (request, reply, next) => {
    if (request.routeOptions.config.access === 'ingest') check(request, reply, 'ingest', next);
    else next();
  });
}
