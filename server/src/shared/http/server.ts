import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify';
import type { Config } from '../config.ts';
import { ApiError, badRequest } from '../errors.ts';
import { newUuid, publicId } from '../ids.ts';
import { isStorable, parseJson } from '../json.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { closeGracefully } from './graceful-close.ts';
import { Problem, problemBody, toApiError } from './problem.ts';
import { answerClientError, answerUnrouted } from './unrouted.ts';
import { validatorCompiler } from './validate.ts';
import { watchRoutes } from './wrong-method.ts';

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, Logger, TypeBoxTypeProvider>;

declare module 'fastify' {
  interface FastifyInstance {
    /** The parser of JSON bodies, for a room that takes JSON under another content type. */
    parseJsonBody(request: FastifyRequest, body: Buffer, done: (error: Error | null, value?: unknown) => void): void;
  }
  interface FastifyRequest {
    bodyTimer: NodeJS.Timeout | undefined;
  }
}

/** How long a client may take, in milliseconds. */
export interface Patience {
  headers: number;
  /** The body of a JSON request. Uploads are watched by their own idle time. */
  body: number;
  /** What is left of a body that was refused is read, so that its sender comes to read the answer. */
  linger: number;
  /** A connection on which nothing moves in either direction. */
  idle: number;
}

const PATIENCE: Patience = { headers: 15_000, body: 30_000, linger: 5_000, idle: 120_000 };

const SLOW_MS = 2_000;

/**
 * The HTTP server without any route of a domain: parsing, validation, and errors as the contract has them, every default
 * of the framework that would answer otherwise replaced.
 */
export function createServer(config: Config, log: Logger, metrics: Metrics, patience: Patience = PATIENCE): App {
  const app = Fastify({
    // The framework's own lines are not wanted, its errors are; requests are logged below.
    loggerInstance: log.child({}, { level: log.level === 'silent' ? 'silent' : 'error' }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.limits.bodyBytes,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: 72_000,
    connectionTimeout: patience.idle,
    // Whole requests may take as long as an upload needs; JSON bodies have their own, shorter, time below.
    requestTimeout: 3_600_000,
    http: {
      headersTimeout: patience.headers,
      connectionsCheckingInterval: Math.ceil(patience.headers / 3),
      // Refused below, with a body.
      requireHostHeader: false,
    },
    genReqId: () => publicId('req', newUuid()),
    requestIdHeader: false,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    routerOptions: { maxParamLength: 1_000 },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, patience.linger),
    frameworkErrors: (error, request, reply) => {
      sendError(error, request, reply);
    },
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as App;

  // A logger of its own for each request would cost 2 % of its time; what is logged of one names its id.
  app.setChildLoggerFactory((logger) => logger as Logger);
  app.addSchema(Problem);
  app.setValidatorCompiler(validatorCompiler());
  app.setErrorHandler(sendError);
  answerUnrouted(app.server, patience.linger);
  closeGracefully(app.server);
  const refuseUnrouted = watchRoutes(app);
  app.setNotFoundHandler((request) => {
    throw refuseUnrouted(request);
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseBody);
  app.decorate('parseJsonBody', parseBody);
  app.decorateRequest('bodyTimer', undefined);

  function parseBody(
    request: FastifyRequest,
    body: Buffer,
    done: (error: Error | null, value?: unknown) => void,
  ): void {
    // Many clients name the content type of a DELETE that has no content.
    const mayBeEmpty = request.routeOptions.schema?.body === undefined;
    try {
      done(null, body.length === 0 && mayBeEmpty ? undefined : parseJson(body, config.limits.bodyDepth));
    } catch (error) {
      done(error as Error);
    }
  }

  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id);
    // Before the body is read: of what is not there, its content type and size are no fault.
    if (request.is404) return next(refuseUnrouted(request));
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return next(badRequest('host_missing', 'A request of HTTP/1.1 has a Host header.'));
    }
    if (request.method !== 'GET' && !request.routeOptions.config.streams) limitBodyTime(request, reply);
    next();
  });

  app.addHook('preValidation', (request, _reply, next) => {
    clearTimeout(request.bodyTimer);
    const query = request.query as Record<string, unknown>;
    for (const name in query) {
      const value = query[name];
      const texts = Array.isArray(value) ? value : [value];
      if (!isStorable(name) || !texts.every((text) => isStorable(String(text)))) {
        return next(badRequest('text_not_storable', 'The query holds U+0000 or text that is not UTF-8.'));
      }
    }
    next();
  });

  app.addHook('onResponse', (request, reply, next) => {
    const ms = reply.elapsedTime;
    const { url: route = 'unmatched', config: declared } = request.routeOptions;
    metrics.requests.labels(request.method, route, String(reply.statusCode)).observe(ms / 1000);
    const isSlow = ms > SLOW_MS && !declared.streams;
    if (isSlow || log.isLevelEnabled('debug')) {
      const { method, id: requestId } = request;
      const line = { requestId, method, route, status: reply.statusCode, ms: Math.round(ms) };
      if (isSlow) log.warn(line, 'slow request');
      else log.debug(line, 'request');
    }
    next();
  });

  function limitBodyTime(request: FastifyRequest, reply: FastifyReply): void {
    request.bodyTimer = setTimeout(() => {
      if (reply.sent) return;
      sendError(new ApiError(400, 'request_timeout', 'The body did not arrive in time.'), request, reply);
    }, patience.body);
    request.bodyTimer.unref();
  }

  function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    clearTimeout(request.bodyTimer);
    if (reply.sent) return;
    const error = toApiError(thrown);
    if (error.status === 500) {
      const { method, id: requestId } = request;
      const route = request.routeOptions.url;
      log.error({ err: error.cause ?? thrown, requestId, method, route }, 'request failed');
    }
    discardBody(request, reply, patience.linger);
    // Set for the success that did not come, or by the framework, which would hang up.
    for (const name of SUCCESS_HEADERS) reply.removeHeader(name);
    const wantsProblem = request.headers.accept?.includes('application/problem+json');
    reply
      .code(error.status)
      .headers(error.headers)
      .headers({
        'x-request-id': request.id,
        'cache-control': 'no-store',
        'content-type': wantsProblem ? 'application/problem+json' : 'application/json; charset=utf-8',
      })
      .serializer(JSON.stringify)
      .send(problemBody(error, request.id));
  }

  return app;
}

const SUCCESS_HEADERS = [
  'connection',
  'etag',
  'last-modified',
  'accept-ranges',
  'content-range',
  'content-disposition',
  'content-security-policy',
];

/**
 * Reads and throws away the rest of a body that was refused, as long as it goes on arriving, but not for long: were the
 * connection closed over it, the system would reset it, and its sender could lose the answer.
 */
function discardBody({ raw }: FastifyRequest, reply: FastifyReply, lingerMs: number): void {
  const hasBody = raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length']) > 0;
  if (raw.complete || !hasBody) return;
  raw.resume();
  reply.raw.once('finish', () => {
    if (raw.complete) return;
    const silent = setTimeout(() => raw.destroy(), lingerMs).unref();
    const late = setTimeout(() => raw.destroy(), 6 * lingerMs).unref();
    raw.on('data', () => silent.refresh());
    raw.once('close', () => {
      clearTimeout(silent);
      clearTimeout(late);
    });
  });
}
