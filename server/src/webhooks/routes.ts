import type { Deps } from '../shared/deps.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import { pageById } from '../shared/http/keyset-page.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import type { MayConnect } from '../shared/outbound/connect-policy.ts';
import {
  Delivery,
  EmptyBody,
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookPage,
  WebhookPath,
  WebhooksQuery,
  WebhookWithSecret,
} from './contract.ts';
import { auditedState, auditWebhook } from './endpoints/audit-webhook.ts';
import { createWebhook } from './endpoints/create-webhook.ts';
import { listEndpoints } from './endpoints/queries.ts';
import { rotateSecret, type WebhookSecrets, withSecret } from './endpoints/secrets.ts';
import { requireEndpoint, serializeWebhook } from './endpoints/serialize.ts';
import { deleteWebhook, updateWebhook } from './endpoints/update-webhook.ts';
import { sendTest } from './history/send-test.ts';
import type { Partitions } from './partitions.ts';

const read = { access: 'secret', rate: 'read' } as const;
/** Only owners decide where an account's data is sent. */
const write = { access: 'secret', role: 'owner', rate: 'write' } as const;
const about = { tags: ['Webhooks'], security: [{ token: [] }] };

export interface WebhookTools {
  secrets: WebhookSecrets;
  mayConnect: MayConnect;
  partitions: Partitions;
}

/** `/v1/webhooks` */
export function webhookRoutes(app: App, deps: Deps, { secrets, mayConnect, partitions }: WebhookTools): void {
  const { db, clock, pageTokens } = deps;

  app.post(
    '/v1/webhooks',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'createWebhook',
        summary: 'Create a webhook',
        description:
          'Sends everything that happens from now on to the URL, signed according to Standard Webhooks. The response contains the signing secret, which is not shown again.',
        body: NewWebhook,
        response: withErrors(WebhookWithSecret),
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      // The response stored for the Idempotency-Key does not contain the secret.
      const webhook = await idempotently(db, request, accountId, async (tx) => {
        const created = await createWebhook(tx, secrets, mayConnect, accountId, request.body, clock());
        await auditWebhook(tx, request, 'created', created.id, { after: auditedState(created) }, clock());
        return created;
      });
      return withSecret(db, secrets, accountId, webhook);
    },
  );

  app.get(
    '/v1/webhooks',
    {
      config: read,
      schema: {
        ...about,
        operationId: 'listWebhooks',
        summary: 'List webhooks',
        description: 'Oldest first.',
        querystring: WebhooksQuery,
        response: withErrors(WebhookPage),
      },
    },
    async ({ caller: { accountId }, query }) => {
      const { rows, nextPageToken } = await pageById(
        pageTokens,
        [accountId, '/v1/webhooks'],
        query,
        'oldest first',
        (after, limit) => listEndpoints(db, { account_id: accountId, after, limit }),
      );
      return { webhooks: rows.map((row) => serializeWebhook(row, clock())), nextPageToken };
    },
  );

  app.get(
    '/v1/webhooks/:id',
    {
      config: read,
      schema: {
        ...about,
        operationId: 'getWebhook',
        summary: 'Get a webhook',
        params: WebhookPath,
        response: withErrors(Webhook),
      },
    },
    async ({ caller, params }) => serializeWebhook(await requireEndpoint(db, caller.accountId, params.id), clock()),
  );

  app.patch(
    '/v1/webhooks/:id',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'updateWebhook',
        summary: 'Update a webhook',
        description:
          'Updates the members that are sent. A disabled webhook receives nothing: its pending deliveries fail and can be replayed later; what happens while it is disabled is never sent to it.',
        params: WebhookPath,
        body: WebhookChange,
        response: withErrors(Webhook),
      },
    },
    (request) =>
      db.transaction(async (tx) => {
        const { caller, params, body } = request;
        const { before, after } = await updateWebhook(tx, mayConnect, caller.accountId, params.id, body, clock());
        const change = { before: auditedState(before), after: auditedState(after) };
        await auditWebhook(tx, request, 'changed', after.id, change, clock());
        return after;
      }),
  );

  app.delete(
    '/v1/webhooks/:id',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: 'Nothing more is sent to it, and its deliveries can no longer be read.',
        params: WebhookPath,
        response: withErrors(Webhook),
      },
    },
    (request) =>
      db.transaction(async (tx) => {
        const deleted = await deleteWebhook(tx, request.caller.accountId, request.params.id, clock());
        await auditWebhook(tx, request, 'deleted', deleted.id, { before: auditedState(deleted) }, clock());
        return deleted;
      }),
  );

  app.post(
    '/v1/webhooks/:id/rotate-secret',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'rotateWebhookSecret',
        summary: "Rotate a webhook's secret",
        description: 'Returns a new secret, which is not shown again. The previous secret also signs for 24 hours.',
        params: WebhookPath,
        body: EmptyBody,
        response: withErrors(WebhookWithSecret),
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const webhook = await idempotently(db, request, accountId, async (tx) => {
        const rotated = await rotateSecret(tx, secrets, accountId, request.params.id, clock());
        await auditWebhook(tx, request, 'secret_rotated', rotated.id, {}, clock());
        return rotated;
      });
      return withSecret(db, secrets, accountId, webhook);
    },
  );

  app.post(
    '/v1/webhooks/:id/test',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'testWebhook',
        summary: 'Test a webhook',
        description: 'Sends a `webhook.test`, whatever the webhook subscribes to.',
        params: WebhookPath,
        body: EmptyBody,
        response: withErrors(Delivery),
      },
    },
    ({ caller, params }) => sendTest(db, partitions, caller.accountId, params.id, clock()),
  );
}
