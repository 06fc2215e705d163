import { createHash, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Deps } from '../deps.ts';
import { diskMetrics } from '../disk-space.ts';
import { ApiError } from '../errors.ts';
import type { Limits } from '../limits.ts';
import { poolMetrics } from '../postgres/pool-metrics.ts';
import { VERSION } from '../version.ts';
import { LOCAL_URL } from './api-guide.ts';
import { healthRoutes } from './health.ts';
import { KEY_HOURS, MAX_KEY_LENGTH } from './idempotency.ts';
import { MAX_PAGE_SIZE } from './keyset-page.ts';
import { asOpenApi30 } from './openapi-3.0.ts';
import { networkOf } from './rate-limit.ts';
import { referenceRoutes } from './reference.ts';
import { routesOf } from './routes.ts';
import type { App } from './server.ts';

/** Limits that are settings, or of the API as a whole. */
const common = {
  bodyBytes: Type.Integer({ description: 'Maximum size of a JSON body' }),
  conversionBodyBytes: Type.Integer({ description: 'Maximum size of the JSON body of a conversion report' }),
  bodyDepth: Type.Integer({ description: 'Maximum nesting of a JSON body' }),
  conversionsPerBatch: Type.Integer(),
  pageSize: Type.Integer({ description: 'Maximum page size of a list' }),
  idempotencyKeyLength: Type.Integer({ description: 'Maximum length of an Idempotency-Key' }),
  idempotencyKeyHours: Type.Integer({ description: 'How long the response to an Idempotency-Key is stored' }),
  entryVersions: Type.Integer({ description: 'Earlier versions that are kept of each entry' }),
  imageBytes: Type.Integer(),
  imagePixels: Type.Integer(),
  videoBytes: Type.Integer(),
  fileBytes: Type.Integer(),
  importBytes: Type.Integer({ description: 'Maximum size of a CSV import' }),
  importRows: Type.Integer({ description: 'Maximum rows of a CSV import' }),
  imageSizes: Type.Array(Type.Integer(), {
    description: 'Widths and heights in which an image can be requested, as `?w=` and `?h=` of its URL',
  }),
  rates: Type.Union(
    [Type.Record(Type.String(), Type.Object({ perSecond: Type.Number(), burst: Type.Integer() })), Type.Null()],
    { description: 'Requests per second, and at once, by type of request; null: not limited' },
  ),
};

/**
 * Routes outside the domains: health, metrics, the API description, limits.
 * @param limits the limits of the modules
 * @param overdue seconds by queue, of those in which something waits for too long
 */
export function serviceRoutes(
  app: App,
  { config, db, metrics, publicUrl }: Deps,
  limits: Record<string, Limits>,
  overdue: () => Record<string, number>,
): void {
  const hidden = { schema: { hide: true }, config: { access: 'open' as const } };

  poolMetrics(metrics, db);
  metrics.info('headwater_build_info', 'The version of the service', { version: VERSION });
  diskMetrics(metrics, config.dataDir);

  healthRoutes(app, db, overdue);

  app.get('/metrics', hidden, async (request, reply) => {
    if (!mayReadMetrics(request, config.metricsToken)) throw unauthorizedMetrics();
    return reply.header('content-type', metrics.registry.contentType).send(await metrics.registry.metrics());
  });

  documentRoute(app, '/openapi.json', (document) => hosted(document, publicUrl()));
  documentRoute(app, '/openapi-3.0.json', (document) => asOpenApi30(hosted(document, publicUrl())));

  referenceRoutes(app);

  const { get } = routesOf(app);
  get('/v1/limits', {
    config: { access: 'secret', rate: 'read' },
    operationId: 'getLimits',
    tags: ['Service'],
    summary: 'Get the limits of this service',
    description: 'Everything that a request is measured against. Lengths are in characters.',
    security: [{ token: [] }],
    returns: Type.Object({ ...common, ...mapValues(limits, ({ schema }) => schema) }, { title: 'Limits' }),
    handle: async () => ({
      ...config.limits,
      imageSizes: config.files.variantSizes,
      pageSize: MAX_PAGE_SIZE,
      idempotencyKeyLength: MAX_KEY_LENGTH,
      idempotencyKeyHours: KEY_HOURS,
      entryVersions: config.entryVersions,
      rates: config.rates ?? null,
      ...mapValues(limits, ({ values }) => values),
    }),
  });
}

/** Serves the description of the API. @param convert to what tools read that do not know OpenAPI 3.1 */
function documentRoute(app: App, path: string, convert: (document: Record<string, unknown>) => object): void {
  let described: Promise<ApiDocument> | undefined;
  app.get(path, { schema: { hide: true }, config: { access: 'open' } }, async (request, reply) => {
    described ??= app.openapi().then((document) => serialize(convert(document)));
    const { text, zipped, etag } = await described;
    // Tools in the browser read it from other sites.
    reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-encoding')
      .header('etag', etag);
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    reply.header('content-type', 'application/json; charset=utf-8');
    if (!request.headers['accept-encoding']?.includes('gzip')) return reply.send(text);
    return reply.header('content-encoding', 'gzip').send(zipped);
  });
}

/** With the URL of the service, for tools that import the document and lines that are copied. */
function hosted({ info, ...document }: Record<string, unknown>, url: string): Record<string, unknown> {
  const { description, ...rest } = info as { description: string };
  return {
    ...document,
    info: { ...rest, description: description.replaceAll(LOCAL_URL, url) },
    servers: [{ url }],
  };
}

/** What only the generator of the SDK reads. */
const SDK_ONLY = 'x-sdk-types';

interface ApiDocument {
  text: string;
  zipped: Buffer;
  etag: string;
}

async function serialize(document: object): Promise<ApiDocument> {
  const text = JSON.stringify(document, (name, value) => (name === SDK_ONLY ? undefined : value));
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return { text, etag, zipped: await promisify(gzip)(text) };
}

function mapValues<Value, Result>(
  record: Record<string, Value>,
  map: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

/** What proxies add to requests that they forward. */
const FORWARDING = /^(?:forwarded|via|x-forwarded-.+|x-real-ip|cf-connecting-ip|true-client-ip)$/;

/** A host that other machines do not reach, with any port. */
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * With `METRICS_TOKEN`, requests that send it; otherwise requests of this machine to this machine. One of a proxy comes from
 * this machine, too: it names the host that its client wanted, or tells that it was forwarded.
 */
function mayReadMetrics({ ip, headers }: FastifyRequest, token: string | undefined): boolean {
  if (token !== undefined) {
    const sent = createHash('sha256')
      .update(headers.authorization ?? '')
      .digest();
    return timingSafeEqual(sent, createHash('sha256').update(`Bearer ${token}`).digest());
  }
  const isForwarded = Object.keys(headers).some((name) => FORWARDING.test(name));
  return !isForwarded && LOCAL_HOST.test(headers.host ?? '') && (ip === '::1' || networkOf(ip).startsWith('127.'));
}

function unauthorizedMetrics(): ApiError {
  const detail =
    'Set METRICS_TOKEN and send it as `Authorization: Bearer …` to read the metrics from another machine or through a proxy.';
  return new ApiError(401, 'unauthorized', detail, { headers: { 'www-authenticate': 'Bearer realm="metrics"' } });
}
