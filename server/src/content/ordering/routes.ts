import type { Deps } from '../../shared/deps.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { auditEntry } from '../audit-content.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import { Entry, EntryPath } from '../entries/contract.ts';
import { getEntry } from '../entries/get-entry.ts';
import { writeContext } from '../entries/write-context.ts';
import { EntryMove } from './contract.ts';
import { moveEntry } from './move-entry.ts';

export function orderingRoutes(app: App, deps: Deps, cache: CollectionCache): void {
  const { db, clock, publicUrl } = deps;

  const { post } = routesOf(app);
  post('/v1/cms/collections/:collectionId/entries/:entryId/move', {
    config: { access: 'secret', rate: 'write' },
    tags: ['Entries'],
    security: [{ token: [] }],
    operationId: 'moveEntry',
    summary: 'Move an entry',
    description:
      'Changes the `position` of an entry in a collection with a manual order, and in a tree its `parentId`. Applies to what is ' +
      'published at once, and makes no new version. No other entry is written.',
    params: EntryPath,
    body: EntryMove,
    returns: Entry,
    handle: async (request) => {
      const { accountId } = request.caller;
      return db.transaction(async (tx) => {
        const before = await getEntry(tx, cache.of(request.caller), accountId, request.params, false, publicUrl());
        const moved = await moveEntry(
          tx,
          writeContext(request, deps, cache.of(request.caller)),
          request.params,
          request.body,
        );
        await auditEntry(tx, request, before, moved, clock());
        return moved;
      });
    },
  });
}
