import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Deps } from '../../shared/deps.ts';
import { ApiError, asBody, invalid } from '../../shared/errors.ts';
import { matchesTag } from '../../shared/http/entity-tags.ts';
import { pageQuery } from '../../shared/http/keyset-page.ts';
import { openToBrowsers } from '../../shared/http/open-to-browsers.ts';
import { routesOf } from '../../shared/http/routes.ts';
import { STRICT } from '../../shared/http/schemas.ts';
import { type App, inScope } from '../../shared/http/server.ts';
import { parseId } from '../../shared/ids.ts';
import { changeRoutes } from '../changes/routes.ts';
import type { ChangeStreams } from '../changes/streams.ts';
import { isActive } from '../collections/collection.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import { findCollection } from '../collections/queries.ts';
import {
  CollectionPath,
  EntriesQuery,
  Expand,
  FILTERED,
  PublicEntry,
  PublicEntryPage,
  PublicEntryPath,
} from '../entries/contract.ts';
import { graphqlRoutes } from '../graphql/routes.ts';
import { pastTime, readPast } from '../past/read-past.ts';
import { Origins, PreviewToken } from '../previews/contract.ts';
import { type Future, readFuture } from '../previews/future.ts';
import { markOrigins } from '../previews/mark-origins.ts';
import { openPreview } from '../previews/preview-token.ts';
import { getDraft, listDrafts } from '../previews/read-drafts.ts';
import { Aggregates, PublicAggregateBody, PublicQueryBody } from '../query/contract.ts';
import { lateQuery } from '../query/too-expensive.ts';
import { urlRoutes } from '../urls/routes.ts';
import type { FindVariants } from '../variations/variation.ts';
import { tagHeaders } from './cache-tags.ts';
import { CACHING } from './caching.ts';
import { AT, KEY, PublicLocale, RICHTEXT, VARIANTS } from './contract.ts';
import { Delivery, SINGLETON } from './delivery.ts';
import { EncodedBodies, encodingFor } from './encodings.ts';
import type { CachedResponse } from './response-cache.ts';

const { sort, q, where, select, count } = EntriesQuery.properties;
const ListQuery = Type.Object(
  {
    ...pageQuery,
    sort,
    q,
    where,
    select,
    count,
    expand: Expand,
    locale: PublicLocale,
    richtext: RICHTEXT,
    ...VARIANTS,
    key: KEY,
    preview: PreviewToken,
    origins: Origins,
    at: AT,
  },
  FILTERED,
);

type Caller = FastifyRequest['caller'];
type GetRequest = Pick<FastifyRequest, 'caller' | 'headers'> & { query: Static<typeof GetQuery> };

const security: Record<string, string[]>[] = [{ publishableKey: [] }, { publishableHeader: [] }];
const GetQuery = Type.Object(
  {
    expand: Expand,
    locale: PublicLocale,
    richtext: RICHTEXT,
    ...VARIANTS,
    key: KEY,
    preview: PreviewToken,
    origins: Origins,
    at: AT,
  },
  STRICT,
);

const BodyQuery = Type.Object({ key: KEY, at: AT }, STRICT);

const about = { tags: ['Public content'], security };

/** Published entries of public collections, for everyone with a publishable key. */
export function deliveryRoutes(
  app: App,
  deps: Deps,
  schemas: CollectionCache,
  streams: ChangeStreams,
  findVariants: FindVariants,
): void {
  const cache = schemas.everything;
  const late = lateQuery(deps.db, schemas);
  const config = { access: 'publishable', rate: 'delivery', late } as const;
  const drafts = { ...deps, tokens: deps.pageTokens, cache, findVariants };
  const delivery = new Delivery(drafts);

  /** A token with a role of the account reads what is public and its role may read. */
  const readerOf = ({ access }: Caller) =>
    access ? new Delivery({ ...drafts, cache: schemas.of({ access }) }) : delivery;

  const encoded = new EncodedBodies();

  /** With a secret token, the 404 for a collection that is not public tells how to make it public. */
  const explained = async <T>(caller: Caller, name: string, isUncached: boolean, response: Promise<T>) => {
    try {
      return await response;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      if (caller.access) throw error;
      if (caller.type !== 'secret') {
        throw isUncached ? error : new ApiError(404, error.code, error.message, { headers: CACHING });
      }
      const id = parseId('col', await delivery.idOf(caller.accountId, name));
      const [row] = id === undefined ? [] : await findCollection(deps.db, { account_id: caller.accountId, id });
      if (!row || !isActive(row) || (row.public && row.publishing)) throw error;
      const detail =
        `The collection "${row.name}" is not public. To make it public: PATCH /v1/cms/collections/${name} with ` +
        '{"publishing": true, "public": true}; then publish its entries.';
      throw new ApiError(404, 'not_found', detail);
    }
  };

  const send = async (
    reply: FastifyReply,
    headers: IncomingHttpHeaders,
    response: CachedResponse,
    visitorId?: string,
  ): Promise<never> => {
    const encoding = encodingFor(response.body, headers['accept-encoding']);
    const etag = encoding ? response.etag.replace(/"$/, `-${encoding}"`) : response.etag;
    reply.headers({
      ...(visitorId === undefined ? CACHING : { 'cache-control': 'private, no-store' }),
      etag,
      ...tagHeaders(response.tags),
    });
    // In any encoding it is the same content, and a proxy that compresses makes the tag weak.
    if (matchesTag(headers['if-none-match'], (tag) => tag.replace(ENCODED, '"') === response.etag)) {
      return reply.code(304).send() as never;
    }
    reply.header('content-type', 'application/json; charset=utf-8');
    if (!encoding) return reply.send(response.body) as never;
    return reply.header('content-encoding', encoding).send(await encoded.get(response, encoding)) as never;
  };

  /** @param read reads with what the transaction sees, and caches nothing beyond it */
  const inFuture = async (
    caller: Caller,
    name: string,
    future: Future,
    read: (delivery: Delivery) => Promise<CachedResponse>,
  ) => {
    const response = readFuture(deps, cache, caller.accountId, future, (db) => read(new Delivery({ ...drafts, db })));
    return (await explained(caller, name, true, response)).body;
  };

  /** Public content as it was. @param named the collections of the query, by ID or key @param read as for `inFuture` */
  const inPast = async <T>(
    { caller, query }: { caller: Caller; query: { at?: string; preview?: string } },
    at: string,
    named: readonly string[],
    read: (delivery: Delivery) => Promise<T>,
  ): Promise<T> => {
    const { accountId } = caller;
    const time = pastTime(deps, caller, at, query.preview);
    const ids = await Promise.all(named.map((name) => delivery.idOf(accountId, name)));
    const then = readPast(deps, cache, accountId, ids, time, (db) => read(new Delivery({ ...drafts, db })));
    return explained(caller, named[0] ?? '', true, then);
  };

  /** A preview, with the origins of its texts if these are requested. */
  const marked = async (
    { accountId }: Caller,
    name: string,
    { origins, locale }: { origins?: boolean; locale?: string },
    body: string | Buffer,
  ): Promise<string | Buffer> =>
    origins ? markOrigins(drafts, accountId, await delivery.idOf(accountId, name), locale, body) : body;

  const sendEntry = async (
    { caller, query, headers }: GetRequest,
    reply: FastifyReply,
    path: { collectionId: string; entryId: string },
  ) => {
    const { preview, origins, at, ...reading } = query;
    const { accountId } = caller;
    needsPreview(query);
    if (at !== undefined) {
      const read = (then: Delivery) => then.get(accountId, path, reading);
      return sendPreview(reply, (await inPast({ caller, query }, at, [path.collectionId], read)).body);
    }
    if (preview !== undefined) {
      const opened = openPreview(deps, accountId, preview);
      if ('future' in opened) {
        const read = (then: Delivery) => then.get(accountId, path, reading);
        const body = await inFuture(caller, path.collectionId, opened.future, read);
        return sendPreview(reply, await marked(caller, path.collectionId, query, body));
      }
      const id = await delivery.idOf(accountId, path.collectionId);
      if (opened.drafts === id) {
        const body = await getDraft(drafts, accountId, { ...path, collectionId: id }, reading);
        return sendPreview(reply, await marked(caller, id, query, body));
      }
    }
    const response = await explained(
      caller,
      path.collectionId,
      preview !== undefined,
      readerOf(caller).get(accountId, path, reading),
    );
    return preview === undefined && !caller.access
      ? send(reply, headers, response, reading.visitorId)
      : sendPreview(reply, await marked(caller, path.collectionId, query, response.body));
  };

  inScope(app, (scope) => {
    openToBrowsers(scope, URLS);
    changeRoutes(scope, deps, streams);
    urlRoutes(scope, deps, cache, delivery);
    graphqlRoutes(scope, late, (caller) => ({ db: deps.db, cache: schemas.of(caller), delivery: readerOf(caller) }));

    const { get, post } = routesOf(scope, about);
    get('/v1/content/:collectionId', {
      config,
      operationId: 'listPublicEntries',
      'x-etag': 'conditional',
      summary: 'List published entries',
      description:
        'Returns the published entries of a public collection, without private fields, sorted and filtered as by ' +
        '`GET /v1/cms/collections/{collectionId}/entries`. Images have a `srcset`. ' +
        'References to entries that are not public are left out.',
      params: CollectionPath,
      querystring: ListQuery,
      returns: PublicEntryPage,
      handle: async ({ caller, params, query, url, headers }, reply) => {
        const { preview, origins, richtext, variant, visitorId, at, ...listing } = query;
        const chosen = { variant, visitorId };
        needsPreview(query);
        const { accountId } = caller;
        const { collectionId } = params;
        const name = withoutSecrets(url.slice(url.indexOf('?') + 1));
        if (at !== undefined) {
          const read = (then: Delivery) => then.list(accountId, collectionId, listing, richtext, name, chosen);
          return sendPreview(reply, (await inPast({ caller, query }, at, [collectionId], read)).body);
        }
        if (preview !== undefined) {
          const opened = openPreview(deps, accountId, preview);
          if ('future' in opened) {
            const read = (then: Delivery) => then.list(accountId, collectionId, listing, richtext, name, chosen);
            const body = await inFuture(caller, collectionId, opened.future, read);
            return sendPreview(reply, await marked(caller, collectionId, query, body));
          }
          const id = await delivery.idOf(accountId, collectionId);
          if (opened.drafts === id) {
            const body = await listDrafts(drafts, accountId, id, listing, richtext);
            return sendPreview(reply, await marked(caller, id, query, body));
          }
        }
        const response = await explained(
          caller,
          collectionId,
          preview !== undefined,
          readerOf(caller).list(accountId, collectionId, listing, richtext, name, chosen),
        );
        return preview === undefined && !caller.access
          ? send(reply, headers, response, visitorId)
          : sendPreview(reply, await marked(caller, collectionId, query, response.body));
      },
    });

    post('/v1/content/:collectionId/query', {
      config: { ...config, role: 'viewer', isJsonKept: true },
      operationId: 'queryPublicEntries',
      summary: 'Query published entries',
      description: 'As `GET /v1/content/{collectionId}`, with the query in the body, and with joins.',
      params: CollectionPath,
      querystring: BodyQuery,
      body: PublicQueryBody,
      returns: PublicEntryPage,
      handle: async ({ caller, params: { collectionId }, query, body }, reply) => {
        const read = (from: Delivery) => asBody(from.query(caller.accountId, collectionId, body));
        const named = [collectionId, ...Object.values(body.join ?? {}).map(({ collection }) => collection)];
        const page = await (query.at === undefined
          ? explained(caller, collectionId, true, read(readerOf(caller)))
          : inPast({ caller, query }, query.at, named, read));
        if (query.at === undefined && !caller.access) {
          reply.headers(tagHeaders(await delivery.tagsOf(caller.accountId, named, page, body)));
        }
        return reply.header('content-type', 'application/json; charset=utf-8').send(page as never);
      },
    });

    post('/v1/content/:collectionId/aggregate', {
      config: { ...config, role: 'viewer', isJsonKept: true },
      operationId: 'aggregatePublicEntries',
      summary: 'Count, sum and group published entries',
      description: 'As `POST /v1/cms/collections/{collectionId}/entries/aggregate`, of what everyone can read.',
      params: CollectionPath,
      querystring: BodyQuery,
      body: PublicAggregateBody,
      returns: Aggregates,
      handle: async ({ caller, params: { collectionId }, query, body }, reply) => {
        const read = (from: Delivery) => asBody(from.aggregate(caller.accountId, collectionId, body));
        if (query.at !== undefined) return inPast({ caller, query }, query.at, [collectionId], read);
        const groups = await explained(caller, collectionId, true, read(readerOf(caller)));
        if (!caller.access) {
          const shown = Buffer.from(JSON.stringify(groups));
          reply.headers(tagHeaders(await delivery.tagsOf(caller.accountId, [collectionId], shown, body)));
        }
        return groups;
      },
    });

    get('/v1/content/:collectionId/entry', {
      config,
      operationId: 'getPublicSingleton',
      'x-etag': 'conditional',
      summary: 'Get the published entry of a singleton',
      description:
        'As `GET /v1/content/{collectionId}/{entryId}`. Of a collection that is no singleton, the entry with the slug `entry`.',
      params: CollectionPath,
      querystring: GetQuery,
      returns: PublicEntry,
      handle: async (request, reply) => sendEntry(request, reply, { ...request.params, entryId: SINGLETON }),
    });

    get('/v1/content/:collectionId/:entryId', {
      config,
      operationId: 'getPublicEntry',
      'x-etag': 'conditional',
      summary: 'Get a published entry',
      description:
        'Returns a published entry of a public collection, without private fields, by its ID or slug. By a slug that ' +
        'the entry had before, the response tells its slug in `redirectTo`.',
      params: PublicEntryPath,
      querystring: GetQuery,
      returns: PublicEntry,
      handle: async (request, reply) => sendEntry(request, reply, request.params),
    });
  });
}

/** What is published is never marked. @throws ApiError 400 `preview_required` */
function needsPreview({ origins, preview, at }: { origins?: boolean; preview?: string; at?: string }): void {
  if (!origins || (preview !== undefined && at === undefined)) return;
  const detail = 'Only previews have origins. Send the token of a preview in `preview`, or leave out `origins`.';
  throw invalid([{ pointer: '?origins', code: 'preview_required', detail }]);
}

/** The end of the tag of a compressed response. */
const ENCODED = /-(?:br|gzip)"$/;

/** A preview, or what a role reads, must not be cached. */
function sendPreview(reply: FastifyReply, body: string | Buffer): never {
  reply.header('cache-control', 'private, no-store').header('content-type', 'application/json; charset=utf-8');
  return reply.send(body) as never;
}

/** These do not change the response. */
const withoutSecrets = (query: string) => query.replace(/(^|&)(?:key|preview|origins|visitorId)=[^&]*/g, '');

const URLS = [
  '/v1/graphql',
  '/v1/content/changes',
  '/v1/content/resolve',
  '/v1/content/redirects',
  '/v1/content/sitemap.xml',
  '/v1/content/:collectionId',
  '/v1/content/:collectionId/entry',
  '/v1/content/:collectionId/query',
  '/v1/content/:collectionId/aggregate',
  '/v1/content/:collectionId/:entryId',
];
