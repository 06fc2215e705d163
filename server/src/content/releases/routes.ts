import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../shared/deps.ts';
import { notFound } from '../../shared/errors.ts';
import { idempotently } from '../../shared/http/idempotency.ts';
import { keysetPage, pageById } from '../../shared/http/keyset-page.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { FIRST_ID, parseId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import { type CachedWriteContext, writeContext } from '../entries/write-context.ts';
import type { PublishHooks } from '../publish-hooks/publish-hooks.ts';
import {
  EmptyBody,
  NewRelease,
  Release,
  ReleaseChange,
  ReleaseItemPage,
  ReleaseItemsQuery,
  ReleasePage,
  ReleasePath,
  ReleasesQuery,
} from './contract.ts';
import { cancelRelease, changeRelease, createRelease, publishNow } from './manage-releases.ts';
import {
  findReleases,
  listItems,
  listReleaseRows,
  listReleasesByTime,
  type ReleaseRow,
  type TitledItemRow,
} from './queries.ts';
import { serializeItem, serializeRelease, withNames } from './serialize.ts';
import { forReader, titlesOf, visibleReleases } from './visible-releases.ts';

const about = { tags: ['Releases'], security: [{ token: [] }] };
const read = { access: 'secret', rate: 'read' } as const;
const write = { access: 'secret', rate: 'write' } as const;

/** `/v1/cms/releases`: entries that are published together, now or at a scheduled time. */
export function releaseRoutes(
  app: App,
  deps: Deps,
  cache: CollectionCache,
  hooks: PublishHooks,
  wake: () => void,
): void {
  const { db, control, pageTokens } = deps;

  const present = async (caller: FastifyRequest['caller'], releases: readonly Release[]): Promise<Release[]> =>
    withNames(control, caller.accountId, await forReader(db, cache.of(caller), caller.accountId, releases));
  const named = async (caller: FastifyRequest['caller'], release: Release): Promise<Release> =>
    (await present(caller, [release]))[0] ?? release;

  const find = async (caller: FastifyRequest['caller'], releaseId: string): Promise<ReleaseRow> => {
    const id = parseId('rel', releaseId);
    const found = id === undefined ? [] : await findReleases(db, { account_id: caller.accountId, ids: [id] });
    const [row] = await visibleReleases(db, cache.of(caller), found);
    if (!row) throw notFound('release');
    return row;
  };

  const change = async (request: FastifyRequest, work: (tx: Tx, context: CachedWriteContext) => Promise<Release>) => {
    const release = await hooks.cleared((clearance) =>
      idempotently(db, request, request.caller.accountId, (tx) =>
        work(tx, writeContext(request, deps, cache.of(request.caller), clearance)),
      ),
    );
    wake();
    return named(request.caller, release);
  };

  const { get, post, patch, remove } = routesOf(app, about);
  get('/v1/cms/releases', {
    config: read,
    operationId: 'listReleases',
    summary: 'List releases and scheduled changes',
    description: 'Newest first. With `from` or `to`, those that have a time, in its order.',
    querystring: ReleasesQuery,
    returns: ReleasePage,
    handle: async ({ caller, query }) => {
      const { accountId } = caller;
      const { status = null, collectionId, entryId, from = null, to = null } = query;
      const ids = { collection_id: idOf('col', collectionId), entry_id: idOf('ent', entryId) };
      const scope = [accountId, 'releases', status, ids, from, to];
      const filters = { account_id: accountId, status, ...ids };
      const { rows, nextPageToken } =
        from === null && to === null
          ? await pageById(pageTokens, scope, query, 'newest first', (before, limit) =>
              listReleaseRows(db, { ...filters, before, limit }),
            )
          : await keysetPage<ReleaseRow, [at: string, id: string]>({
              tokens: pageTokens,
              scope,
              query,
              read: ([after_at, after_id] = [from ?? '-infinity', FIRST_ID], limit) =>
                listReleasesByTime(db, { ...filters, after_at, after_id, to, limit }),
              positionOf: ({ at, id }) => [isoTime(at ?? 0), id],
            });
      const visible = await visibleReleases(db, cache.of(caller), rows);
      return { releases: await present(caller, visible.map(serializeRelease)), nextPageToken };
    },
  });

  post('/v1/cms/releases', {
    config: write,
    operationId: 'createRelease',
    'x-idempotency-key': true,
    summary: 'Create a release',
    description:
      'Names entries of any collections with publishing that are published and unpublished together: all of them, or ' +
      'none. With a time (`at`), a worker publishes it then. A scheduled change of one entry is a release with one item and ' +
      'without a name.',
    body: NewRelease,
    returns: Release,
    handle: async (request) => change(request, (tx, context) => createRelease(tx, context, request.body)),
  });

  get('/v1/cms/releases/:releaseId', {
    config: read,
    operationId: 'getRelease',
    summary: 'Get a release',
    description: 'With its first item only; `GET …/releases/{releaseId}/items` lists all of them.',
    params: ReleasePath,
    returns: Release,
    handle: async ({ caller, params }) => {
      return named(caller, serializeRelease(await find(caller, params.releaseId)));
    },
  });

  get('/v1/cms/releases/:releaseId/items', {
    config: read,
    operationId: 'listReleaseItems',
    summary: 'List the entries of a release',
    description: 'In the order in which they were sent, by which errors number them (`/items/0/values/title`).',
    params: ReleasePath,
    querystring: ReleaseItemsQuery,
    returns: ReleaseItemPage,
    handle: async ({ caller, params, query }) => {
      const { accountId: account_id } = caller;
      const { id } = await find(caller, params.releaseId);
      const { rows, nextPageToken } = await keysetPage<TitledItemRow, number>({
        tokens: pageTokens,
        scope: [account_id, 'release items', id],
        query,
        read: (after = -1, limit) => listItems(db, { account_id, id, after, limit }),
        positionOf: ({ position }) => position,
      });
      const items = rows.map(serializeItem);
      const view = cache.of(caller);
      if (!view.access) return { items, nextPageToken };
      const titles = await titlesOf(
        db,
        view,
        account_id,
        items.map(({ entryId }) => entryId),
      );
      return { items: items.map((item) => ({ ...item, title: titles.get(item.entryId) ?? null })), nextPageToken };
    },
  });

  patch('/v1/cms/releases/:releaseId', {
    config: write,
    operationId: 'updateRelease',
    summary: 'Change a release',
    description:
      'Changes only the members that are sent. `at: null` removes the time. A failed release with a new time is scheduled again.',
    params: ReleasePath,
    body: ReleaseChange,
    returns: Release,
    handle: async (request) =>
      change(request, (tx, context) => changeRelease(tx, context, request.params.releaseId, request.body)),
  });

  remove('/v1/cms/releases/:releaseId', {
    config: write,
    operationId: 'cancelRelease',
    summary: 'Cancel a release',
    description: 'Returns the release with `status: "canceled"`. Its entries do not change.',
    params: ReleasePath,
    returns: Release,
    handle: async (request) => change(request, (tx, context) => cancelRelease(tx, context, request.params.releaseId)),
  });

  post('/v1/cms/releases/:releaseId/publish', {
    config: write,
    operationId: 'publishRelease',
    'x-idempotency-key': true,
    summary: 'Publish a release now',
    description:
      'Publishes and unpublishes all entries of the release in one transaction. If one of them cannot be published, nothing ' +
      'is, and the response lists every error of every entry (`/items/0/values/title`).',
    params: ReleasePath,
    body: EmptyBody,
    returns: Release,
    handle: async (request) => change(request, (tx, context) => publishNow(tx, context, request.params.releaseId)),
  });
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** The UUID of a filter; one that no resource has for something else; null for no filter. */
const idOf = (kind: 'col' | 'ent', id: string | undefined) => (id === undefined ? null : (parseId(kind, id) ?? NO_ID));
