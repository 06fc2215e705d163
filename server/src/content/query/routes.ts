import type { Deps } from '../../shared/deps.ts';
import { asBody } from '../../shared/errors.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import { CollectionPath, EntryPage } from '../entries/contract.ts';
import { listEntries } from '../listing/list-entries.ts';
import { aggregateEntries } from './aggregate.ts';
import { AggregateBody, Aggregates, QueryBody } from './contract.ts';
import { lateQuery } from './too-expensive.ts';

const about = { tags: ['Entries'], security: [{ token: [] }] };
/** Queries in the body of a request. */
export function queryRoutes(app: App, deps: Deps, cache: CollectionCache): void {
  const { db, pageTokens, publicUrl } = deps;
  // They read, although they are POST.
  const may = { access: 'secret', rate: 'read', role: 'viewer', duringView: true } as const;
  const read = { ...may, isJsonKept: true, late: lateQuery(db, cache) };

  const { post } = routesOf(app, about);
  post('/v1/cms/collections/:collectionId/entries/query', {
    config: read,
    operationId: 'queryEntries',
    summary: 'Query entries',
    description:
      'As `GET …/entries`, with the query in the body: conditions of any size, references expanded by queries of their ' +
      'own, and joins of entries that reference these.',
    params: CollectionPath,
    body: QueryBody,
    returns: EntryPage,
    handle: async ({ caller, params, body }, reply) => {
      const page = await asBody(
        listEntries(db, cache.of(caller), pageTokens, caller.accountId, params.collectionId, body, publicUrl()),
      );
      return reply.header('content-type', 'application/json; charset=utf-8').send(page as never);
    },
  });

  post('/v1/cms/collections/:collectionId/entries/aggregate', {
    config: read,
    operationId: 'aggregateEntries',
    summary: 'Count, sum and group entries',
    description:
      'Groups the entries that match by the values of paths, and returns measures of each group. An entry without a value ' +
      'belongs to the group null, and one with several values to the group of each. Sums and averages are exact.',
    params: CollectionPath,
    body: AggregateBody,
    returns: Aggregates,
    handle: async ({ caller, params, body }) =>
      asBody(aggregateEntries(db, cache.of(caller), pageTokens, caller.accountId, params.collectionId, body)),
  });
}
