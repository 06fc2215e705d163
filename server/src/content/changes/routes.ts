import { Type } from 'typebox';
import type { Deps } from '../../shared/deps.ts';
import { routesOf } from '../../shared/http/routes.ts';
import { STRICT } from '../../shared/http/schemas.ts';
import type { App } from '../../shared/http/server.ts';
import { KEY } from '../delivery/contract.ts';
import { CHANGES_DAYS, ChangesQuery, PublicChanges } from './contract.ts';
import { nextChanges, startFollowing } from './feed.ts';
import type { ChangeStreams } from './streams.ts';

export function changeRoutes(app: App, { db }: Deps, streams: ChangeStreams): void {
  app.addHook('preClose', async () => streams.end());
  const { get } = routesOf(app);
  get('/v1/content/changes', {
    config: { access: 'publishable', rate: 'delivery', streams: true },
    tags: ['Public content'],
    security: [{ publishableKey: [] }, { publishableHeader: [] }],
    operationId: 'listPublicChanges',
    summary: 'Follow what is published',
    description:
      'Returns what was published and unpublished in public collections, in the order of commits and without gaps, up to 1,000 ' +
      `changes at a time, for ${CHANGES_DAYS} days. An entry in several locales has a change for each. A collection that becomes public ` +
      'or stops being so, or is deleted, has a change for each of its published entries. With `Accept: text/event-stream` the response is a ' +
      'stream of events (`publish`, `unpublish`), whose IDs are cursors, and `Last-Event-ID` stands for `since`.',
    querystring: Type.Object({ ...ChangesQuery, key: KEY }, STRICT),
    returns: PublicChanges,
    handle: async ({ caller, query, headers, method }, reply) => {
      const isStream = headers.accept?.includes('text/event-stream') && method === 'GET';
      const lastEvent = headers['last-event-id'];
      const since = isStream && typeof lastEvent === 'string' && lastEvent !== '' ? lastEvent : query.since;
      const following = await startFollowing(db, caller.accountId, { since, collections: query.collections });
      if (!isStream) return (await nextChanges(db, following)).page;
      const stream = streams.open(following);
      // Proxies would collect the events.
      reply.header('content-type', 'text/event-stream').header('x-accel-buffering', 'no');
      return reply.send(stream) as never;
    },
  });
}
