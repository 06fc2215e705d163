import type { FastifyRequest } from 'fastify';
import type { Deps } from '../shared/deps.ts';
import { idempotencyKey, idempotently } from '../shared/http/idempotency.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { auditCollection, auditEntry, auditPurge } from './audit-content.ts';
import { changeCollection, type RecordChange } from './change-collection.ts';
import { changeEntry } from './change-entry.ts';
import { collectionAnswer } from './collection.ts';
import {
  Collection,
  CollectionChange,
  CollectionPage,
  CollectionPath,
  CollectionsQuery,
  EntriesQuery,
  Entry,
  EntryChange,
  EntryPage,
  EntryPath,
  IncludeDeleted,
  NewCollection,
  NewEntry,
  Removal,
} from './contract.ts';
import { createCollection } from './create-collection.ts';
import { createEntry } from './create-entry.ts';
import { getCollection } from './get-collection.ts';
import { getEntry } from './get-entry.ts';
import type { KnownCollections } from './known-collections.ts';
import { listCollectionPage } from './list-collections.ts';
import { listEntries } from './list-entries.ts';
import { purgeCollection } from './purge-collection.ts';
import { purgeEntry } from './purge-entry.ts';
import { writingOf } from './writing.ts';

const token = [{ token: [] }];
const read = { access: 'secret', rate: 'read' } as const;
const write = { access: 'secret', rate: 'write' } as const;

/**
 * @param indexFields called when fields came to a large collection, whose index is left to the worker
 * @param purge called when a collection was deleted for good, whose entries are left to the worker
 */
export function collectionRoutes(
  app: App,
  { db, clock, pageTokens }: Deps,
  known: KnownCollections,
  indexFields: () => void,
  purge: () => void,
): void {
  const about = { tags: ['Collections'], security: token };

  app.get(
    '/v1/cms/collections',
    {
      config: read,
      schema: {
        ...about,
        operationId: 'listCollections',
        summary: 'List collections',
        description: 'The active collections, oldest first.',
        querystring: CollectionsQuery,
        response: withErrors(CollectionPage),
      },
    },
    async ({ caller, query }) => listCollectionPage(db, pageTokens, caller.accountId, query),
  );

  app.post(
    '/v1/cms/collections',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'createCollection',
        'x-idempotency-key': true,
        summary: 'Create a collection',
        body: NewCollection,
        response: withErrors(Collection),
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      return idempotently(db, request, accountId, async (tx) => {
        const made = await createCollection(tx, accountId, request.body, clock());
        await auditCollection(tx, request, undefined, made, clock());
        return made;
      });
    },
  );

  app.get(
    '/v1/cms/collections/:collectionId',
    {
      config: read,
      schema: {
        ...about,
        operationId: 'getCollection',
        summary: 'Get a collection',
        params: CollectionPath,
        querystring: IncludeDeleted,
        response: withErrors(Collection),
      },
    },
    async ({ caller, params, query }) =>
      getCollection(db, caller.accountId, params.collectionId, query.includeDeleted ?? false),
  );

  const change = async (request: FastifyRequest, collectionId: string, sent: CollectionChange) => {
    const { accountId } = request.caller;
    const record: RecordChange = (tx, before, after) => auditCollection(tx, request, before, after, clock());
    const changed = await changeCollection(db, accountId, collectionId, sent, clock(), undefined, record);
    const { collection, backfill } = changed;
    known.remember(accountId, collection);
    if (backfill) indexFields();
    return collectionAnswer(collection.row);
  };

  app.patch(
    '/v1/cms/collections/:collectionId',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'updateCollection',
        summary: 'Update a collection',
        description:
          'Changes what is sent. `status` deletes and restores; a restored collection has its entries again.',
        params: CollectionPath,
        body: CollectionChange,
        response: withErrors(Collection),
      },
    },
    async (request) => change(request, request.params.collectionId, request.body),
  );

  app.delete(
    '/v1/cms/collections/:collectionId',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'deleteCollection',
        summary: 'Delete a collection',
        description:
          'Answers it with `status: "deleted"`. `PATCH {"status": "active"}` brings it back. With `permanently=true` one that ' +
          'is deleted is removed for good, with its entries and their versions.',
        params: CollectionPath,
        querystring: Removal,
        response: withErrors(Collection),
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const { collectionId } = request.params;
      if (!request.query.permanently) return change(request, collectionId, { status: 'deleted' });
      const removed = await db.transaction(async (tx) => {
        const was = await purgeCollection(tx, accountId, collectionId);
        await auditPurge(tx, request, 'collection', was.id, { name: was.name }, clock());
        return was;
      });
      purge();
      return removed;
    },
  );
}

export function entryRoutes(app: App, deps: Deps, known: KnownCollections): void {
  const { db, clock, pageTokens, publicUrl } = deps;
  const about = { tags: ['Entries'], security: token };

  app.get(
    '/v1/cms/collections/:collectionId/entries',
    {
      config: read,
      schema: {
        ...about,
        operationId: 'listEntries',
        summary: 'List entries',
        description: LISTING,
        params: CollectionPath,
        querystring: EntriesQuery,
        response: withErrors(EntryPage),
      },
    },
    async ({ caller, params, query }, reply) => {
      const page = await listEntries(
        db,
        known,
        pageTokens,
        caller.accountId,
        params.collectionId,
        query as EntriesQuery,
        publicUrl(),
      );
      // It is JSON already, and goes out as it is.
      return reply.header('content-type', 'application/json; charset=utf-8').send(page as never);
    },
  );

  app.post(
    '/v1/cms/collections/:collectionId/entries',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'createEntry',
        'x-idempotency-key': true,
        summary: 'Create an entry',
        params: CollectionPath,
        body: NewEntry,
        response: withErrors(Entry),
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const { collectionId } = request.params;
      const create = async (tx: Tx) => {
        const made = await createEntry(tx, writingOf(request, deps, known), collectionId, request.body.values);
        await auditEntry(tx, request, undefined, made, clock());
        return made;
      };
      // One statement needs no transaction around it; with files, and for the audit log, there are more.
      const isOne =
        request.caller.kind !== 'user' &&
        idempotencyKey(request) === undefined &&
        !JSON.stringify(request.body).includes('"assetId"');
      return isOne ? create(db) : idempotently(db, request, accountId, create);
    },
  );

  app.get(
    '/v1/cms/collections/:collectionId/entries/:entryId',
    {
      config: read,
      schema: {
        ...about,
        operationId: 'getEntry',
        summary: 'Get an entry',
        params: EntryPath,
        querystring: IncludeDeleted,
        response: withErrors(Entry),
      },
    },
    async ({ caller, params, query }) =>
      getEntry(db, known, caller.accountId, params, query.includeDeleted ?? false, publicUrl()),
  );

  const change = (request: FastifyRequest, path: { collectionId: string; entryId: string }, sent: EntryChange) =>
    db.transaction(async (tx) => {
      const { accountId, kind } = request.caller;
      const before = kind === 'user' ? await getEntry(tx, known, accountId, path, true, publicUrl()) : undefined;
      const after = await changeEntry(tx, writingOf(request, deps, known), path, sent);
      await auditEntry(tx, request, before, after, clock());
      return after;
    });

  app.patch(
    '/v1/cms/collections/:collectionId/entries/:entryId',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'updateEntry',
        summary: 'Update an entry',
        description: 'Changes what is sent; checks what is sent, and nothing else. `status` deletes and restores.',
        params: EntryPath,
        body: EntryChange,
        response: withErrors(Entry),
      },
    },
    async (request) => change(request, request.params, request.body),
  );

  app.delete(
    '/v1/cms/collections/:collectionId/entries/:entryId',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'deleteEntry',
        summary: 'Delete an entry',
        description:
          'Answers it with `status: "deleted"`. `PATCH {"status": "active"}` brings it back. With `permanently=true` one that ' +
          'is deleted is removed for good, with its versions.',
        params: EntryPath,
        querystring: Removal,
        response: withErrors(Entry),
      },
    },
    async (request) => {
      if (!request.query.permanently) return change(request, request.params, { status: 'deleted' });
      return db.transaction(async (tx) => {
        const was = await purgeEntry(tx, writingOf(request, deps, known), request.params);
        await auditPurge(tx, request, 'entry', was.id, { collectionId: was.collectionId }, clock());
        return was;
      });
    },
  );
}

const LISTING = `The active entries, sorted and filtered.

Filters are written \`filter[<fieldId>][<operator>]=<value>\`; all of them must hold, also one that is repeated.

| Operator | Types | |
|---|---|---|
| \`eq\`, \`ne\` | all but groups | \`ne\` lets entries without a value through |
| \`in\` | all but groups | one of a list, \`a,b\`; a comma or backslash in a value is written \`\\,\` or \`\\\\\` |
| \`lt\`, \`lte\`, \`gt\`, \`gte\` | text, number, date, timestamp | text in its order of sorting, without case and accents |
| \`contains\` | text | a part of the text, whatever case and accents |
| \`exists\` | all | \`true\` or \`false\`; an empty list is no value |

A filter on a repeated field holds where any of its values fulfils it, \`ne\` where none is equal. Assets go by \`assetId\`.
Entries that come or go between two pages neither repeat nor hide others.`;
