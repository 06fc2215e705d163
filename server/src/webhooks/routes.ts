import { Job } from '../jobs/index.ts';
import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import type { MayConnect } from './addresses.ts';
import { auditWebhook } from './audit-webhook.ts';
import { changeWebhook, deleteWebhook } from './change-webhook.ts';
import {
  DeliveriesQuery,
  Delivery,
  DeliveryPage,
  DeliveryPath,
  DeliveryWithPayload,
  NewWebhook,
  Nothing,
  Replay,
  Webhook,
  WebhookChange,
  WebhookPage,
  WebhookPath,
  WebhooksQuery,
  WebhookWithSecret,
} from './contract.ts';
import { createWebhook } from './create-webhook.ts';
import { getDelivery, listDeliveryPage } from './deliveries.ts';
import { endpointId, found, webhookAnswer } from './endpoint.ts';
import { listWebhooks } from './list-webhooks.ts';
import type { Partitions } from './partitions.ts';
import { findEndpoint } from './queries.ts';
import { replay } from './replay.ts';
import { rotateSecret } from './rotate-secret.ts';
import type { Secrets } from './secret.ts';
import { sendTest } from './send-test.ts';
import { withSecret } from './show-secret.ts';

const read = { access: 'secret', rate: 'read' } as const;
// Who says where an account's data goes is its owner.
const write = { access: 'secret', role: 'owner', rate: 'write' } as const;
const about = { tags: ['Webhooks'], security: [{ token: [] }] };

/** What the room's operations share. */
export interface WebhookTools {
  secrets: Secrets;
  mayConnect: MayConnect;
  partitions: Partitions;
}

/** `/v1/webhooks`: the endpoints. */
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
          'What happens from now on is pushed to the URL, signed as Standard Webhooks say. The secret is answered this once.',
        body: NewWebhook,
        response: withErrors(WebhookWithSecret),
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      // The answer that is kept for an Idempotency-Key is without the secret.
      const webhook = await idempotently(db, request, accountId, async (tx) => {
        const made = await createWebhook(tx, secrets, mayConnect, accountId, request.body, clock());
        await auditWebhook(tx, request, 'created', made.id, { after: made }, clock());
        return made;
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
    ({ caller, query }) => listWebhooks(db, pageTokens, caller.accountId, query, clock()),
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
    async ({ caller, params }) => {
      const [row] = await findEndpoint(db, caller.accountId, endpointId(params.id));
      return webhookAnswer(found(row), clock());
    },
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
          'Changes what is sent. A disabled one takes nothing: what was pending ends as failed and may be replayed, what happens meanwhile is not pushed to it.',
        params: WebhookPath,
        body: WebhookChange,
        response: withErrors(Webhook),
      },
    },
    (request) =>
      db.transaction(async (tx) => {
        const { caller, params, body } = request;
        const { before, after } = await changeWebhook(tx, mayConnect, caller.accountId, params.id, body, clock());
        await auditWebhook(tx, request, 'changed', after.id, { before, after }, clock());
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
        description: 'Nothing more is sent to it, and its deliveries are shown no more.',
        params: WebhookPath,
        response: withErrors(Webhook),
      },
    },
    (request) =>
      db.transaction(async (tx) => {
        const gone = await deleteWebhook(tx, request.caller.accountId, request.params.id, clock());
        await auditWebhook(tx, request, 'deleted', gone.id, { before: gone }, clock());
        return gone;
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
        description: 'Answers a new secret, once. For 24 h the one before it signs as well.',
        params: WebhookPath,
        body: Nothing,
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
        description: 'Pushes a `webhook.test` to it, whatever it subscribes to.',
        params: WebhookPath,
        body: Nothing,
        response: withErrors(Delivery),
      },
    },
    ({ caller, params }) => sendTest(db, partitions, caller.accountId, params.id, clock()),
  );

  app.post(
    '/v1/webhooks/:id/replay',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'replayWebhook',
        summary: 'Replay deliveries',
        description:
          'Answers a job that sends one delivery again (`deliveryId`), or all of a time that ended in a status, under the ids they have. 30 days are kept.',
        params: WebhookPath,
        body: Replay,
        response: withErrors(Job),
      },
    },
    (request) => {
      const { accountId } = request.caller;
      return idempotently(db, request, accountId, async (tx) => {
        const job = await replay(deps, tx, accountId, request.params.id, request.body);
        const change = {
          action: 'webhook.replayed',
          subject: ['webhook', request.params.id] as const,
          after: request.body,
        };
        await audit(tx, authorOf(request), change, clock());
        return job;
      });
    },
  );
}

/** `/v1/webhooks/{id}/deliveries`: what was sent. */
export function deliveryRoutes(app: App, { db, clock, pageTokens }: Deps): void {
  app.get(
    '/v1/webhooks/:id/deliveries',
    {
      config: read,
      schema: {
        ...about,
        operationId: 'listWebhookDeliveries',
        summary: 'List deliveries',
        description: 'Those of the last 30 days, newest first.',
        params: WebhookPath,
        querystring: DeliveriesQuery,
        response: withErrors(DeliveryPage),
      },
    },
    ({ caller, params, query }) => listDeliveryPage(db, pageTokens, caller.accountId, params.id, query, clock()),
  );

  app.get(
    '/v1/webhooks/:id/deliveries/:deliveryId',
    {
      config: read,
      schema: {
        ...about,
        operationId: 'getWebhookDelivery',
        summary: 'Get a delivery',
        description: 'With its payload.',
        params: DeliveryPath,
        response: withErrors(DeliveryWithPayload),
      },
    },
    ({ caller, params }) => getDelivery(db, caller.accountId, params.id, params.deliveryId, clock()),
  );
}
