import type { Deps } from '../shared/deps.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import { auditEntry } from './audit-content.ts';
import {
  Entry,
  EntryPath,
  EntryVersionPage,
  EntryVersionWithValues,
  IncludeDeleted,
  VersionPath,
  VersionRestore,
  VersionsQuery,
} from './contract.ts';
import { getEntryVersion, listEntryVersions } from './entry-versions.ts';
import { getEntry } from './get-entry.ts';
import type { KnownCollections } from './known-collections.ts';
import { restoreVersion } from './restore-version.ts';
import { writingOf } from './writing.ts';

const about = { tags: ['Entries'], security: [{ token: [] }] };
const read = { access: 'secret', rate: 'read' } as const;

/** The history of an entry, and going back in it. */
export function versionRoutes(app: App, deps: Deps, known: KnownCollections): void {
  const { db, clock, pageTokens, publicUrl } = deps;

  app.get(
    '/v1/cms/collections/:collectionId/entries/:entryId/versions',
    {
      config: read,
      schema: {
        ...about,
        operationId: 'listEntryVersions',
        summary: 'List the versions of an entry',
        description:
          'The newest first, which is the current one: who made it, when, and of which fields. As many earlier ones are ' +
          'kept as `entryVersions` of `GET /v1/limits` tells.',
        params: EntryPath,
        querystring: VersionsQuery,
        response: withErrors(EntryVersionPage),
      },
    },
    async ({ caller, params, query }) => listEntryVersions(db, known, pageTokens, caller.accountId, params, query),
  );

  app.get(
    '/v1/cms/collections/:collectionId/entries/:entryId/versions/:version',
    {
      config: read,
      schema: {
        ...about,
        operationId: 'getEntryVersion',
        summary: 'Get a version of an entry, with its values',
        params: VersionPath,
        querystring: IncludeDeleted,
        response: withErrors(EntryVersionWithValues),
      },
    },
    async ({ caller, params, query }) =>
      getEntryVersion(db, known, caller.accountId, params, query.includeDeleted, publicUrl()),
  );

  app.post(
    '/v1/cms/collections/:collectionId/entries/:entryId/versions/:version/restore',
    {
      config: { access: 'secret', rate: 'write' },
      schema: {
        ...about,
        operationId: 'restoreEntryVersion',
        'x-idempotency-key': true,
        summary: 'Go back to a version of an entry',
        description:
          'Gives the entry the values of that version, as a new version; a field without a value then loses it. What is no ' +
          'longer valid (an option or a file that was deleted, a value that is required now) is a fault at its field; `fields` ' +
          'brings back others without it. Fields that were deleted stay as they are.',
        params: VersionPath,
        body: VersionRestore,
        response: withErrors(Entry),
      },
    },
    async (request) => {
      const { caller, params, body } = request;
      return idempotently(db, request, caller.accountId, async (tx) => {
        const isUser = caller.kind === 'user';
        const before = isUser ? await getEntry(tx, known, caller.accountId, params, false, publicUrl()) : undefined;
        const after = await restoreVersion(tx, writingOf(request, deps, known), params, body);
        await auditEntry(tx, request, before, after, clock());
        return after;
      });
    },
  );
}
