import type { FastifyRequest } from 'fastify';
import { notGranted } from '../../accounts/index.ts';
import { audit, authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, notFound } from '../../shared/errors.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { newUuid, parseId, publicId } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import { CollectionPath } from '../entries/contract.ts';
import { LIMITS } from '../limits.ts';
import { EntryView, EntryViewBody, EntryViewPath, EntryViews } from './contract.ts';
import { deleteView, type EntryViewRow, listViews, saveView } from './queries.ts';

const about = { tags: ['Collections'], security: [{ token: [] }] };
const write = { access: 'secret', rate: 'write' } as const;
const VIEWS = '/v1/cms/collections/:collectionId/views';

const serialize = ({ id, owner_id, name, state, updated_at }: EntryViewRow): EntryView => ({
  id: publicId('viw', id),
  ...{ name, state },
  shared: owner_id === null,
  updatedAt: isoTime(updated_at),
});

/** Saved views of the table of a collection: filters, order and columns, for oneself or for all members. */
export function viewRoutes(app: App, { db, clock }: Deps, cache: CollectionCache): void {
  const find = ({ caller }: Pick<FastifyRequest, 'caller'>, collectionId: string) => {
    const { accountId } = caller;
    const found = { account_id: accountId };
    return cache.of(caller).use(db, accountId, collectionId, async ({ id }) => ({ ...found, collection_id: id }));
  };

  const { get, put, remove } = routesOf(app, about);
  get(VIEWS, {
    config: { access: 'secret', rate: 'read' },
    operationId: 'listEntryViews',
    summary: 'List saved views of a collection',
    description: "The shared ones and the caller's own, by name.",
    params: CollectionPath,
    returns: EntryViews,
    handle: async (request) => {
      const { caller, params } = request;
      const scope = await find(request, params.collectionId);
      const found = await listViews(db, { ...scope, owner_id: authorOf(request).id });
      // A shared view can name what a role may not read.
      return { views: found.filter(({ owner_id }) => !caller.access || owner_id !== null).map(serialize) };
    },
  });

  put(VIEWS, {
    config: write,
    operationId: 'saveEntryView',
    summary: 'Save a view of a collection',
    description: 'Replaces the view of the same readers with the same name, in any case.',
    params: CollectionPath,
    body: EntryViewBody,
    returns: EntryView,
    handle: async (request) => {
      const { caller, params, body } = request;
      const scope = await find(request, params.collectionId);
      if (caller.access && body.shared) throw notGranted('it may not share views');
      const author = authorOf(request);
      const now = clock();
      return db.transaction(async (tx) => {
        const [row] = await saveView(tx, {
          ...scope,
          owner_id: body.shared ? null : author.id,
          ...{ id: newUuid(now), name: body.name.trim(), state: JSON.stringify(body.state) },
          ...{ now: new Date(now), max: LIMITS.views },
        });
        if (!row) {
          throw badRequest('too_many_views', `A collection has at most ${LIMITS.views} saved views. Delete one first.`);
        }
        const subject = ['view', publicId('viw', row.id)] as const;
        const after = { collectionId: params.collectionId, name: row.name };
        if (body.shared) await audit(tx, author, { action: 'view.saved', subject, after }, now);
        return serialize(row);
      });
    },
  });

  remove(`${VIEWS}/:viewId`, {
    config: write,
    operationId: 'deleteEntryView',
    summary: 'Delete a saved view of a collection',
    description: 'Everyone loses a shared view; other views can be deleted only by who saved them.',
    params: EntryViewPath,
    returns: EntryView,
    handle: async (request) => {
      const { caller, params } = request;
      const scope = await find(request, params.collectionId);
      const author = authorOf(request);
      return db.transaction(async (tx) => {
        const id = parseId('viw', params.viewId);
        const [row] = id === undefined ? [] : await deleteView(tx, { ...scope, id, owner_id: author.id });
        if (!row || (caller.access && row.owner_id === null)) throw notFound('view');
        const change = {
          action: 'view.deleted',
          subject: ['view', params.viewId] as const,
          before: { name: row.name },
        };
        if (row.owner_id === null) await audit(tx, author, change, clock());
        return serialize(row);
      });
    },
  });
}
