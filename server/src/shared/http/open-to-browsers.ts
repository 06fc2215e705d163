import type { App } from './app.ts';

/** Lets pages of every site read these routes, which a publishable key opens. */
export function openToBrowsers(app: App, urls: readonly string[]): void {
  app.addHook('onRequest', (_request, reply, next) => {
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'etag, retry-after');
    next();
  });
  for (const url of urls) {
    app.options(url, { config: { access: 'open' }, schema: { hide: true } }, (_request, reply) => {
      reply
        .header(
          'access-control-allow-methods',
          url.endsWith('/graphql') ? 'GET, HEAD, POST' : /query|aggregate/.test(url) ? 'POST' : 'GET, HEAD',
        )
        .header('access-control-allow-headers', 'x-api-key, authorization, if-none-match, content-type')
        .header('access-control-max-age', '86400')
        .send('');
    });
  }
}
