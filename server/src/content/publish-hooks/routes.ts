import type { FastifyRequest } from 'fastify';
import { notGranted, readsEverything } from '../../accounts/index.ts';
import { audit, authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { hasMember } from '../../shared/http/has-member.ts';
import { onceWithSecret } from '../../shared/http/idempotency.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import {
  NewPublishHook,
  PublishHook,
  PublishHookChange,
  PublishHooks as PublishHookList,
  PublishHookPath,
  PublishHookTest,
  PublishHookWithSecret,
} from './contract.ts';
import { changeHook, createHook, hookSecretOf, removeHook, requireHook, serializeHook } from './manage-hooks.ts';
import type { PublishHooks } from './publish-hooks.ts';
import { type HookRow, listHooks } from './queries.ts';

const read = { access: 'secret', rate: 'read' } as const;
/** Only owners decide where an account's data is sent. */
const write = { access: 'secret', role: 'owner', rate: 'write' } as const;
const about = { tags: ['Publish hooks'], security: [{ token: [] }] };

/** `/v1/publish-hooks`: endpoints that may refuse what is about to be published. */
export function publishHookRoutes(app: App, { db, clock, vault }: Deps, hooks: PublishHooks): void {
  const { get, post, patch, remove } = routesOf(app, about);

  get('/v1/publish-hooks', {
    config: read,
    operationId: 'listPublishHooks',
    summary: 'List publish hooks',
    description: 'Oldest first.',
    returns: PublishHookList,
    handle: async ({ caller }) => ({
      hooks: (await listHooks(db, { account_id: caller.accountId })).map(serializeHook),
    }),
  });

  post('/v1/publish-hooks', {
    config: { ...write, confirm: true },
    'x-idempotency-key': true,
    operationId: 'createPublishHook',
    summary: 'Create a publish hook',
    description:
      'Before entries are published, they are sent to the URL, signed according to Standard Webhooks. It answers within 5 seconds: ' +
      '`{"allow": true}`, or `{"allow": false, "reasons": [{"field": "title", "message": "Too long."}]}`, which the request that ' +
      'publishes is refused with. The response contains the signing secret, which is not shown again.',
    body: NewPublishHook,
    returns: PublishHookWithSecret,
    handle: async (request) => {
      requireWholeReader(request);
      const { accountId } = request.caller;
      const created = await onceWithSecret(db, request, accountId, async (tx) => {
        const row = await createHook(tx, vault, hooks.mayConnect, accountId, request.body, clock());
        await note(tx, request, 'created', row, { after: audited(row) });
        return row;
      });
      return { ...serializeHook(created), secret: await hookSecretOf(db, vault, created) };
    },
  });

  patch('/v1/publish-hooks/:hookId', {
    config: { ...write, confirm: hasMember('url') },
    operationId: 'updatePublishHook',
    summary: 'Update a publish hook',
    description: 'Changes only the members that are sent. The signing secret stays the same.',
    params: PublishHookPath,
    body: PublishHookChange,
    returns: PublishHook,
    handle: (request) =>
      db.transaction(async (tx) => {
        requireWholeReader(request);
        const { caller, params, body } = request;
        const { before, after } = await changeHook(
          tx,
          hooks.mayConnect,
          caller.accountId,
          params.hookId,
          body,
          clock(),
        );
        await note(tx, request, 'changed', after, { before: audited(before), after: audited(after) });
        return serializeHook(after);
      }),
  });

  remove('/v1/publish-hooks/:hookId', {
    config: write,
    operationId: 'deletePublishHook',
    summary: 'Delete a publish hook',
    description: 'It is no longer asked.',
    params: PublishHookPath,
    returns: PublishHook,
    handle: (request) =>
      db.transaction(async (tx) => {
        const row = await removeHook(tx, request.caller.accountId, request.params.hookId);
        await note(tx, request, 'deleted', row, { before: audited(row) });
        return serializeHook(row);
      }),
  });

  post('/v1/publish-hooks/:hookId/test', {
    config: write,
    operationId: 'testPublishHook',
    summary: 'Test a publish hook',
    description: 'Sends a request of type `publish_hook.test` without entries and returns how it was answered.',
    params: PublishHookPath,
    returns: PublishHookTest,
    handle: async ({ caller, params }) => {
      const hook = await requireHook(db, caller.accountId, params.hookId);
      const { ms: milliseconds, ...answer } = await hooks.test(hook);
      const details = {
        allowed: 'It allows what is published.',
        refused: 'It answered, and refuses.',
        failed: `It could not be asked: ${'error' in answer ? answer.error : ''}.`,
      };
      return { outcome: answer.outcome, detail: details[answer.outcome], milliseconds };
    },
  });

  const note = (
    tx: Tx,
    request: FastifyRequest,
    action: string,
    { id }: HookRow,
    change: { before?: Record<string, unknown>; after?: Record<string, unknown> },
  ) =>
    audit(
      tx,
      authorOf(request),
      { action: `publish_hook.${action}`, subject: ['publish_hook', publicId('phk', id)], ...change },
      clock(),
    );
}

/** A hook is sent all values of entries. */
function requireWholeReader({ caller }: FastifyRequest): void {
  if (!readsEverything(caller.access)) throw notGranted('a publish hook is sent all values of entries');
}

/** The query of the URL may contain a secret of the receiver, so it is left out. */
function audited(row: HookRow) {
  const { name, url, collectionIds, onError, enabled } = serializeHook(row);
  const { origin, pathname } = new URL(url);
  return { name, url: origin + pathname, collectionIds, onError, enabled };
}
