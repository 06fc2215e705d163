import type { Deps } from '../shared/deps.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import { CollectionPath, CollectionsQuery, TrashedCollectionPage, TrashedEntryPage } from './contract.ts';
import type { KnownCollections } from './known-collections.ts';
import { listCollectionTrash, listEntryTrash } from './list-trash.ts';

const security = [{ token: [] }];
const read = { access: 'secret', rate: 'read' } as const;

/** What was deleted, and can be restored by `PATCH {"status": "active"}`. */
export function trashRoutes(app: App, { db, pageTokens, publicUrl }: Deps, known: KnownCollections): void {
  app.get(
    '/v1/cms/trash',
    {
      config: read,
      schema: {
        tags: ['Collections'],
        security,
        operationId: 'listDeletedCollections',
        summary: 'List deleted collections',
        description: 'The last deleted first.',
        querystring: CollectionsQuery,
        response: withErrors(TrashedCollectionPage),
      },
    },
    async ({ caller, query }) => listCollectionTrash(db, pageTokens, caller.accountId, query),
  );

  app.get(
    '/v1/cms/collections/:collectionId/trash',
    {
      config: read,
      schema: {
        tags: ['Entries'],
        security,
        operationId: 'listDeletedEntries',
        summary: 'List deleted entries',
        description: 'The last deleted first, with who deleted them and when.',
        params: CollectionPath,
        querystring: CollectionsQuery,
        response: withErrors(TrashedEntryPage),
      },
    },
    async ({ caller, params, query }) =>
      listEntryTrash(db, known, pageTokens, caller.accountId, params.collectionId, query, publicUrl()),
  );
}
