import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Deps } from '../shared/deps.ts';
import { matchesTag } from '../shared/http/entity-tags.ts';
import type { App } from '../shared/http/server.ts';

const DIST = join(import.meta.dirname, '../../../tracker/dist');

interface Script {
  name: string;
  bodies: { br: Buffer; gzip: Buffer; identity: Buffer };
  version: string;
  /** Subresource Integrity. */
  integrity: string;
}

const INSTALLATION = {
  version: Type.String(),
  url: Type.String({
    description: 'This version, which never changes: cacheable without limit and verifiable by `integrity`',
  }),
  latest: Type.String({ description: 'The current version of the service; cached for an hour' }),
  integrity: Type.String({ description: 'Subresource Integrity of `url`' }),
};
const Installation = Type.Object({
  ...INSTALLATION,
  consent: Type.Object(INSTALLATION),
  experiments: Type.Object(INSTALLATION),
});

/**
 * The page script: `/headwater.js` is the current version and cached briefly, `/headwater.<version>.js` never changes, and
 * `/headwater.json` has the URLs of both and the hash for `integrity`. The same for `/headwater-consent.js`, for
 * `/headwater-experiments.js`, which pages inline, and without the hash for `/headwater-edit.js` of previews. Readable from
 * every origin.
 */
export function scriptRoutes(app: App, deps: Deps): void {
  const names = ['headwater', 'headwater-consent', 'headwater-experiments', 'headwater-edit'];
  const [script, consent, experiments] = names.map((name) => serveScript(app, name));
  if (!script || !consent || !experiments) {
    deps.log.warn('The page script is not built, so /headwater.js is not served. Run npm run build.');
    return;
  }
  app.get(
    '/headwater.json',
    { config: { access: 'open' }, schema: { hide: true, response: { 200: Installation } } },
    async (_request, reply) => {
      reply.header('access-control-allow-origin', '*');
      const base = deps.publicUrl();
      const installation = ({ name, version, integrity }: Script) => {
        return { version, url: `${base}/${name}.${version}.js`, latest: `${base}/${name}.js`, integrity };
      };
      return {
        ...installation(script),
        consent: installation(consent),
        experiments: installation(experiments),
      };
    },
  );
}

function serveScript(app: App, name: string): Script | undefined {
  const path = join(DIST, `${name}.js`);
  if (!existsSync(path)) return undefined;
  const script = load(name, readFileSync(path));
  const open = { config: { access: 'open' as const }, schema: { hide: true } };
  const send = (cacheControl: string) => (request: FastifyRequest, reply: FastifyReply) => {
    const etag = `"${script.version}"`;
    reply
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('cache-control', cacheControl)
      .header('vary', 'accept-encoding')
      .header('etag', etag);
    if (matchesTag(request.headers['if-none-match'], (tag) => tag === etag)) return reply.code(304).send();
    const accepted = request.headers['accept-encoding'] ?? '';
    const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.header('content-type', 'text/javascript; charset=utf-8').send(script.bodies[encoding]);
  };
  app.route({
    method: ['GET', 'HEAD'],
    url: `/${name}.js`,
    ...open,
    handler: send('public, max-age=3600, stale-while-revalidate=86400'),
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: `/${name}.${script.version}.js`,
    ...open,
    handler: send('public, max-age=31536000, immutable'),
  });
  return script;
}

function load(name: string, identity: Buffer): Script {
  const digest = createHash('sha384').update(identity).digest();
  return {
    name,
    bodies: { br: brotliCompressSync(identity), gzip: gzipSync(identity, { level: 9 }), identity },
    version: digest.toString('hex').slice(0, 12),
    integrity: `sha384-${digest.toString('base64')}`,
  };
}
