import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Deps } from '../../shared/deps.ts';
import { pageQuery } from '../../shared/http/keyset-page.ts';
import { withErrors } from '../../shared/http/problem.ts';
import { STRICT } from '../../shared/http/schemas.ts';
import { type App, inScope } from '../../shared/http/server.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import {
  CollectionPath,
  EntriesQuery,
  Expand,
  PublicEntry,
  PublicEntryPage,
  PublicEntryPath,
} from '../entries/contract.ts';
import { PreviewToken } from '../previews/contract.ts';
import { opensDrafts } from '../previews/preview-token.ts';
import { getDraft, listDrafts } from '../previews/read-drafts.ts';
import { Delivery } from './delivery.ts';
import type { CachedResponse } from './response-cache.ts';

const KEY = Type.Optional(
  Type.String({ description: 'A publishable key (`hw_pk_…`), unless it is sent in the header `x-api-key`' }),
);
const RICHTEXT = Type.Optional(
  Type.Enum(['json', 'html', 'markdown'], {
    description:
      'How values of the format `richtext` are returned: as JSON trees (`json`, the default), HTML or Markdown',
  }),
);
const { sort, q } = EntriesQuery.properties;
const PublicLocale = Type.Optional(
  Type.String({
    maxLength: 100,
    description:
      'The locale of localized fields, by default the default one. Values that are not published in it are those of its fallbacks.',
  }),
);
const ListQuery = Type.Object(
  { ...pageQuery, sort, q, expand: Expand, locale: PublicLocale, richtext: RICHTEXT, key: KEY, preview: PreviewToken },
  { ...STRICT, patternProperties: { '^filter\\[': {} } },
);

const about = { tags: ['Public content'], security: [{ publishableKey: [] }, { publishableHeader: [] }] };
const config = { access: 'publishable', rate: 'delivery' } as const;

/** Browsers and CDNs may show what they have for another half minute while they check for something newer. */
const CACHE_CONTROL = 'public, max-age=1, stale-while-revalidate=30';

/** Published entries of public collections, for everyone with a publishable key. */
export function deliveryRoutes(app: App, { config: { files }, ...deps }: Deps, cache: CollectionCache): void {
  const drafts = { ...deps, tokens: deps.pageTokens, cache, sizes: files.variantSizes };
  const delivery = new Delivery(drafts);
  inScope(app, (scope) => {
    openToBrowsers(scope);

    scope.get(
      '/v1/content/:collectionId',
      {
        config,
        schema: {
          ...about,
          operationId: 'listPublicEntries',
          summary: 'List published entries',
          description:
            'Returns the published entries of a public collection, without private fields, sorted and filtered as by ' +
            '`GET /v1/cms/collections/{collectionId}/entries`. Images have a `srcset`. ' +
            'References to entries that are not public are left out.',
          params: CollectionPath,
          querystring: ListQuery,
          response: withErrors(PublicEntryPage),
        },
      },
      async ({ caller, params, query, url, headers }, reply) => {
        const { preview, richtext, ...listing } = query;
        const { accountId } = caller;
        const { collectionId } = params;
        if (preview !== undefined && opensDrafts(deps, accountId, preview, collectionId)) {
          return sendPreview(reply, await listDrafts(drafts, accountId, collectionId, listing, richtext));
        }
        const name = withoutSecrets(url.slice(url.indexOf('?') + 1));
        const response = await delivery.list(accountId, collectionId, listing, richtext, name);
        return preview === undefined
          ? send(reply, headers['if-none-match'], response)
          : sendPreview(reply, response.body);
      },
    );

    scope.get(
      '/v1/content/:collectionId/:entryId',
      {
        config,
        schema: {
          ...about,
          operationId: 'getPublicEntry',
          summary: 'Get a published entry',
          description:
            'Returns a published entry of a public collection, without private fields, by its ID or slug. By a slug that ' +
            'the entry had before, the response tells its slug in `redirectTo`.',
          params: PublicEntryPath,
          querystring: Type.Object(
            { expand: Expand, locale: PublicLocale, richtext: RICHTEXT, key: KEY, preview: PreviewToken },
            STRICT,
          ),
          response: withErrors(PublicEntry),
        },
      },
      async ({ caller, params, query: { preview, ...reading }, headers }, reply) => {
        const { accountId } = caller;
        if (preview !== undefined && opensDrafts(deps, accountId, preview, params.collectionId)) {
          return sendPreview(reply, await getDraft(drafts, accountId, params, reading));
        }
        const response = await delivery.get(accountId, params, reading);
        return preview === undefined
          ? send(reply, headers['if-none-match'], response)
          : sendPreview(reply, response.body);
      },
    );
  });
}

function send(reply: FastifyReply, known: string | undefined, { etag, body }: CachedResponse): never {
  reply.header('cache-control', CACHE_CONTROL).header('etag', etag).header('vary', 'x-api-key, authorization');
  // A proxy that compresses makes the tag weak.
  const isKnown = known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
  if (isKnown) return reply.code(304).send() as never;
  return reply.header('content-type', 'application/json; charset=utf-8').send(body) as never;
}

/** A preview must not be cached. */
function sendPreview(reply: FastifyReply, body: string | Buffer): never {
  reply.header('cache-control', 'private, no-store').header('content-type', 'application/json; charset=utf-8');
  return reply.send(body) as never;
}

/** These do not change the response. */
const withoutSecrets = (query: string) => query.replace(/(^|&)(?:key|preview)=[^&]*/g, '');

function openToBrowsers(app: App): void {
  app.addHook('onRequest', (_request, reply, next) => {
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'etag, retry-after');
    next();
  });
  for (const url of ['/v1/content/:collectionId', '/v1/content/:collectionId/:entryId']) {
    app.options(url, { config: { access: 'open' }, schema: { hide: true } }, (_request, reply) => {
      reply
        .header('access-control-allow-methods', 'GET, HEAD')
        .header('access-control-allow-headers', 'x-api-key, authorization, if-none-match')
        .header('access-control-max-age', '86400')
        .send('');
    });
  }
}
