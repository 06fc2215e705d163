import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify from 'fastify';
import type { App } from './server.ts';

/** The page contacts no other host: no web fonts, no proxy for its requests, no telemetry. It sends requests to the service that serves it. */
const SETTINGS = {
  url: 'openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  servers: [{ url: '/' }],
  authentication: {
    preferredSecurityScheme: 'bearer',
    securitySchemes: { token: { value: 'Bearer ' }, publishableHeader: { value: 'Bearer ' } },
  },
};

const START = `Scalar.createApiReference('#app', ${JSON.stringify(SETTINGS)})`;

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <title>Headwater API reference</title>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
  </head>
  <body>
    <div id="app"></div>
    <script src="docs/reference.js"></script>
    <script>${START}</script>
  </body>
</html>
`;

/** Makes the browser enforce what the settings promise. */
const POLICY = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(START).digest('base64')}'`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `GET /docs`: the API reference, which the browser renders from `/openapi.json`. */
export function referenceRoutes(app: App): void {
  const hidden = { schema: { hide: true }, config: { access: 'open' as const } };
  let script: Promise<{ plain: Buffer; zipped: Buffer }> | undefined;

  app.get('/docs', hidden, (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        'referrer-policy': 'same-origin',
      })
      .send(PAGE),
  );

  app.get('/docs/reference.js', hidden, async (request, reply) => {
    script ??= loadScript();
    const { plain, zipped } = await script;
    const acceptsGzip = request.headers['accept-encoding']?.includes('gzip') ?? false;
    reply.headers({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      vary: 'accept-encoding',
      ...(acceptsGzip && { 'content-encoding': 'gzip' }),
    });
    return reply.send(acceptsGzip ? zipped : plain);
  });
}

/** Loads the script from the package's plugin on first use, which takes 0.1 s and 20 MB. */
async function loadScript() {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const carrier = Fastify();
  await carrier.register(plugin, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { rawPayload } = await carrier.inject('/docs/js/scalar.js');
  await carrier.close();
  return { plain: rawPayload, zipped: await promisify(gzip)(rawPayload) };
}
