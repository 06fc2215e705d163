import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import type { App } from './server.ts';

/** Nothing of the page comes from, or goes to, another address: no fonts, no proxy for its requests, no telemetry. */
const SETTINGS = {
  url: 'openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
};

const START = `Scalar.createApiReference('#app', ${JSON.stringify(SETTINGS)})`;

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <title>Headwater: API reference</title>
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

/** What the settings say, held by the browser as well. */
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

/** `GET /docs`: the API's reference, made from `/openapi.json` in the browser. */
export function referenceRoutes(app: App): void {
  const hidden = { schema: { hide: true }, config: { access: 'open' as const } };
  let script: Promise<Buffer> | undefined;

  app.get('/docs', hidden, (_request, reply) =>
    reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY }).send(PAGE),
  );

  app.get('/docs/reference.js', hidden, async (request, reply) => {
    script ??= loadScript();
    const zipped = await script;
    const takesZipped = request.headers['accept-encoding']?.includes('gzip') ?? false;
    reply.headers({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      vary: 'accept-encoding',
      ...(takesZipped && { 'content-encoding': 'gzip' }),
    });
    return reply.send(takesZipped ? zipped : gunzipSync(zipped));
  });
}

/** The script that the package carries inside its plugin: 20 MB of memory and 0.1 s that only a reader of it costs. */
async function loadScript(): Promise<Buffer> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const carrier = Fastify();
  await carrier.register(plugin, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { rawPayload } = await carrier.inject('/docs/js/scalar.js');
  await carrier.close();
  return gzipSync(rawPayload);
}
