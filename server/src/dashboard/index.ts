/** Serves the files of the dashboard. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps, Module } from '../shared/deps.ts';
import { notFound } from '../shared/errors.ts';
import type { App } from '../shared/http/server.ts';

const BUILT = join(import.meta.dirname, '../../../dashboard/dist');

/** Uptime monitors use HEAD. */
const open = { method: ['GET', 'HEAD'], config: { access: 'open' as const }, schema: { hide: true } };

const CONTENT_TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The dashboard at `/`, as built by `npm run build`. Without a build, `/` redirects to the API reference. */
export function dashboardModule(deps: Deps): Module {
  return { routes: (app) => dashboardRoutes(app, deps), workers: [] };
}

function dashboardRoutes(app: App, deps: Deps): void {
  if (!existsSync(join(BUILT, 'paths.json'))) {
    deps.log.warn('the dashboard is not built (npm run build): / leads to the reference');
    app.route({ ...open, url: '/', handler: (_request, reply) => reply.redirect('docs') });
    return;
  }
  const page = readFileSync(join(BUILT, 'index.html'), 'utf8');
  const sendPage = (_request: FastifyRequest, reply: FastifyReply, isEmbedded = false) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': policy(nonce, fileSources(deps), isEmbedded ? '*' : "'none'"),
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
        'referrer-policy': 'same-origin',
        ...(!isEmbedded && { 'x-frame-options': 'DENY' }),
      })
      .send(page.replace('%NONCE%', nonce));
  };
  const handle = (request: FastifyRequest, reply: FastifyReply) => sendPage(request, reply);
  const paths = JSON.parse(readFileSync(join(BUILT, 'paths.json'), 'utf8')) as string[];
  for (const top of new Set(paths.map((path) => path.split('/')[1] ?? ''))) {
    if (top === 'embed') continue;
    app.route({ ...open, url: `/${top}`, handler: handle });
    // Below `/files`, files are delivered.
    if (top !== '' && top !== 'files') app.route({ ...open, url: `/${top}/*`, handler: handle });
  }
  // The report of a shared link, which ignores the reader's session: any site may frame it.
  app.route({ ...open, url: '/embed', handler: (request, reply) => sendPage(request, reply, true) });
  // URLs of the dashboard name the account.
  app.route({ ...open, url: '/:account(^acc_\\w+$)', handler: handle });
  app.route({ ...open, url: '/:account(^acc_\\w+$)/*', handler: handle });
  servePart(app, '/icon.svg', () => 'icon.svg', 'public, max-age=86400');
  // File names contain a hash of the content.
  servePart(
    app,
    '/dashboard/:name',
    (request) => `dashboard/${(request.params as { name: string }).name}`,
    'public, max-age=31536000, immutable',
  );
}

function servePart(app: App, url: string, nameOf: (request: FastifyRequest) => string, lifetime: string): void {
  app.route({
    ...open,
    url,
    handler: async (request, reply) => {
      const name = nameOf(request);
      const type = CONTENT_TYPES[name.split('.').at(-1) ?? ''];
      if (type === undefined || !/^[\w/-]+(\.[\w-]+)+$/.test(name)) throw notFound('file');
      const accepted = request.headers['accept-encoding'] ?? '';
      const [encoding, ending] = /\bbr\b/.test(accepted)
        ? ['br', '.br']
        : /\bgzip\b/.test(accepted)
          ? ['gzip', '.gz']
          : [];
      const body = await readFile(join(BUILT, name + (ending ?? ''))).catch(() => undefined);
      if (body === undefined) throw notFound('file');
      if (encoding !== undefined) reply.header('content-encoding', encoding);
      return reply
        .headers({
          'content-type': type,
          'cache-control': lifetime,
          vary: 'accept-encoding',
        })
        .send(body);
    },
  });
}

/** The hosts of images and videos: the service, and the storage that it redirects to. */
function fileSources({ config, publicUrl }: Deps): string {
  const sources = ["'self'", 'data:', 'blob:'];
  if (URL.canParse(publicUrl())) sources.push(new URL(publicUrl()).origin);
  // Signed URLs are on the host of the bucket, which is only known once one is signed.
  if (config.files.delivery === 'redirect') sources.push('https:', 'http:');
  return sources.join(' ');
}

/** Only the service's own scripts, styles and requests. */
function policy(nonce: string, files: string, frameAncestors: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src ${files}`,
    `media-src ${files}`,
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    // Previews of entries on the customer's site, in a sandbox; or on a developer's machine.
    'frame-src https: http://localhost:* http://127.0.0.1:*',
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');
}
