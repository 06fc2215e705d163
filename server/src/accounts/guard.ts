import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Rate, RateName } from '../shared/config.ts';
import type { Deps } from '../shared/deps.ts';
import { networkOf, rateLimitHeaders, TokenBuckets, tooManyRequests } from '../shared/http/rate-limit.ts';
import type { App } from '../shared/http/server.ts';
import { type Access, authenticate } from './authenticate.ts';
import type { KeyCaller, KeyVerifier } from './key-verifier.ts';
import { requireSameOrigin } from './same-origin.ts';
import {
  authenticateMember,
  authenticateUser,
  type Role,
  type Sessions,
  type SignedIn,
  type UserCaller,
} from './session-caller.ts';

/** Who makes a request for an account. */
export type Caller = KeyCaller | UserCaller;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route; every route of a room says it. */
    access?: Access;
    /** What a member must be to call it. Unless said, a viewer may GET, an editor everything. */
    role?: Role;
    rate?: Exclude<RateName, 'ingestAddress'>;
    /** How many requests one is worth that holds many things. */
    cost?: (body: unknown) => number;
    /** The body is read by the route itself, at its sender's pace. */
    streams?: boolean;
  }
  interface FastifyRequest {
    /** Set on every route whose access is `secret`, `postback`, `ingest` or `member`. */
    caller: Caller;
    /** Set on every route whose access is `user`. */
    signedIn: SignedIn;
  }
}

/** Of one address, for what anybody may ask of the dashboard. */
const PAGE_RATE: Rate = { perSecond: 5, burst: 50 };

/** Authentication and rate limits, by what each route declares of itself. */
export function guard(app: App, { config, clock, publicUrl }: Deps, keys: KeyVerifier, sessions: Sessions): void {
  app.decorateRequest('caller', null as never);
  app.decorateRequest('signedIn', null as never);
  const buckets = config.rates
    ? new Map(
        Object.entries({ ...config.rates, page: PAGE_RATE }).map(([name, rate]) => [
          name,
          new TokenBuckets(rate, clock),
        ]),
      )
    : undefined;

  /** @throws 429 */
  const admit = (request: FastifyRequest, reply: FastifyReply, caller: KeyCaller) => {
    request.caller = caller;
    const { rate, access, cost } = request.routeOptions.config;
    if (!rate || !buckets) return;
    const price = cost ? cost(request.body) : 1;
    // The address first: one that floods is to take nothing from the others that use the same key.
    if (access === 'ingest') take('ingestAddress', networkOf(request.ip), price, reply);
    take(rate, caller.keyId, price, reply);
  };

  const take = (rate: RateName | 'page', who: string, price: number, reply: FastifyReply) => {
    const bucket = buckets?.get(rate);
    if (!bucket) return;
    const verdict = bucket.take(who, price);
    reply.headers(rateLimitHeaders(rate, bucket.rate, verdict));
    if (!verdict.allowed) throw tooManyRequests(verdict);
  };

  /** @throws 401, 429 */
  const check = (request: FastifyRequest, reply: FastifyReply, access: Access, next: (error?: Error) => void) => {
    let caller: KeyCaller | Promise<KeyCaller>;
    try {
      caller = authenticate(request, access, keys);
      if (!(caller instanceof Promise)) admit(request, reply, caller);
    } catch (error) {
      return next(error as Error);
    }
    if (caller instanceof Promise) caller.then((known) => admit(request, reply, known)).then(() => next(), next);
    else next();
  };

  /** Someone by a page of the dashboard. @throws 401, 400, 404, 429 */
  const checkPerson = async (request: FastifyRequest, reply: FastifyReply, access: Access) => {
    requireSameOrigin(request, publicUrl());
    reply.header('cache-control', 'no-store');
    if (access === 'page') return take('page', networkOf(request.ip), 1, reply);
    const { rate } = request.routeOptions.config;
    let person: SignedIn;
    if (access === 'user') {
      person = await authenticateUser(request, sessions);
      request.signedIn = person;
    } else {
      const member = await authenticateMember(request, sessions);
      person = member;
      request.caller = member;
    }
    if (rate) take(rate, person.userId, 1, reply);
  };

  const isByKey = (request: FastifyRequest, access: Access): boolean =>
    request.headers['x-api-key'] !== undefined ||
    (access === 'postback' && (request.query as { key?: unknown }).key !== undefined) ||
    sessions.tokenOf(request) === undefined;

  // A key in a header is judged before the body is read, one in the body as soon as it is parsed.
  app.addHook('onRequest', (request, reply, next) => {
    const { access = 'open' } = request.routeOptions.config;
    if (access === 'open' || access === 'ingest') return next();
    if ((access === 'secret' || access === 'postback') && isByKey(request, access)) check(request, reply, access, next);
    else checkPerson(request, reply, access).then(() => next(), next);
  });
  app.addHook('preValidation', (request, reply, next) => {
    if (request.routeOptions.config.access === 'ingest') check(request, reply, 'ingest', next);
    else next();
  });
}
