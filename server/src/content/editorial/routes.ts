import type { FastifyRequest } from 'fastify';
import { notGranted } from '../../accounts/index.ts';
import { authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, notFound } from '../../shared/errors.ts';
import { idempotently } from '../../shared/http/idempotency.ts';
import { pageById } from '../../shared/http/keyset-page.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { newUuid, parseId, publicId, uuidTime } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import { memberNames, nameAuthors } from '../../users/index.ts';
import type { Collection } from '../collections/collection.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import { EntryPath } from '../entries/contract.ts';
import { useEntry } from '../entries/get-entry.ts';
import type { EntryRow } from '../entries/queries.ts';
import { writeContext } from '../entries/write-context.ts';
import {
  Comment,
  CommentPage,
  CommentPath,
  CommentsQuery,
  NewComment,
  Presence,
  PresenceQuery,
  Review,
  ReviewChange,
} from './contract.ts';
import {
  type CommentRow,
  deleteComment,
  findComment,
  findReview,
  insertComment,
  listComments,
  recordPresence,
} from './queries.ts';
import { changeReview, serializeReview } from './reviews.ts';

const about = { tags: ['Entries'], security: [{ token: [] }] };
const read = { access: 'secret', rate: 'read' } as const;
const write = { access: 'secret', rate: 'write' } as const;
const ENTRY = '/v1/cms/collections/:collectionId/entries/:entryId';

/** A user whose dashboard has not reported presence for this long no longer has the entry open. */
const PRESENT_MS = 40_000;

/** How editors work together on an entry: review, comments, and who has it open. */
export function editorialRoutes(app: App, deps: Deps, cache: CollectionCache): void {
  const { db, control, clock, pageTokens } = deps;
  const use = <T>(
    { caller }: Pick<FastifyRequest, 'caller'>,
    path: EntryPathParams,
    operation: (entry: EntryRow, collection: Collection) => Promise<T>,
  ) =>
    useEntry(db, cache.of(caller), caller.accountId, path, false, async (collection, entry) =>
      operation(entry, collection),
    );
  const serializeComments = async (accountId: string, rows: readonly CommentRow[]) => {
    const authors = await nameAuthors(control, accountId, rows);
    return rows.map(({ id, text }, i) => ({
      ...{ id: publicId('cmt', id), text },
      by: authors[i] ?? null,
      createdAt: isoTime(uuidTime(id)),
    }));
  };

  const { get, post, put, remove } = routesOf(app, about);
  get(`${ENTRY}/review`, {
    config: read,
    operationId: 'getReview',
    summary: 'Get the review of an entry',
    description: 'Its state, who is responsible for it, and the versions that may be published.',
    params: EntryPath,
    returns: Review,
    handle: async ({ caller, params }) =>
      use({ caller }, params, async (entry) => {
        const { accountId } = caller;
        const [row] = await findReview(db, { account_id: accountId, entry_id: entry.id });
        return serializeReview(control, accountId, entry, row);
      }),
  });

  put(`${ENTRY}/review`, {
    config: write,
    operationId: 'updateReview',
    summary: 'Change the review of an entry',
    description:
      'Requests a review, approves the current version, or assigns the entry to a member. In a collection with `review`, ' +
      'only approved versions can be published, and only members with that role and API keys may approve.',
    params: EntryPath,
    body: ReviewChange,
    returns: Review,
    handle: async (request) => {
      const { caller, params, body } = request;
      const members = new Set((await memberNames(control, caller.accountId)).map(({ id }) => parseId('usr', id)));
      const context = writeContext(request, deps, cache.of(request.caller));
      const isMember = (id: string) => members.has(id);
      const { entry, row } = await db.transaction((tx) => changeReview(tx, context, caller, params, body, isMember));
      return serializeReview(control, caller.accountId, entry, row);
    },
  });

  get(`${ENTRY}/comments`, {
    config: read,
    operationId: 'listComments',
    summary: 'List the comments on an entry',
    description: 'Newest first.',
    params: EntryPath,
    querystring: CommentsQuery,
    returns: CommentPage,
    handle: async ({ caller, params, query }) =>
      use({ caller }, params, async ({ id: entry_id }) => {
        const { accountId } = caller;
        const scope = [accountId, 'comments', entry_id];
        const { rows, nextPageToken } = await pageById(pageTokens, scope, query, 'newest first', (before, limit) =>
          listComments(db, { account_id: accountId, entry_id, before, limit }),
        );
        return { comments: await serializeComments(accountId, rows), nextPageToken };
      }),
  });

  post(`${ENTRY}/comments`, {
    config: write,
    operationId: 'createComment',
    'x-idempotency-key': true,
    summary: 'Comment on an entry',
    description: 'Comments are for those who edit the entry: public content does not contain them.',
    params: EntryPath,
    body: NewComment,
    returns: Comment,
    handle: async (request) => {
      const { caller, params, body } = request;
      const { accountId: account_id } = caller;
      const { type: author_type, id: author_id } = authorOf(request);
      const entry = await use(request, params, async (found, collection) => {
        requireTaking(collection);
        return found;
      });
      const [by = null] = await nameAuthors(control, account_id, [{ author_type, author_id }]);
      return idempotently(db, request, account_id, async (tx) => {
        const id = newUuid(clock());
        await insertComment(tx, { account_id, id, entry_id: entry.id, text: body.text, author_type, author_id });
        return { id: publicId('cmt', id), text: body.text, by, createdAt: isoTime(uuidTime(id)) };
      });
    },
  });

  remove(`${ENTRY}/comments/:commentId`, {
    config: write,
    operationId: 'deleteComment',
    summary: 'Delete a comment',
    description: 'Members delete their own comments and those of API keys, owners and API keys all.',
    params: CommentPath,
    returns: Comment,
    handle: async (request) => {
      const { caller, params } = request;
      const { accountId: account_id } = caller;
      return use(request, params, async ({ id: entry_id }, collection) => {
        requireTaking(collection);
        const id = parseId('cmt', params.commentId);
        const [row] = id === undefined ? [] : await findComment(db, { account_id, entry_id, id });
        if (!row) throw notFound('comment');
        if (!mayDelete(request, row)) throw badRequest('not_yours', "Only owners can delete other users' comments.");
        await deleteComment(db, { account_id, entry_id, id: row.id });
        const [deleted] = await serializeComments(account_id, [row]);
        if (!deleted) throw notFound('comment');
        return deleted;
      });
    },
  });

  post(`${ENTRY}/presence`, {
    config: { access: 'secret', rate: 'read' },
    operationId: 'recordPresence',
    summary: 'Report that a user has an entry open',
    description:
      `The dashboard does so every 15 seconds and when another field gets the focus. Returns the other users who did within ${PRESENT_MS / 1_000} seconds. A request with ` +
      'an API key only reads.',
    params: EntryPath,
    querystring: PresenceQuery,
    returns: Presence,
    handle: async ({ caller, params, query }) => {
      const { accountId: account_id } = caller;
      return use({ caller }, params, async ({ id: entry_id }, collection) => {
        const now = clock();
        const { field = null } = query;
        const user_id = caller.type === 'user' ? caller.userId : null;
        const others = await recordPresence(db, { account_id, entry_id, user_id, field, now, since: now - PRESENT_MS });
        const authors = others.map((each) => ({ author_type: 'user' as const, author_id: each.user_id }));
        const named = await nameAuthors(control, account_id, authors);
        return {
          users: named.flatMap((author, i) =>
            author?.id ? [{ id: author.id, name: author.name, field: shownField(collection, others[i]?.field) }] : [],
          ),
        };
      });
    },
  });
}

/** The field (path) that another user has the focus in, unless the reader does not know it. */
function shownField({ byId }: Collection, path: string | null | undefined): string | null {
  return path == null || byId.get(path.split(/[./]/, 1)[0] ?? '')?.hidden ? null : path;
}

/** A role that only reads entries takes no part in their review. @throws ApiError 400 `role_insufficient` */
function requireTaking({ access }: Collection): void {
  if (access && !access.permissions.review && !access.permissions.update) {
    throw notGranted('it may neither update nor review entries of this collection');
  }
}

interface EntryPathParams {
  collectionId: string;
  entryId: string;
}

function mayDelete({ caller }: FastifyRequest, { author_type, author_id }: CommentRow): boolean {
  const isOfAnotherUser = author_type === 'user' && caller.type === 'user' && author_id !== caller.userId;
  return !isOfAnotherUser || (caller.type === 'user' && caller.role === 'owner');
}
