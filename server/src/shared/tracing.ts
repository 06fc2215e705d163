import type { Span } from '@opentelemetry/api';
import type { App } from './http/server.ts';
import { VERSION } from './version.ts';

/** Traces of requests, sent by OTLP. */
export interface Tracing {
  /** Adds a span to every request. Must be called before routes are registered. */
  instrument(app: App): void;
  /** Sends what is left. */
  stop(): Promise<void>;
}

type Env = Record<string, string | undefined>;

/**
 * Starts tracing if OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set; the exporter reads these and the
 * other OTEL_EXPORTER_OTLP_… variables itself. A span contains method, route and status, and nothing that a client sent.
 */
export async function startTracing(env: Env): Promise<Tracing | undefined> {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim() && !env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim()) return undefined;
  // Loaded on demand: the packages take 100 ms and 20 MB of memory.
  const [api, core, sdk, { resourceFromAttributes }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const share = Number(env.OTEL_TRACES_SAMPLER_ARG?.trim() || 1);
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': env.OTEL_SERVICE_NAME?.trim() || 'headwater',
      'service.version': VERSION,
    }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer('headwater', VERSION);
  const propagator = new core.W3CTraceContextPropagator();
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, defaultTextMapGetter } = api;

  return {
    instrument(app) {
      const spans = new WeakMap<object, Span>();
      app.addHook('onRequest', (request, _reply, next) => {
        const parent = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
        const { method, routeOptions } = request;
        const route = routeOptions.url;
        const attributes = {
          'http.request.method': method,
          'url.scheme': request.protocol,
          'headwater.request_id': request.id,
          ...(route !== undefined && { 'http.route': route }),
        };
        const name = route === undefined ? method : `${method} ${route}`;
        spans.set(request, tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent));
        next();
      });
      app.addHook('onResponse', (request, reply, next) => {
        const span = spans.get(request);
        span?.setAttribute('http.response.status_code', reply.statusCode);
        if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
        span?.end();
        next();
      });
      app.addHook('onRequestAbort', (request, next) => {
        spans.get(request)?.end();
        next();
      });
    },
    stop: () => provider.shutdown(),
  };
}
