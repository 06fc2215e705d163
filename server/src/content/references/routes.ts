import type { Deps } from '../../shared/deps.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import { EntryPath } from '../entries/contract.ts';
import { EntryTitles, TitlesQuery, UsagePage, UsagesQuery } from './contract.ts';
import { getEntryTitles, listUsages } from './usages.ts';

const about = { tags: ['Entries'], security: [{ token: [] }] };
const config = { access: 'secret', rate: 'read' } as const;

/** The usages of an entry, and the titles of entries. */
export function referenceRoutes(app: App, { db, pageTokens }: Deps, cache: CollectionCache): void {
  const { get } = routesOf(app, about);
  get('/v1/cms/collections/:collectionId/entries/:entryId/usages', {
    config,
    operationId: 'listEntryUsages',
    summary: 'List the entries that reference an entry',
    description: 'Returns the active entries whose latest or published version references the entry, oldest first.',
    params: EntryPath,
    querystring: UsagesQuery,
    returns: UsagePage,
    handle: async ({ caller, params, query }) =>
      listUsages(db, cache.of(caller), pageTokens, caller.accountId, params, query),
  });

  get('/v1/cms/entry-titles', {
    config,
    operationId: 'getEntryTitles',
    summary: 'Get the titles of entries',
    description: 'Returns the titles of entries of any collections, to show references. Unknown IDs are left out.',
    querystring: TitlesQuery,
    returns: EntryTitles,
    handle: async ({ caller, query }) => ({
      titles: await getEntryTitles(db, cache.of(caller), caller.accountId, query.ids),
    }),
  });
}
