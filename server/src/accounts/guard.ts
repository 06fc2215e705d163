import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Rate, RateName } from '../shared/config.ts';
import type { Deps, Worker } from '../shared/deps.ts';
import { ApiError } from '../shared/errors.ts';
import { networkOf, rateLimitHeaders, TokenBuckets, tooManyRequests } from '../shared/http/rate-limit.ts';
import type { App } from '../shared/http/server.ts';
import { TurnsOfAccounts } from '../shared/http/turns-of-accounts.ts';
import type { Peers } from '../shared/peers.ts';
import { type Access, authenticate, postbackKey, tokenHeader, unauthorized } from './authenticate.ts';
import type { KeyCaller, KeyVerifier } from './key-verifier.ts';
import { requireSameOrigin } from './same-origin.ts';
import {
  authenticateMember,
  authenticateUser,
  type Role,
  requireConfirmation,
  type Sessions,
  type SignedIn,
  sessionRequired,
  type UserCaller,
} from './session-caller.ts';
import { SharedLimits } from './shared-limits.ts';

/** Who makes a request on behalf of an account. */
export type Caller = KeyCaller | UserCaller;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. Every route declares it. */
    access?: Access;
    /** The role a member needs. By default viewers may GET and editors may do everything. */
    role?: Role;
    /**
     * A user has to have entered the password or used a passkey in the last ten minutes: for what gives access, or decides where a
     * secret is sent. A function of the body names the requests that need it.
     */
    confirm?: true | ((body: unknown) => boolean);
    /** The session may be one that views the account as a role: the route only reads, or ends the view. */
    duringView?: true;
    /** Of a route for users: also in a session by single sign-on, which is in the hands of an account. */
    allowsSso?: true;
    rate?: Exclude<RateName, 'ingestAddress'>;
    /** How many requests a batch counts as. */
    cost?: (body: unknown) => number;
    /** Of an open route: strangers make it work, so each address has a limit. */
    isLimited?: true;
    /** Also with an upload token, for the one file that it is for. */
    allowsUploadToken?: true;
    /** The route reads the body itself, at the pace of its sender. */
    streams?: boolean;
    /** The answer waits for something outside of the service, for as long as the route decides. */
    takesLong?: boolean;
  }
  interface FastifyRequest {
    /** Set on every route whose access is `secret`, `postback`, `ingest`, `publishable` or `member`. */
    caller: Caller;
    /** Set on every route whose access is `user`. */
    signedIn: SignedIn;
  }
}

function orUnauthorized(caller: KeyCaller | undefined): KeyCaller {
  if (!caller) throw unauthorized();
  return caller;
}

/** Per address, for the dashboard routes that need no session. */
const PAGE_RATE: Rate = { perSecond: 5, burst: 50 };

/** Refused keys per address: guessing keys, or sending large bodies with a wrong one, is not worth more. */
const REFUSED_RATE: Rate = { perSecond: 10, burst: 100 };

/**
 * Authenticates requests and limits their rate, as each route declares.
 * @param peers with which the limits are shared
 * @param verifyUpload finds out whose upload token a request has; undefined for one without
 */
export function guard(
  app: App,
  deps: Deps,
  keys: KeyVerifier,
  sessions: Sessions,
  peers: Peers,
  verifyUpload: (request: FastifyRequest) => Promise<KeyCaller | undefined> | undefined,
): Worker[] {
  const { config, clock, publicUrl } = deps;
  const turns = new TurnsOfAccounts();
  app.decorateRequest('caller', null as never);
  app.decorateRequest('signedIn', null as never);
  const buckets = config.rates
    ? new Map(
        Object.entries({ ...config.rates, page: PAGE_RATE, refused: REFUSED_RATE }).map(([name, rate]) => [
          name,
          new TokenBuckets(rate, clock),
        ]),
      )
    : undefined;

  /** @throws 429 */
  const admit = (request: FastifyRequest, reply: FastifyReply, caller: KeyCaller) => {
    request.caller = caller;
    const { rate, access, cost } = request.routeOptions.config;
    if (access === 'ingest') turns.note(caller.accountId);
    if (!rate || !buckets) return;
    const price = cost ? cost(request.body) : 1;
    // The address first: one that floods must not use up the limit of others with the same key.
    // A back end sends the events of many visitors from one address.
    if (access === 'ingest' && caller.type !== 'secret') take('ingestAddress', networkOf(request.ip), price, reply);
    take(rate, caller.keyId, price, reply);
  };

  const take = (rate: RateName | 'page' | 'refused', who: string, price: number, reply: FastifyReply) => {
    const bucket = buckets?.get(rate);
    if (!bucket) return;
    const verdict = bucket.take(who, price);
    reply.headers(rateLimitHeaders(rate, bucket.rate, verdict));
    if (!verdict.allowed) throw tooManyRequests(verdict);
  };

  /** @throws 401, 429 */
  const check = (
    request: FastifyRequest,
    reply: FastifyReply,
    access: Access,
    next: (error?: Error) => void,
    allowsUploadToken = false,
  ) => {
    const refuse = (error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 401) return next(error as Error);
      try {
        take('refused', networkOf(request.ip), 1, reply);
        next(error);
      } catch (limit) {
        next(limit as Error);
      }
    };
    let caller: KeyCaller | Promise<KeyCaller>;
    try {
      const byToken = allowsUploadToken ? verifyUpload(request) : undefined;
      caller = byToken ? byToken.then(orUnauthorized) : authenticate(request, access, keys, clock);
      if (!(caller instanceof Promise)) admit(request, reply, caller);
    } catch (error) {
      return refuse(error);
    }
    if (caller instanceof Promise) caller.then((known) => admit(request, reply, known)).then(() => next(), refuse);
    else next();
  };

  /** A request from a page of the dashboard. @throws 401, 400, 404, 429 */
  const checkUser = async (request: FastifyRequest, reply: FastifyReply, access: Access) => {
    const isKeyAlone = tokenHeader(request) !== undefined && sessions.tokenOf(request) === undefined;
    if (isKeyAlone && access !== 'page') throw sessionRequired();
    requireSameOrigin(request, publicUrl());
    if (access === 'page') return take('page', networkOf(request.ip), 1, reply);
    const { rate } = request.routeOptions.config;
    let user: SignedIn;
    if (access === 'user') {
      user = await authenticateUser(request, sessions);
      request.signedIn = user;
    } else {
      const member = await authenticateMember(request, sessions);
      user = member;
      request.caller = member;
    }
    if (rate) take(rate, user.userId, 1, reply);
  };

  const isByKey = (request: FastifyRequest, access: Access): boolean =>
    tokenHeader(request) !== undefined ||
    (access === 'postback' && postbackKey(request) !== undefined) ||
    sessions.tokenOf(request) === undefined;

  const checkAddress = (request: FastifyRequest, _reply: FastifyReply, next: (error?: Error) => void) => {
    const verdict = buckets?.get('refused')?.exhausted(networkOf(request.ip));
    next(verdict && tooManyRequests(verdict));
  };
  const limitAddress = (request: FastifyRequest, reply: FastifyReply, next: (error?: Error) => void) => {
    try {
      take('page', networkOf(request.ip), 1, reply);
      next();
    } catch (error) {
      next(error as Error);
    }
  };
  const checkKeyInBody = (request: FastifyRequest, reply: FastifyReply, next: (error?: Error) => void) =>
    check(request, reply, 'ingest', next);
  const checkCaller =
    (access: Access, allowsUploadToken: boolean | undefined) =>
    (request: FastifyRequest, reply: FastifyReply, next: (error?: Error) => void) => {
      // Responses contain secrets or the account's data.
      reply.header('cache-control', 'no-store');
      if (access === 'publishable') return check(request, reply, access, next);
      const mayHaveKey = access === 'secret' || access === 'postback';
      if (mayHaveKey && isByKey(request, access)) check(request, reply, access, next, allowsUploadToken);
      else checkUser(request, reply, access).then(() => next(), next);
    };

  /** Not for ingest, which is written in batches, nor for what takes as long as its client, or another service, does. */
  const takeTurn = (request: FastifyRequest, reply: FastifyReply, next: () => void) => {
    const { work, routeOptions } = request;
    const { streams, takesLong } = routeOptions.config;
    const takesNone = !work || work.isPart || streams || takesLong;
    if (takesNone || reply.raw.closed) next();
    else request.leaveTurn = turns.take(work.account, next);
  };

  const checkConfirmation = async (request: FastifyRequest) => {
    const { confirm } = request.routeOptions.config;
    // A request by key has no session that somebody could have got hold of.
    const user = request.signedIn ?? (request.caller?.type === 'user' ? request.caller : undefined);
    if (!user || (typeof confirm === 'function' && !confirm(request.body))) return;
    await requireConfirmation(request, user, sessions, clock());
  };

  // A key in a header is verified before the body is read, one in the body as soon as it is parsed.
  app.addHook('onRoute', (route) => {
    const { access = 'open' } = route.config ?? {};
    if (route.config?.confirm) route.preHandler = [checkConfirmation, ...[route.preHandler ?? []].flat()];
    if (access === 'open') {
      if (route.config?.isLimited) route.onRequest = [limitAddress, ...[route.onRequest ?? []].flat()];
      return;
    }
    if (access !== 'ingest') {
      const authenticated = checkCaller(access, route.config?.allowsUploadToken);
      route.onRequest = [authenticated, ...[route.onRequest ?? []].flat(), takeTurn];
      return;
    }
    // An address that sends many wrong keys is refused before its bodies are parsed.
    if (buckets) route.onRequest = [checkAddress, ...[route.onRequest ?? []].flat()];
    route.preValidation = [checkKeyInBody, ...[route.preValidation ?? []].flat()];
  });
  return buckets ? [new SharedLimits(deps, peers, buckets)] : [];
}
