import type { Deps } from '../../shared/deps.ts';
import { idempotently } from '../../shared/http/idempotency.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { auditEntry } from '../audit-content.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import {
  CollectionPath,
  CollectionsQuery,
  Entry,
  EntryPath,
  EntryVersionPage,
  EntryVersionWithValues,
  IncludeDeleted,
  TrashedCollectionPage,
  TrashedEntryPage,
  VersionPath,
  VersionRestore,
  VersionsQuery,
} from '../entries/contract.ts';
import { getEntry } from '../entries/get-entry.ts';
import { writeContext } from '../entries/write-context.ts';
import { getEntryVersion, listEntryVersions } from './entry-versions.ts';
import { listTrashedCollections, listTrashedEntries } from './list-trash.ts';
import { restoreVersion } from './restore-version.ts';

const security = [{ token: [] }];
const about = { tags: ['Entries'], security };
const read = { access: 'secret', rate: 'read' } as const;

/** Versions of entries, and what was deleted. */
export function historyRoutes(app: App, deps: Deps, cache: CollectionCache): void {
  const { db, clock, pageTokens, publicUrl } = deps;

  const { get, post } = routesOf(app, about);
  get('/v1/cms/collections/:collectionId/entries/:entryId/versions', {
    config: read,
    operationId: 'listEntryVersions',
    summary: 'List the versions of an entry',
    description:
      'Returns the current version and the earlier ones, newest first: who changed which fields, and when. ' +
      '`GET /v1/limits` tells how many earlier versions are kept (`entryVersions`).',
    params: EntryPath,
    querystring: VersionsQuery,
    returns: EntryVersionPage,
    handle: async ({ caller, params, query }) =>
      listEntryVersions(deps, cache.of(caller), caller.accountId, params, query),
  });

  get('/v1/cms/collections/:collectionId/entries/:entryId/versions/:version', {
    config: read,
    operationId: 'getEntryVersion',
    summary: 'Get a version of an entry, with its values',
    description: '404 for a version that is no longer kept: see `GET …/entries/{entryId}/versions`.',
    params: VersionPath,
    querystring: IncludeDeleted,
    returns: EntryVersionWithValues,
    handle: async ({ caller, params, query }) =>
      getEntryVersion(deps, cache.of(caller), caller.accountId, params, query.includeDeleted ?? false),
  });

  post('/v1/cms/collections/:collectionId/entries/:entryId/versions/:version/restore', {
    config: { access: 'secret', rate: 'write' },
    operationId: 'restoreEntryVersion',
    'x-idempotency-key': true,
    summary: 'Restore a version of an entry',
    description:
      'Gives the entry the values of that version, as a new version. Fields that had no value then lose it; deleted ' +
      'fields stay as they are. A value that is no longer valid, such as a deleted option or file, or a missing value ' +
      'of a field that is required now, is an error; use `fields` to restore the other fields.',
    params: VersionPath,
    body: VersionRestore,
    returns: Entry,
    handle: async (request) => {
      const { caller, params, body } = request;
      return idempotently(db, request, caller.accountId, async (tx) => {
        const isUser = caller.type === 'user';
        const before = isUser
          ? await getEntry(tx, cache.of(caller), caller.accountId, params, false, publicUrl())
          : undefined;
        const after = await restoreVersion(tx, writeContext(request, deps, cache.of(request.caller)), params, body);
        await auditEntry(tx, request, before, after, clock());
        return after;
      });
    },
  });

  get('/v1/cms/trash', {
    config: read,
    tags: ['Collections'],
    security,
    operationId: 'listDeletedCollections',
    summary: 'List deleted collections',
    description:
      'Returns the deleted collections, most recently deleted first. Restore one with `PATCH {"status": "active"}`.',
    querystring: CollectionsQuery,
    returns: TrashedCollectionPage,
    handle: async ({ caller, query }) => listTrashedCollections(db, pageTokens, caller.accountId, query),
  });

  get('/v1/cms/collections/:collectionId/trash', {
    config: read,
    operationId: 'listDeletedEntries',
    summary: 'List deleted entries',
    description:
      'Returns the deleted entries of a collection, most recently deleted first, with who deleted them and when. ' +
      'Restore one with `PATCH {"status": "active"}`.',
    params: CollectionPath,
    querystring: CollectionsQuery,
    returns: TrashedEntryPage,
    handle: async ({ caller, params, query }) =>
      listTrashedEntries(deps, cache.of(caller), caller.accountId, params.collectionId, query),
  });
}
