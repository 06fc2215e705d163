import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Deps } from '../../shared/deps.ts';
import { ApiError, invalid, notFound } from '../../shared/errors.ts';
import { keysetPage, NextPageToken, pageQuery } from '../../shared/http/keyset-page.ts';
import { withErrors } from '../../shared/http/problem.ts';
import { routesOf } from '../../shared/http/routes.ts';
import { orNull, STRICT } from '../../shared/http/schemas.ts';
import type { App } from '../../shared/http/server.ts';
import type { Collection, SchemaView } from '../collections/collection.ts';
import { tagHeaders } from '../delivery/cache-tags.ts';
import { CACHING } from '../delivery/caching.ts';
import { KEY, RICHTEXT, VARIANTS } from '../delivery/contract.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { Expand, PublicEntry } from '../entries/contract.ts';
import { findRedirects, type Redirect, type RedirectPosition } from './redirects.ts';
import { collectionsWithUrls, resolvePath } from './resolve-path.ts';
import { sitemapIndexXml, sitemapParts, sitemapXml } from './sitemap.ts';

const security: Record<string, string[]>[] = [{ publishableKey: [] }, { publishableHeader: [] }];
const about = { tags: ['Public content'], security };
const config = { access: 'publishable', rate: 'delivery' } as const;

const ResolveQuery = Type.Object(
  {
    path: Type.String({ maxLength: 2_000, description: 'The path of a page, such as `/de/blog/hello`' }),
    expand: Expand,
    richtext: RICHTEXT,
    ...VARIANTS,
    key: KEY,
  },
  STRICT,
);
const Resolved = Type.Object(
  {
    collection: Type.Optional(Type.String({ description: 'Its key, or without one its ID' })),
    collectionId: Type.Optional(Type.String()),
    entry: Type.Optional(PublicEntry),
    locale: Type.Optional(orNull(Type.String(), { description: 'null: the collection has no localized fields' })),
    redirectTo: Type.Optional(
      Type.String({ description: 'The path that the entry has now, alone: the page should redirect to it' }),
    ),
  },
  { title: 'ResolvedPath' },
);

const RedirectsQuery = Type.Object({ ...pageQuery, key: KEY }, STRICT);
const RedirectPage = Type.Object(
  {
    redirects: Type.Array(
      Type.Object({
        from: Type.String(),
        to: Type.String(),
        status: Type.Integer({ description: '301' }),
      }),
    ),
    nextPageToken: NextPageToken,
  },
  { title: 'RedirectPage' },
);

const SitemapQuery = Type.Object(
  {
    site: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'The origin of the site, such as `https://shop.example`; else that of the service',
      }),
    ),
    collection: Type.Optional(Type.String({ description: 'Of a part: the ID of the collection' })),
    page: Type.Optional(Type.Integer({ minimum: 0, description: 'Of a part: which one' })),
    key: KEY,
  },
  STRICT,
);

/** URLs of published entries, for everyone with a publishable key. */
export function urlRoutes(app: App, deps: Deps, cache: SchemaView, delivery: Delivery): void {
  const { db, pageTokens, publicUrl } = deps;
  /** What publishing in a collection, or in one that its paths lead through, purges. */
  const tagsOf = async (accountId: string, collections: readonly Collection[]) => {
    const named = collections.map(({ publicId }) => publicId);
    return tagHeaders(await delivery.tagsOf(accountId, named, Buffer.alloc(0)));
  };

  const { get } = routesOf(app, about);
  get('/v1/content/resolve', {
    config,
    operationId: 'resolvePath',
    summary: 'Get the published entry of a path',
    description:
      'Returns the entry whose `url` is the path, in the locale of the path, or where an entry that had the path is now. ' +
      'Paths are those of the `urlPattern` of public collections.',
    querystring: ResolveQuery,
    returns: Resolved,
    handle: async ({ caller, query }, reply) => {
      const { path, expand, richtext, variant, visitorId } = query;
      const { accountId } = caller;
      if (!path.startsWith('/')) {
        throw invalid([{ pointer: '?path', code: 'path_invalid', detail: 'A path begins with /.' }]);
      }
      const found = await resolvePath(db, cache, accountId, path);
      if (!found) throw new ApiError(404, 'not_found', 'There is no such page.', { headers: CACHING });
      const { collection, entryId, locale, redirectTo } = found;
      if (redirectTo !== undefined) {
        const body = Buffer.from(JSON.stringify({ redirectTo }));
        const shown = await delivery.tagsOf(accountId, [collection.publicId], Buffer.from(entryId));
        return sendJson(reply, shown, body);
      }
      const reading = { expand, richtext, variant, visitorId, ...(locale !== null && { locale }) };
      const { body, tags } = await delivery.get(accountId, { collectionId: collection.publicId, entryId }, reading);
      const { publicId, row } = collection;
      const members = { collection: row.key ?? publicId, collectionId: publicId, locale };
      const start = `${JSON.stringify(members).slice(0, -1)},"entry":`;
      return sendJson(reply, tags, Buffer.concat([Buffer.from(start), body, Buffer.from('}')]), visitorId);
    },
  });

  get('/v1/content/redirects', {
    config,
    operationId: 'listRedirects',
    summary: 'List redirects',
    description: 'Paths that published entries had before their slugs changed, and those that they have now.',
    querystring: RedirectsQuery,
    returns: RedirectPage,
    handle: async ({ caller: { accountId }, query }, reply) => {
      const { rows, nextPageToken } = await keysetPage<Redirect & { position: RedirectPosition }, RedirectPosition>({
        tokens: pageTokens,
        scope: [accountId, 'redirects'],
        query,
        read: (after, limit) => findRedirects(db, cache, accountId, after, limit),
        positionOf: ({ position }) => position,
      });
      reply.headers({ ...CACHING, ...(await tagsOf(accountId, await collectionsWithUrls(db, cache, accountId))) });
      return { redirects: rows.map(({ from, to }) => ({ from, to, status: 301 })), nextPageToken };
    },
  });

  app.get(
    '/v1/content/sitemap.xml',
    {
      config,
      schema: {
        ...about,
        operationId: 'getSitemap',
        summary: 'Get the sitemap',
        description:
          'The URLs of all published entries as XML, with their translations; of more than 50,000 an index of several parts.',
        querystring: SitemapQuery,
        response: {
          ...withErrors(Type.String()),
          200: { description: 'The sitemap', content: { 'application/xml': { schema: Type.String() } } },
        },
      },
    },
    async ({ caller: { accountId }, query }, reply) => {
      const { collection: chosen, page = 0, key } = query;
      const site = originOf(query.site ?? publicUrl());
      const collections = await collectionsWithUrls(db, cache, accountId);
      reply.headers(CACHING).header('content-type', 'application/xml; charset=utf-8');
      if (chosen !== undefined) {
        const collection = collections.find(({ publicId, row }) => publicId === chosen || row.key === chosen);
        if (!collection) throw notFound('public collection');
        reply.headers(await tagsOf(accountId, [collection]));
        return reply.send(
          Readable.from(sitemapXml(db, cache, accountId, site, [{ collection, number: page }])),
        ) as never;
      }
      reply.headers(await tagsOf(accountId, collections));
      const parts = await sitemapParts(db, accountId, collections);
      if (!parts) {
        const all = collections.map((collection) => ({ collection, number: 0 }));
        return reply.send(Readable.from(sitemapXml(db, cache, accountId, site, all))) as never;
      }
      const urls = parts.map(({ collection, number, updatedAt }) => {
        const search = new URLSearchParams({
          ...(key && { key }),
          site,
          collection: collection.publicId,
          page: String(number),
        });
        return { url: `${publicUrl()}/v1/content/sitemap.xml?${search}`, updatedAt };
      });
      return reply.send(sitemapIndexXml(urls)) as never;
    },
  );
}

function sendJson(reply: FastifyReply, tags: string, body: Buffer, visitorId?: string): never {
  const caching = visitorId === undefined ? CACHING : { 'cache-control': 'private, no-store' };
  return reply
    .headers({ ...caching, ...tagHeaders(tags), 'content-type': 'application/json; charset=utf-8' })
    .send(body) as never;
}

/** @throws ApiError 400 `site_invalid` */
function originOf(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url.origin;
  throw invalid([
    { pointer: '?site', code: 'site_invalid', detail: 'The site is a URL such as https://shop.example.' },
  ]);
}
