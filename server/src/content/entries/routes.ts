import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../shared/deps.ts';
import { idempotencyKey, idempotently } from '../../shared/http/idempotency.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Pressure } from '../../shared/pressure.ts';
import { SharedReads } from '../../shared/shared-reads.ts';
import { auditEntry, auditPurge } from '../audit-content.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import { listEntries } from '../listing/list-entries.ts';
import { listTree } from '../ordering/list-tree.ts';
import { readPublished } from '../publishing/read-published.ts';
import { lateQuery } from '../query/too-expensive.ts';
import { expandNested, mayHaveNested } from '../writes/expand-nested.ts';
import { expectedVersion, withEntryTag } from '../writes/expected-version.ts';
import { retryTaken } from '../writes/retry-taken.ts';
import { runOperations } from '../writes/run-operations.ts';
import type { BusyEntries } from './busy-entries.ts';
import {
  CollectionPath,
  DeleteQuery,
  EntriesQuery,
  Entry,
  EntryChange,
  EntryPage,
  EntryPath,
  EntryQuery,
  NewEntry,
  SingletonQuery,
} from './contract.ts';
import { createEntry } from './create-entry.ts';
import { EntryReader } from './entry-reader.ts';
import { EntryWriter } from './entry-writer.ts';
import { getEntry } from './get-entry.ts';
import { purgeEntry } from './purge-entry.ts';
import { singletonEntry } from './singleton-entry.ts';
import { updateEntry } from './update-entry.ts';
import { writeContext } from './write-context.ts';

const about = { tags: ['Entries'], security: [{ token: [] }] };
const read = { access: 'secret', rate: 'read' } as const;
const write = { access: 'secret', rate: 'write', isJsonKept: true } as const;

export function entryRoutes(
  app: App,
  deps: Deps,
  cache: CollectionCache,
  pressure: Pressure,
  busyEntries: BusyEntries,
): void {
  const { db, clock, pageTokens, publicUrl } = deps;
  const writer = new EntryWriter(db, pressure, busyEntries);
  const reader = new EntryReader(db, publicUrl);
  const pages = new SharedReads<Buffer>();

  const { get, post, patch, remove } = routesOf(app, about);
  get('/v1/cms/collections/:collectionId/entries', {
    config: { ...read, late: lateQuery(db, cache) },
    operationId: 'listEntries',
    summary: 'List entries',
    description: LIST_DESCRIPTION,
    params: CollectionPath,
    querystring: EntriesQuery,
    returns: EntryPage,
    handle: async ({ caller, params, query, url }, reply) => {
      const { accountId } = caller;
      const view = cache.of(caller);
      const read = () =>
        (query.tree ? listTree : listEntries)(db, view, pageTokens, accountId, params.collectionId, query, publicUrl());
      const page = await (view.access ? read() : pages.share(`${accountId} ${url}`, read));
      return reply.header('content-type', 'application/json; charset=utf-8').send(page as never);
    },
  });

  post('/v1/cms/collections/:collectionId/entries', {
    config: write,
    operationId: 'createEntry',
    'x-etag': 'version',
    'x-idempotency-key': true,
    summary: 'Create an entry',
    description:
      'In a collection with publishing, the entry is a draft until it is published. References may contain new entries, which are created with it.',
    params: CollectionPath,
    body: NewEntry,
    returns: Entry,
    handle: async (request, reply) => {
      const { accountId, type } = request.caller;
      const { collectionId } = request.params;
      const { values } = request.body;
      const context = writeContext(request, deps, cache.of(request.caller));
      const isNested = mayHaveNested(values);
      const create = async (tx: Tx) => {
        if (!isNested) {
          const created = await createEntry(tx, context, collectionId, values);
          await auditEntry(tx, request, undefined, created, clock());
          return created;
        }
        const operations = await expandNested(tx, context.cache, accountId, collectionId, values);
        const created = (await runOperations(tx, context, operations)).map(({ entry }) => entry);
        for (const entry of created) await auditEntry(tx, request, undefined, entry, clock());
        return created.at(-1) as Entry;
      };
      const isWritten = isNested || type === 'user' || idempotencyKey(request) !== undefined;
      const created = isWritten
        ? await retryTaken(() => idempotently(db, request, accountId, create))
        : await writer.create(context, collectionId, values, sizeOf(request));
      return withEntryTag(reply, created);
    },
  });

  get('/v1/cms/collections/:collectionId/entries/:entryId', {
    config: read,
    operationId: 'getEntry',
    'x-etag': 'version',
    summary: 'Get an entry',
    description:
      'Its `ETag` is the version of the entry; a change that sends it as `If-Match` is refused if the entry has changed since.',
    params: EntryPath,
    querystring: EntryQuery,
    returns: Entry,
    handle: async ({ caller, params, query }, reply) => {
      const view = cache.of(caller);
      const entry =
        query.state === 'published'
          ? await readPublished(db, view, caller.accountId, params, publicUrl(), query)
          : await reader.read(view, caller.accountId, params, query.includeDeleted ?? false, query);
      withEntryTag(reply, entry);
      return reply.header('content-type', 'application/json; charset=utf-8').send(entry as never);
    },
  });

  const update = (request: FastifyRequest, path: { collectionId: string; entryId: string }, sent: EntryChange) => {
    const { accountId, type } = request.caller;
    const context = writeContext(request, deps, cache.of(request.caller));
    if (type !== 'user') return writer.update(context, path, sent, sizeOf(request));
    return db.transaction(async (tx) => {
      const before = await getEntry(tx, context.cache, accountId, path, true, publicUrl());
      const after = await updateEntry(tx, context, path, sent);
      await auditEntry(tx, request, before, after, clock());
      return after;
    });
  };

  patch('/v1/cms/collections/:collectionId/entries/:entryId', {
    config: write,
    operationId: 'updateEntry',
    'x-etag': 'version',
    summary: 'Update an entry',
    description: 'Changes and checks only the members that are sent. Set `status` to delete or restore the entry.',
    params: EntryPath,
    body: EntryChange,
    returns: Entry,
    handle: async (request, reply) => {
      const version = expectedVersion(request, request.body.version);
      return withEntryTag(
        reply,
        await update(request, request.params, { ...request.body, ...(version && { version }) }),
      );
    },
  });

  get('/v1/cms/collections/:collectionId/entry', {
    config: read,
    operationId: 'getSingleton',
    'x-etag': 'version',
    summary: 'Get the entry of a singleton',
    description: 'The entry is made with its default values when it is first read or written.',
    params: CollectionPath,
    querystring: SingletonQuery,
    returns: Entry,
    handle: async (request, reply) => {
      const { caller, params, query } = request;
      const entryId = await singletonEntry(
        db,
        writeContext(request, deps, cache.of(request.caller)),
        params.collectionId,
      );
      const path = { ...params, entryId };
      const entry =
        query.state === 'published'
          ? await readPublished(db, cache.of(caller), caller.accountId, path, publicUrl(), query)
          : await reader.read(cache.of(caller), caller.accountId, path, false, query);
      withEntryTag(reply, entry);
      return reply.header('content-type', 'application/json; charset=utf-8').send(entry as never);
    },
  });

  patch('/v1/cms/collections/:collectionId/entry', {
    config: write,
    operationId: 'updateSingleton',
    'x-etag': 'version',
    summary: 'Update the entry of a singleton',
    description: 'As `PATCH …/entries/{entryId}`. The entry is made when it is first read or written.',
    params: CollectionPath,
    body: EntryChange,
    returns: Entry,
    handle: async (request, reply) => {
      const version = expectedVersion(request, request.body.version);
      const entryId = await singletonEntry(
        db,
        writeContext(request, deps, cache.of(request.caller)),
        request.params.collectionId,
      );
      const path = { ...request.params, entryId };
      return withEntryTag(reply, await update(request, path, { ...request.body, ...(version && { version }) }));
    },
  });

  remove('/v1/cms/collections/:collectionId/entries/:entryId', {
    config: write,
    operationId: 'deleteEntry',
    summary: 'Delete an entry',
    description:
      'Returns the entry with `status: "deleted"`. Restore it with `PATCH {"status": "active"}`. With ' +
      '`permanently=true`, a deleted entry is removed with its versions.',
    params: EntryPath,
    querystring: DeleteQuery,
    returns: Entry,
    handle: async (request) => {
      const version = expectedVersion(request, undefined);
      if (!request.query.permanently)
        return update(request, request.params, { status: 'deleted', ...(version && { version }) });
      return db.transaction(async (tx) => {
        const before = await purgeEntry(tx, writeContext(request, deps, cache.of(request.caller)), request.params);
        await auditPurge(tx, request, 'entry', before.id, { collectionId: before.collectionId }, clock());
        return before;
      });
    },
  });
}

/** Of the body in bytes; a compressed one counts as the largest allowed. */
function sizeOf({ headers, routeOptions }: FastifyRequest): number {
  const isPlain = headers['content-encoding'] === undefined && headers['transfer-encoding'] === undefined;
  return isPlain ? Number(headers['content-length'] ?? 0) : (routeOptions.bodyLimit ?? 0);
}

const LIST_DESCRIPTION = `Returns the active entries, sorted and filtered.

Write filters as \`filter[<fieldId>][<operator>]=<value>\`. An entry must match all of them; the same filter can be repeated.

| Operator | Types | |
|---|---|---|
| \`eq\`, \`ne\` | all except groups | \`ne\` includes entries without a value |
| \`in\` | all except groups | one of a list, \`a,b\`; write a comma or backslash in a value as \`\\,\` or \`\\\\\` |
| \`lt\`, \`lte\`, \`gt\`, \`gte\` | text, number, date, timestamp | text in its sort order, ignoring case and accents |
| \`contains\` | text | a part of the text, ignoring case and accents |
| \`exists\` | all | \`true\` or \`false\`; an empty list is no value |

A filter on a repeated field matches if any of its values does, \`ne\` if none is equal. Filter assets by their \`assetId\`.
Entries that are created or deleted between two pages neither repeat nor hide others.`;
