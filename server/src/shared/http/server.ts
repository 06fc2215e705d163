import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
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
import { Problem, problemBody, toApiError } from './problem.ts';

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, Logger, TypeBoxTypeProvider>;

declare module 'fastify' {
  interface FastifyInstance {
    /** The parser of JSON bodies, for a room that takes JSON under another content type. */
    parseJsonBody(request: FastifyRequest, body: Buffer, done: (error: Error | null, value?: unknown) => void): void;
  }
}

/** How long the body of a JSON request may take to arrive. Uploads are watched by their own idle time. */
const BODY_WITHIN_MS = 30_000;
const HEADERS_WITHIN_MS = 15_000;

/**
 * The HTTP server without any route of a domain: parsing, validation, and errors as the contract has them, every default
 * of the framework that would answer otherwise replaced.
 */
export function createServer(config: Config, log: Logger, metrics: Metrics): App {
  const app = Fastify({
    // The framework's own lines are not wanted, its errors are; requests are logged below.
    loggerInstance: log.child({}, { level: log.level === 'silent' ? 'silent' : 'error' }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.limits.bodyBytes,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: 72_000,
    // Whole requests may take as long as an upload needs; JSON bodies have their own, shorter, time below.
    requestTimeout: 3_600_000,
    http: { headersTimeout: HEADERS_WITHIN_MS, connectionsCheckingInterval: 5_000 },
    genReqId: () => publicId('req', newUuid()),
    requestIdHeader: false,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    routerOptions: { maxParamLength: 1_000 },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      sendError(error, request, reply);
    },
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as App;

  app.addSchema(Problem);
  app.setValidatorCompiler(validatorCompiler());
  app.setErrorHandler(sendError);
  answerWrongMethods(app);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseBody);

  function parseBody(
    _request: FastifyRequest,
    body: Buffer,
    done: (error: Error | null, value?: unknown) => void,
  ): void {
    try {
      done(null, parseJson(body, config.limits.bodyDepth));
    } catch (error) {
      done(error as Error);
    }
  }
  app.decorate('parseJsonBody', parseBody);

  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id);
    if (request.method !== 'GET' && !request.routeOptions.config.streams) limitBodyTime(request, reply);
    next();
  });
  app.addHook('preValidation', (request, _reply, next) => {
    clearTimeout(request.bodyTimer);
    for (const [name, value] of Object.entries(request.query as Record<string, unknown>)) {
      const texts = Array.isArray(value) ? value : [value];
      if (!texts.concat(name).every((text) => isStorable(String(text)))) {
        return next(badRequest('text_not_storable', 'The query holds U+0000 or text that is not UTF-8.'));
      }
    }
    next();
  });
  app.decorateRequest('bodyTimer', undefined);

  app.addHook('onResponse', (request, reply, next) => {
    const ms = reply.elapsedTime;
    const route = request.routeOptions.url ?? 'unmatched';
    metrics.requests.labels(request.method, route, String(reply.statusCode)).observe(ms / 1000);
    if (log.isLevelEnabled('debug') || (ms > 2_000 && !request.routeOptions.config.streams)) {
      const line = {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(ms),
      };
      if (ms > 2_000) log.warn(line, 'slow request');
      else log.debug(line, 'request');
    }
    next();
  });

  // `Expect: 100-continue` is answered by Node itself; any other expectation would be its bare 417.
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const error = badRequest('expectation_unsupported', 'Only "Expect: 100-continue" is supported.');
    response.writeHead(400, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify(problemBody(error, publicId('req', newUuid()))));
  });

  return app;
}

function limitBodyTime(request: FastifyRequest, reply: FastifyReply): void {
  request.bodyTimer = setTimeout(() => {
    if (reply.sent) return;
    reply.raw.once('finish', () => request.raw.destroy());
    sendError(new ApiError(400, 'request_timeout', 'The body did not arrive in time.'), request, reply);
  }, BODY_WITHIN_MS);
  request.bodyTimer.unref();
}

function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  clearTimeout(request.bodyTimer);
  const error = toApiError(thrown);
  const route = request.routeOptions.url;
  if (error.status === 500) {
    request.log.error(
      { err: error.cause ?? thrown, requestId: request.id, method: request.method, route },
      'request failed',
    );
  }
  const wantsProblem = request.headers.accept?.includes('application/problem+json');
  // The rest of a body that was refused unread would be taken for the next request.
  if (!request.raw.complete) reply.header('connection', 'close');
  reply
    .code(error.status)
    .headers(error.headers)
    .header('content-type', wantsProblem ? 'application/problem+json' : 'application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(problemBody(error, request.id));
}

/** What is not HTTP, or too slow or too large to become a request: there is no route to speak for it. */
function answerClientError(cause: Error, socket: Socket): void {
  if (!socket.writable || (cause as { code?: string }).code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const known = toApiError(cause);
  const error = known.status === 400 ? known : new ApiError(400, 'request_malformed', 'The request is malformed.');
  const requestId = publicId('req', newUuid());
  const body = JSON.stringify(problemBody(error, requestId));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\nx-request-id: ${requestId}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** 405 with `Allow` where the path is known under another method, else 404. */
function answerWrongMethods(app: App): void {
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { pattern: pathPattern(url), methods: new Set<string>() };
    for (const each of [method].flat()) entry.methods.add(each);
    known.set(url, entry);
  });
  app.setNotFoundHandler((request) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = [...known.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((each) => [...each.methods]);
    if (methods.length === 0) throw new ApiError(404, 'not_found', 'There is nothing at this address.');
    const allow = [...new Set(methods)].sort().join(', ');
    throw new ApiError(405, 'method_not_allowed', `${request.method} is not possible here.`, { headers: { allow } });
  });
}

function pathPattern(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) => (part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('/');
  return new RegExp(`^${source}$`);
}

interface ObjectSchema {
  properties?: Record<string, { type?: string }>;
}

/** Bodies are taken as they are. A query is text: only its integers and booleans are read, and only if written plainly. */
function validatorCompiler() {
  const ajv = new Ajv({
    allErrors: true,
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    strict: false,
  });
  addFormats.default(ajv);
  return ({ schema, httpPart }: { schema: unknown; httpPart?: string }) => {
    const validate = ajv.compile(schema as object);
    if (httpPart !== 'querystring') return validate as never;
    const typed = Object.entries((schema as ObjectSchema).properties ?? {}).filter(
      ([, { type }]) => type === 'integer' || type === 'boolean',
    );
    const validateQuery = (query: Record<string, unknown>) => {
      for (const [name, { type }] of typed) {
        const text = query[name];
        if (typeof text !== 'string') continue;
        if (type === 'integer' && /^-?\d{1,15}$/.test(text)) query[name] = Number(text);
        if (type === 'boolean' && (text === 'true' || text === 'false')) query[name] = text === 'true';
      }
      const valid = validate(query);
      return valid ? { value: query } : { error: validate.errors };
    };
    return validateQuery as never;
  };
}
