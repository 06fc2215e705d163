import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { badRequest } from '../../shared/errors.ts';
import { matchesTag } from '../../shared/http/entity-tags.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { parseWithTexts } from '../../shared/json.ts';
import { cacheTagsOf } from '../delivery/cache-tags.ts';
import { CACHING } from '../delivery/caching.ts';
import { KEY } from '../delivery/contract.ts';
import type { lateQuery } from '../query/too-expensive.ts';
import { GraphqlQuery, GraphqlRequest, GraphqlResult } from './contract.ts';
import type { GraphqlCaller, GraphqlDeps, GraphqlExecutor, GraphqlResponse } from './execute.ts';

const about = {
  tags: ['Public content'],
  security: [{ publishableKey: [] }, { publishableHeader: [] }] as Record<string, string[]>[],
};

/** `/v1/graphql`: what everyone can read, in a scope that browsers may use. */
export function graphqlRoutes(
  app: App,
  late: ReturnType<typeof lateQuery>,
  depsOf: (caller: FastifyRequest['caller']) => GraphqlDeps,
): void {
  const { get, post } = routesOf(app, about);
  // The library takes time to load, which only those who use it wait for.
  const library = () => import('./execute.ts');
  const executors = new LRUCache<string, GraphqlExecutor>({ max: 50 });
  /** One for everybody, and for each role one of what is public and the role may read. */
  const executor = async (caller: FastifyRequest['caller']) => {
    const { GraphqlExecutor } = await library();
    const { access } = caller;
    const name = access ? `${access.roleId} ${access.version} ${access.subject}` : '';
    const known = executors.get(name) ?? new GraphqlExecutor(depsOf(caller));
    executors.set(name, known);
    return known;
  };
  const config = { access: 'publishable', rate: 'delivery', role: 'viewer', late } as const;

  const send = (reply: FastifyReply, { status, body }: GraphqlResponse) =>
    reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body);

  post('/v1/graphql', {
    config,
    operationId: 'queryGraphql',
    summary: 'Query by GraphQL',
    description:
      'Reads what everyone can read, by a schema that is made of the public collections: names are those of keys and field IDs. Only a ' +
      'secret token may introspect it. A query that fails as a whole is 400, with the errors of GraphQL. ' +
      '[GraphiQL](/docs/graphiql) writes queries in the browser.',
    body: GraphqlRequest,
    returns: GraphqlResult,
    async handle({ caller, id, body }, reply) {
      const run = await executor(caller);
      return send(reply, await run.run(callerOf(caller, id), body));
    },
  });

  get('/v1/graphql', {
    config,
    operationId: 'getGraphql',
    'x-etag': 'conditional',
    summary: 'Query by GraphQL, cacheable',
    description:
      'As `POST /v1/graphql`, with an `ETag` and cache tags. Send `extensions` with the hash of a persisted query to keep URLs short.',
    querystring: { ...GraphqlQuery, properties: { ...GraphqlQuery.properties, key: KEY } } as typeof GraphqlQuery,
    returns: GraphqlResult,
    async handle({ caller, id, query: { query, operationName, variables, extensions }, headers }, reply) {
      const request = {
        ...(query !== undefined && { query }),
        ...(operationName !== undefined && { operationName }),
        ...(variables !== undefined && { variables: parsed(variables, 'variables') as Record<string, unknown> }),
        ...(extensions !== undefined && { extensions: parsed(extensions, 'extensions') as object }),
      };
      const run = await executor(caller);
      const response = await run.run(callerOf(caller, id), request);
      if (response.status !== 200 || caller.access) return send(reply, response);
      const etag = `"${createHash('sha256').update(response.body).digest('base64url').slice(0, 27)}"`;
      const tags = cacheTagsOf({ ids: response.collectionIds, state: '' }, response.body);
      reply.headers({ ...CACHING, etag, 'cache-tag': tags.join(','), 'surrogate-key': tags.join(' ') });
      if (matchesTag(headers['if-none-match'], (tag) => tag === etag)) return reply.code(304).send();
      return send(reply, response);
    },
  });
}

const callerOf = ({ accountId, type }: FastifyRequest['caller'], requestId: string): GraphqlCaller => ({
  accountId,
  requestId,
  mayIntrospect: type !== 'publishable',
});

/** @throws ApiError 400 */
function parsed(text: string, name: string): object {
  try {
    const value = parseWithTexts(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Refused below.
  }
  throw badRequest('json_malformed', `The parameter ${name} must be a JSON object.`);
}
