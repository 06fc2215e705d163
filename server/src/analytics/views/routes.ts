import { audit, authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, notFound, refuse } from '../../shared/errors.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { newUuid, parseId, publicId } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import { LIMITS } from '../limits.ts';
import { Deleted, SavedView, SavedViewBody, SavedViewPath, SavedViews, SavedViewsQuery } from './contract.ts';
import { deleteView, listViews, saveView, type ViewRow } from './queries.ts';

const serialize = ({ id, screen, name, state, updated_at }: ViewRow): SavedView => ({
  id: publicId('viw', id),
  ...{ screen, name, state },
  updatedAt: isoTime(updated_at),
});

/** Saved views of the overview and saved funnels, shared by all members of the account. */
export function viewRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  const common = { tags: ['Analytics'], security: [{ token: [] }] };
  const write = { access: 'secret', role: 'editor', rate: 'write' } as const;

  const { get, put, remove } = routesOf(app, common);
  get('/v1/analytics/views', {
    config: { access: 'secret', rate: 'read' },
    operationId: 'listSavedViews',
    summary: 'List saved views of a screen',
    description: 'By name; at most 100.',
    querystring: SavedViewsQuery,
    returns: SavedViews,
    handle: async ({ caller, query }) => {
      const rows = await listViews(db, { account_id: caller.accountId, screen: query.screen });
      return { views: rows.map(serialize) };
    },
  });

  put('/v1/analytics/views', {
    config: write,
    operationId: 'saveView',
    summary: 'Save a view',
    description:
      'Replaces the view of the screen with the same name, in any case. Every member of the account can use it.',
    body: SavedViewBody,
    returns: SavedView,
    handle: (request) => {
      const { screen, name } = request.body;
      const state = JSON.stringify(request.body.state);
      if (Buffer.byteLength(state) > LIMITS.savedViewBytes) {
        const detail = `The state has more than ${LIMITS.savedViewBytes} bytes.`;
        refuse([{ pointer: '/state', code: 'state_too_large', detail }]);
      }
      return db.transaction(async (tx) => {
        const { accountId } = request.caller;
        const now = clock();
        const [row] = await saveView(tx, {
          ...{ account_id: accountId, id: newUuid(now), screen, name: name.trim() },
          ...{ state, now: new Date(now), max: LIMITS.savedViews },
        });
        if (!row)
          throw badRequest(
            'too_many_views',
            `A screen has at most ${LIMITS.savedViews} saved views. Delete one first.`,
          );
        const subject = ['view', publicId('viw', row.id)] as const;
        await audit(tx, authorOf(request), { action: 'view.saved', subject, after: { screen, name: row.name } }, now);
        return serialize(row);
      });
    },
  });

  remove('/v1/analytics/views/:viewId', {
    config: write,
    operationId: 'deleteSavedView',
    summary: 'Delete a saved view',
    description: 'Everyone in the account loses it. The data that it shows stays.',
    params: SavedViewPath,
    returns: Deleted,
    handle: (request) =>
      db.transaction(async (tx) => {
        const { viewId } = request.params;
        const id = parseId('viw', viewId);
        const [row] = id === undefined ? [] : await deleteView(tx, { account_id: request.caller.accountId, id });
        if (!row) throw notFound('view');
        const change = { action: 'view.deleted', subject: ['view', viewId] as const, before: { name: row.name } };
        await audit(tx, authorOf(request), change, clock());
        return { success: true };
      }),
  });
}
