import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyReply, type FastifyRequest, LogController, type RawServerDefault } from 'fastify';
import type { Config } from '../config.ts';
import { ApiError, badRequest, invalid } from '../errors.ts';
import { newPublicId } from '../ids.ts';
import { isStorable, parseJson, parseJsonLeniently, storableText } from '../json.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { isContention, overloaded, timedOut } from '../postgres/database-errors.ts';
import { nextTurn } from '../turns.ts';
import { HOUR } from '../units.ts';
import type { App } from './app.ts';
import { CompileInTurns } from './compile-in-turns.ts';
import { type ConnectionLimits, dropRefusedPipelines, limitConnections, PendingRequests } from './connection-limits.ts';
import { Deadlines } from './deadlines.ts';
import { decodeBody } from './decode-body.ts';
import { discardBody } from './discard-body.ts';
import { closeGracefully, type Drain } from './graceful-close.ts';
import { hostFault } from './host.ts';
import { allowMissingBodies } from './optional-body.ts';
import { PacedRefusals } from './paced-refusals.ts';
import { API_SECURITY, Problem, problemBody, toApiError } from './problem.ts';
import { networkOf } from './rate-limit.ts';
import { workOfRequests } from './request-work.ts';
import { refuseUnknownParameters } from './unknown-parameters.ts';
import { respondClientError, respondUnrouted } from './unrouted.ts';
import { serializerFactory, validatorCompiler } from './validate.ts';
import { watchRoutes } from './wrong-method.ts';

export type { App } from './app.ts';

declare module 'fastify' {
  interface FastifyInstance {
    drain: Drain;
    /** The parser of JSON bodies, for modules that accept JSON under another content type. */
    parseJsonBody(request: FastifyRequest, body: Buffer, done: (error: Error | null, value?: unknown) => void): void;
  }
  interface FastifyContextConfig {
    /** Text that cannot be stored is replaced, and numbers beyond a double are read as text, because nothing may be lost. */
    isLenient?: boolean;
    /** For bodies with values of entries, or conditions on them, whose fields accept or refuse numbers that a double does not hold. */
    isJsonKept?: boolean;
    /**
     * For routes that only read: the error of a request whose own statements take too long; undefined if it asks for so little that only a busy
     * machine takes that time, which is 429 `overloaded`. Without it, that is 500 `timed_out` for GET, and 429 for others, as is a request
     * that waited for others.
     */
    late?: (request: FastifyRequest) => ApiError | Promise<ApiError | undefined>;
  }
  interface FastifyRequest {
    /** See `Deadlines`. */
    deadline: number;
    /** How much of its time to respond was left when its body began. */
    answerMs: number;
    /** See `PendingRequests`. */
    reservedBytes: number;
  }
}

/** Registers routes in a scope: hooks and content type parsers that are added there apply to these routes alone. */
export function inScope(app: App, register: (scope: App) => void | Promise<void>): PromiseLike<unknown> {
  return app.register<RawServerDefault, TypeBoxTypeProvider, Logger>(async (scope) => register(scope));
}

/** How long a client may take, in milliseconds. */
export interface Patience {
  headers: number;
  /** The body of a JSON request. Uploads are watched by their own idle time. */
  body: number;
  /** The rest of a refused body is read for this long, so that its sender reads the response. */
  linger: number;
  /** A connection without traffic in either direction. */
  idle: number;
  /** From the end of the request to the response. */
  answer: number;
}

const PATIENCE: Patience = { headers: 15_000, body: 30_000, linger: 5_000, idle: 120_000, answer: 9_500 };

const CONNECTION_LIMITS: ConnectionLimits = {
  connections: 8_000,
  connectionsPerAddress: 2_000,
  requestsPerConnection: 64,
  pendingBodyBytes: 256 * 1_048_576,
};

/** The + of offsets in a query. */
const OFFSETS =
  /(\d{4}-\d\d-\d\d(?:T|\+|%20)\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d{1,9})?)?)\+(?=\d\d(?:(?::|%3A)?\d\d)?(?!\d))/gi;

const SLOW_MS = 2_000;

/** A larger body is parsed in a turn of its own. */
const LARGE_BODY_BYTES = 100_000;

/** Sent if PUBLIC_URL is https: browsers then use only https for a year. */
const HSTS = 'max-age=31536000';

/**
 * The HTTP server without routes: parsing, validation, limits, and errors as in the contract, in place of every default of
 * the framework that would respond differently.
 */
export function createServer(
  config: Config,
  log: Logger,
  metrics: Metrics,
  patience: Patience = PATIENCE,
  connectionLimits: ConnectionLimits = CONNECTION_LIMITS,
  deadlines = new Deadlines(),
): App {
  const turns = new CompileInTurns();
  const app = Fastify({
    // Of the framework only errors are logged; requests are logged below.
    loggerInstance: log.child({}, { level: log.level === 'silent' ? 'silent' : 'error' }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.limits.bodyBytes,
    // A route with side effects, such as the postback, opts out.
    exposeHeadRoutes: true,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: 72_000,
    connectionTimeout: patience.idle,
    // Uploads may take long; JSON bodies have a shorter limit below.
    requestTimeout: HOUR,
    http: {
      headersTimeout: patience.headers,
      // Often, because all connections that have expired are responded to at once: 5,000 of them block the service for 0.2 s.
      connectionsCheckingInterval: Math.min(100, Math.ceil(patience.headers / 3)),
      // Refused below, with an error body.
      requireHostHeader: false,
    },
    genReqId: () => newPublicId('req'),
    requestIdHeader: false,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    schemaController: {
      compilersFactory: {
        buildSerializer: serializerFactory(turns),
        buildValidator: (() => validatorCompiler(turns)) as never,
      },
    },
    // An unescaped + means a space, but not between a time and its offset.
    rewriteUrl: ({ url = '/' }) => (url.includes('+') ? url.replace(OFFSETS, '$1%2B') : url),
    routerOptions: { maxParamLength: 1_000, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
    clientErrorHandler: (error, socket) => respondClientError(error, socket, patience.linger),
    frameworkErrors: (error, request, reply) => {
      sendError(error, request, reply);
    },
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as App;

  // A logger for each request would cost 2 % of its time; log lines name the request id instead.
  app.setChildLoggerFactory((logger) => logger as Logger);
  app.addSchema(Problem);
  app.setErrorHandler(sendError);
  respondUnrouted(app.server, patience.linger);
  app.decorate('drain', closeGracefully(app.server));
  const isHttps = config.publicUrl?.startsWith('https:') ?? false;
  const isTrustedProxy = trustedProxies(config.trustProxy);
  limitConnections(app.server, connectionLimits, isTrustedProxy, log);
  dropRefusedPipelines(app.server);
  const pending = new PendingRequests(connectionLimits);
  const refusals = new PacedRefusals();
  allowMissingBodies(app);
  refuseUnknownParameters(app);
  turns.watch(app);
  const refuseUnrouted = watchRoutes(app);
  app.setNotFoundHandler((request) => {
    throw refuseUnrouted(request);
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(['application/json', 'text/json'], { parseAs: 'buffer' }, parseBody);
  app.decorate('parseJsonBody', parseBody);
  app.decorateRequest('deadline', -1);
  app.decorateRequest('answerMs', 0);
  app.decorateRequest('reservedBytes', 0);

  function parseBody(
    request: FastifyRequest,
    body: Buffer,
    done: (error: Error | null, value?: unknown) => void,
  ): void {
    // Many clients send a content type with a DELETE that has no body.
    const mayBeEmpty = request.routeOptions.schema?.body === undefined;
    const parse = () => {
      let value: unknown;
      try {
        if (body.length > 0 || !(mayBeEmpty || request.routeOptions.config.mayOmitBody)) {
          const { isLenient, isJsonKept } = request.routeOptions.config;
          value = isLenient ? parseJsonLeniently(body) : parseJson(body, config.limits.bodyDepth, isJsonKept);
        }
      } catch (error) {
        return done(error as Error);
      }
      done(null, value);
    };
    if (body.length < LARGE_BODY_BYTES) parse();
    else void nextTurn(request.work?.account).then(parse);
  }

  // One hook for each phase, without a timer, a listener or a closure of the request: ingest spends most of its time here.
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id);
    if (isApi(request)) reply.headers(API_SECURITY);
    else reply.header('x-content-type-options', 'nosniff');
    if (isHttps) reply.header('strict-transport-security', HSTS);
    const isTooMuch = pending.start(request);
    if (isTooMuch) return next(isTooMuch);
    // Before the body is read: the content type and size of a request without a route do not matter.
    if (request.is404) return next(refuseUnrouted(request));
    const fault = hostFault(request.raw);
    if (fault) return next(fault);
    if (!request.routeOptions.config.streams) {
      deadlines.set(request, reply, patience.answer, sendTimedOut);
      // A body without a content type is read as JSON.
      if (request.method !== 'GET' && !request.headers['content-type'] && hasBody(request.raw)) {
        request.raw.headers['content-type'] = 'application/json';
      }
      // Some clients declare a type of what they do not send.
      const { config, schema } = request.routeOptions;
      if ((config.mayOmitBody || schema?.body === undefined) && !hasBody(request.raw)) {
        delete request.raw.headers['content-type'];
      }
    }
    next();
  });

  workOfRequests(app);

  app.addHook('preParsing', (request, reply, payload, next) => {
    request.answerMs = deadlines.left(request);
    if (request.method === 'GET' || request.routeOptions.config.streams) return next(null, payload);
    // Time in which the client sends the body does not count as time to respond.
    deadlines.set(request, reply, patience.body, sendBodyTimedOut);
    const isTooMuch = pending.reserveBody(request, reply);
    if (isTooMuch) return next(isTooMuch);
    next(null, decodeBody(request, payload));
  });

  app.addHook('preValidation', (request, reply, next) => {
    pending.releaseBody(request);
    if (request.routeOptions.config.mayOmitBody) request.body ??= {};
    const { streams, takesLong } = request.routeOptions.config;
    if (takesLong) deadlines.clear(request);
    else if (!streams) deadlines.set(request, reply, request.answerMs, sendTimedOut);
    const query = request.query as Record<string, unknown>;
    if (request.routeOptions.config.isLenient) makeStorable(query);
    next(request.method === 'OPTIONS' ? undefined : queryFault(query));
  });

  app.addHook('onResponse', (request, reply, next) => {
    deadlines.clear(request);
    pending.end(request);
    const ms = reply.elapsedTime;
    const { url: route = 'unmatched', config: declared } = request.routeOptions;
    metrics.observeRequest(request.method, route, reply.statusCode, ms / 1000);
    const isSlow = ms > SLOW_MS && !declared.streams && !declared.takesLong;
    if (isSlow || log.isLevelEnabled('debug')) {
      const { method, id: requestId } = request;
      const line = { requestId, method, route, status: reply.statusCode, ms: Math.round(ms) };
      if (isSlow) log.warn(line, 'slow request');
      else log.debug(line, 'request');
    }
    next();
  });

  app.addHook('onClose', () => deadlines.close());

  async function sendTimedOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // A change may have waited for a lock for all of that time.
    const { late = request.method === 'GET' ? () => timedOut() : undefined } = request.routeOptions.config;
    const isLong = request.work?.hasExecutedFor(EXPENSIVE_PART * patience.answer);
    const found = isLong ? await late?.(request) : undefined;
    // It may be done by now.
    if (!reply.sent) reply.send(giveUp(request, found ?? overloaded()));
  }

  function sendBodyTimedOut(request: FastifyRequest, reply: FastifyReply): void {
    sendError(new ApiError(400, 'request_timeout', 'The body did not arrive in time.'), request, reply);
  }

  function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    deadlines.clear(request);
    if (reply.sent) return;
    // A refusal says that nothing was done.
    const isLost = !(thrown instanceof ApiError) && isContention(thrown);
    const isIncomplete = isLost && (request.work ?? request).mayHaveEffect;
    const found = isIncomplete ? timedOut(thrown) : toApiError(thrown);
    const error = isClientAbort(thrown, request) ? ABORTED : withQueryFaults(found, thrown, request);
    if (error.status === 500) {
      const { method, id: requestId } = request;
      const route = request.routeOptions.url;
      const cell = request.caller?.cell;
      log.error({ err: error.cause ?? thrown, requestId, method, route, ...(cell && { cell }) }, 'request failed');
    }
    // Set for the success that did not happen, or by the framework, which would close the connection.
    for (const name of SUCCESS_HEADERS) reply.removeHeader(name);
    discardBody(request, reply, patience.linger);
    const sender = error.status === 429 && (request.caller?.accountId ?? networkOf(request.ip));
    const delay = sender ? refusals.hold(sender, performance.now()) : 0;
    if (delay === 0) respond(error, request, reply);
    else setTimeout(respond, delay, error, request, reply);
  }

  function respond(error: ApiError, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.sent) return;
    const wantsProblem = request.headers.accept?.includes('application/problem+json');
    reply
      .code(error.status)
      .headers(error.headers)
      .headers({
        'x-request-id': request.id,
        'cache-control': error.headers['cache-control'] ?? 'no-store',
        ...API_SECURITY,
        'content-type': wantsProblem ? 'application/problem+json' : 'application/json; charset=utf-8',
      })
      .serializer(JSON.stringify)
      .send(problemBody(error, request.id));
  }

  return app;
}

/**
 * The part of the time for a response that the statements of a request take if it is the request that costs too much. A database
 * that no longer responds is noticed in less.
 */
const EXPENSIVE_PART = 0.7;

const SUCCESS_HEADERS = [
  'connection',
  'etag',
  'last-modified',
  'accept-ranges',
  'content-range',
  'content-disposition',
];

/** Pages, scripts and files declare what they may load. */
function isApi({ url }: FastifyRequest): boolean {
  return url.startsWith('/v1/') || url.startsWith('/auth/');
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}

/** Replaces the characters of a query that cannot be stored. */
function makeStorable(query: Record<string, unknown>): void {
  const storable = (value: unknown) => (typeof value === 'string' ? storableText(value) : value);
  for (const [name, value] of Object.entries(query)) {
    if (!isStorable(name)) delete query[name];
    query[storableText(name)] = Array.isArray(value) ? value.map(storable) : storable(value);
  }
}

/** The fault of a query that cannot be stored; undefined if there is none. */
function queryFault(query: Record<string, unknown>): ApiError | undefined {
  for (const name in query) {
    const value = query[name];
    const texts = Array.isArray(value) ? value : [value];
    if (!isStorable(name) || !texts.every((text) => isStorable(String(text)))) {
      return badRequest('text_not_storable', 'The query contains U+0000 or text that is not UTF-8.');
    }
  }
  return undefined;
}

/**
 * Ends a request whose time is over. Unless something of it may have been committed, nothing will be, so it is refused: to send it
 * again is safe.
 */
function giveUp(request: FastifyRequest, refusal: ApiError): ApiError {
  const { work } = request;
  if ((work ?? request).mayHaveEffect) return timedOut();
  if (work) work.refuse();
  else request.isRefused = true;
  return work?.hasLostConnection ? timedOut() : refusal;
}

/** The framework stops validating at an invalid body; the error also lists what is wrong with the query. */
function withQueryFaults(error: ApiError, thrown: unknown, request: FastifyRequest): ApiError {
  if ((thrown as { validationContext?: string } | null)?.validationContext !== 'body') return error;
  const found = request.getValidationFunction('querystring')?.(request.query) as { error?: unknown } | undefined;
  if (!found?.error) return error;
  const query = toApiError({ validation: found.error, validationContext: 'querystring' });
  return invalid([...error.errors, ...query.errors]);
}

const ABORTED = badRequest('request_aborted', 'The client closed the connection before the request was complete.');

/** Whether the client itself broke off its request. The error of any other connection, such as the database's, is not. */
function isClientAbort(thrown: unknown, { raw }: FastifyRequest): boolean {
  const { code, message } = (thrown ?? {}) as { code?: string; message?: string };
  return code === 'ECONNRESET' && !raw.complete && (raw.errored === thrown || message === 'aborted');
}

/** @param proxies addresses and CIDR ranges */
function trustedProxies(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
