import type { FastifyRequest } from 'fastify';
import { isGoverning } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { idempotently } from '../../shared/http/idempotency.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { roleInsufficient } from '../../users/index.ts';
import { auditCollection, auditPurge } from '../audit-content.ts';
import { Collection, CollectionChange, CollectionPage, NewCollection } from '../contract.ts';
import {
  CollectionPath,
  CollectionsQuery,
  DeleteQuery,
  EntryCounts,
  IncludeDeleted,
  MAX_COUNT,
} from '../entries/contract.ts';
import { serializeCollection } from './collection.ts';
import type { CollectionCache } from './collection-cache.ts';
import { createCollection } from './create-collection.ts';
import { purgeCollection } from './purge-collection.ts';
import { countVisible, getCollection, listCollections } from './read-collections.ts';
import { type RecordChange, updateCollection } from './update-collection.ts';

const about = { tags: ['Collections'], security: [{ token: [] }] };
const read = { access: 'secret', rate: 'read' } as const;
const write = { access: 'secret', rate: 'write' } as const;

/**
 * @param wakeIndexer called when the index of new fields was left to the worker
 * @param wakePurger called when a collection was deleted permanently, whose contents are left to the worker
 */
export function collectionRoutes(
  app: App,
  { db, clock, pageTokens }: Deps,
  cache: CollectionCache,
  wakeIndexer: () => void,
  wakePurger: () => void,
): void {
  const { get, post, patch, remove } = routesOf(app, about);
  get('/v1/cms/collections', {
    config: read,
    operationId: 'listCollections',
    summary: 'List collections',
    description: 'Returns the active collections, oldest first.',
    querystring: CollectionsQuery,
    returns: CollectionPage,
    handle: async ({ caller, query }) => listCollections(db, cache.of(caller), pageTokens, caller.accountId, query),
  });

  get('/v1/cms/entry-counts', {
    config: read,
    operationId: 'countEntries',
    summary: 'Count the entries of each collection',
    description: `Active entries of active collections, counted up to ${MAX_COUNT.toLocaleString('en')} each.`,
    returns: EntryCounts,
    handle: async ({ caller }) => ({ counts: await countVisible(db, cache.of(caller), caller.accountId, MAX_COUNT) }),
  });

  post('/v1/cms/collections', {
    config: write,
    operationId: 'createCollection',
    'x-idempotency-key': true,
    summary: 'Create a collection',
    description: 'A collection defines the fields of its entries. IDs of fields that are omitted are generated.',
    body: NewCollection,
    returns: Collection,
    handle: async (request) => {
      const { accountId } = request.caller;
      return idempotently(db, request, accountId, async (tx) => {
        const created = await createCollection(tx, accountId, request.body, clock());
        await auditCollection(tx, request, undefined, created, clock());
        return created;
      });
    },
  });

  get('/v1/cms/collections/:collectionId', {
    config: read,
    operationId: 'getCollection',
    summary: 'Get a collection',
    description:
      'With all of its fields, including deleted ones. Instead of the ID, the path takes the key of the collection.',
    params: CollectionPath,
    querystring: IncludeDeleted,
    returns: Collection,
    handle: async ({ caller, params, query }) =>
      getCollection(db, cache.of(caller), caller.accountId, params.collectionId, query.includeDeleted ?? false),
  });

  const update = async (request: FastifyRequest, collectionId: string, sent: CollectionChange) => {
    const { accountId } = request.caller;
    const record: RecordChange = (tx, before, after) => {
      if (before.review !== after.review && !isGoverning(request.caller)) throw roleInsufficient('owner');
      return auditCollection(tx, request, before, after, clock());
    };
    const updated = await updateCollection(db, accountId, collectionId, sent, clock(), undefined, record);
    cache.set(accountId, updated.collection);
    if (updated.needsBackfill) wakeIndexer();
    return serializeCollection(updated.collection.row);
  };

  patch('/v1/cms/collections/:collectionId', {
    config: write,
    operationId: 'updateCollection',
    summary: 'Update a collection',
    description:
      'Changes only the members that are sent. Set `status` to delete or restore the collection together with its entries.',
    params: CollectionPath,
    body: CollectionChange,
    returns: Collection,
    handle: async (request) => update(request, request.params.collectionId, request.body),
  });

  remove('/v1/cms/collections/:collectionId', {
    config: write,
    operationId: 'deleteCollection',
    summary: 'Delete a collection',
    description:
      'Returns the collection with `status: "deleted"`. Restore it with `PATCH {"status": "active"}`. With ' +
      '`permanently=true`, a deleted collection is removed with its entries and their versions.',
    params: CollectionPath,
    querystring: DeleteQuery,
    returns: Collection,
    handle: async (request) => {
      const { accountId } = request.caller;
      const { collectionId } = request.params;
      if (!request.query.permanently) return update(request, collectionId, { status: 'deleted' });
      const purged = await db.transaction(async (tx) => {
        const before = await purgeCollection(tx, accountId, collectionId);
        await auditPurge(tx, request, 'collection', before.id, { name: before.name }, clock());
        return before;
      });
      wakePurger();
      return purged;
    },
  });
}
