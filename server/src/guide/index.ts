/** Serves the documentation. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps, Module } from '../shared/deps.ts';
import { notFound } from '../shared/errors.ts';
import { GRAPHIQL } from './graphiql.ts';

const BUILT = join(import.meta.dirname, '../../../guide/dist');

const open = { method: ['GET', 'HEAD'], config: { access: 'open' as const }, schema: { hide: true } };

const CONTENT_TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
};

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'cache-control': 'public, max-age=300',
  'content-security-policy': POLICY,
  'referrer-policy': 'same-origin',
};

const GRAPHIQL_HEADERS = {
  'content-type': CONTENT_TYPES.html,
  // Its editor has pictures in its style sheet, and writes one.
  'content-security-policy': POLICY.replace("img-src 'self'", "img-src 'self' data:"),
};

/**
 * The guide at `/guide`, as `npm run build` made it from `docs/`, `/llms.txt`, its contents for language models, and GraphiQL at
 * `/docs/graphiql`.
 */
export function guideModule({ log }: Deps): Module {
  return {
    routes(app) {
      if (!existsSync(BUILT)) {
        log.warn('The guide is not built, so /guide is not served. Run npm run build.');
        return;
      }
      app.route({
        ...open,
        url: '/guide',
        // Relative, for a service below a path.
        handler: (request, reply) => reply.redirect(`${request.url.startsWith('/guide/') ? '' : 'guide/'}quick-start`),
      });
      app.route({
        ...open,
        url: '/guide/*',
        handler: (request, reply) => send(request, reply, (request.params as { '*': string })['*']),
      });
      app.route({
        ...open,
        url: '/docs/graphiql',
        handler: (_request, reply) => reply.headers({ ...HEADERS, ...GRAPHIQL_HEADERS }).send(GRAPHIQL),
      });
      app.route({ ...open, url: '/llms.txt', handler: (request, reply) => send(request, reply, 'llms.txt') });
    },
    workers: [],
  };
}

async function send(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> {
  // No `..` and no hidden file: a name neither starts with a dot nor contains two.
  if (!/^(?:[a-z0-9-]+\/)*[a-z0-9-]+(?:\.[a-z]+)?$/.test(path)) throw notFound('page');
  const name = path.includes('.') ? path : `${path}.html`;
  const type = CONTENT_TYPES[name.split('.').at(-1) ?? ''];
  if (type === undefined) throw notFound('page');
  const isZipped = !type.startsWith('image/') && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  const body = await readFile(join(BUILT, isZipped ? `${name}.gz` : name)).catch(() => undefined);
  if (body === undefined) throw notFound('page');
  if (isZipped) reply.header('content-encoding', 'gzip');
  return reply.headers({ ...HEADERS, 'content-type': type, vary: 'accept-encoding' }).send(body);
}
