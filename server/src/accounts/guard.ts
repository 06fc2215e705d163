import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateName } from '../shared/config.ts';
import type { Deps } from '../shared/deps.ts';
import { networkOf, rateLimitHeaders, TokenBuckets, tooManyRequests } from '../shared/http/rate-limit.ts';
import type { App } from '../shared/http/server.ts';
import { type Access, authenticate } from './authenticate.ts';
import type { Caller, KeyVerifier } from './key-verifier.ts';

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

/** Authentication and rate limits, by what each route declares of itself. */
export function guard(app: App, { config, clock }: Deps, keys: KeyVerifier): void {
  app.decorateRequest('caller', null as unknown as Caller);
  const buckets = config.rates
    ? new Map(Object.entries(config.rates).map(([name, rate]) => [name, new TokenBuckets(rate, clock)]))
    : undefined;

  /** @throws 429 */
  const admit = (request: FastifyRequest, reply: FastifyReply, caller: Caller) => {
    request.caller = caller;
    const { rate, access, cost } = request.routeOptions.config;
    if (!rate || !buckets) return;
    const price = cost ? cost(request.body) : 1;
    // The address first: one that floods is to take nothing from the others that use the same key.
    if (access === 'ingest') take('ingestAddress', networkOf(request.ip), price, reply);
    take(rate, caller.keyId, price, reply);
  };

  const take = (rate: RateName, who: string, price: number, reply: FastifyReply) => {
    const bucket = buckets?.get(rate);
    if (!bucket) return;
    const verdict = bucket.take(who, price);
    reply.headers(rateLimitHeaders(rate, bucket.rate, verdict));
    if (!verdict.allowed) throw tooManyRequests(verdict);
  };

  /** @throws 401, 429 */
  const check = (request: FastifyRequest, reply: FastifyReply, access: Access, next: (error?: Error) => void) => {
    let caller: Caller | Promise<Caller>;
    try {
      caller = authenticate(request, access, keys);
      if (!(caller instanceof Promise)) admit(request, reply, caller);
    } catch (error) {
      return next(error as Error);
    }
    if (caller instanceof Promise) caller.then((known) => admit(request, reply, known)).then(() => next(), next);
    else next();
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
