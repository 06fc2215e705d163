import { Job } from '../jobs/index.ts';
import type { Deps } from '../shared/deps.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import { DeliveriesQuery, DeliveryPage, DeliveryPath, DeliveryWithPayload, Replay, WebhookPath } from './contract.ts';
import { storedAsRead } from './delivery/as-maker-reads.ts';
import { auditWebhook } from './endpoints/audit-webhook.ts';
import { getDelivery, listDeliveryPage } from './history/list-deliveries.ts';
import { startReplay } from './history/replay.ts';

const read = { access: 'secret', rate: 'read' } as const;
const about = { tags: ['Webhooks'], security: [{ token: [] }] };

/** `/v1/webhooks/{id}/deliveries` and `/v1/webhooks/{id}/replay` */
export function deliveryRoutes(app: App, deps: Deps): void {
  const { db, clock, pageTokens } = deps;

  const { get, post } = routesOf(app, about);
  get('/v1/webhooks/:id/deliveries', {
    config: read,
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries',
    description: 'Those of the last 30 days, newest first.',
    params: WebhookPath,
    querystring: DeliveriesQuery,
    returns: DeliveryPage,
    handle: ({ caller, params, query }) =>
      listDeliveryPage(db, pageTokens, caller.accountId, params.id, query, clock()),
  });

  get('/v1/webhooks/:id/deliveries/:deliveryId', {
    config: read,
    operationId: 'getWebhookDelivery',
    summary: 'Get a delivery with its payload',
    description: 'With each attempt and the response of the endpoint. Deliveries are stored for 30 days.',
    params: DeliveryPath,
    returns: DeliveryWithPayload,
    handle: ({ caller, params }) => {
      const asRead = caller.access ? storedAsRead.bind(undefined, deps, db) : undefined;
      return getDelivery(db, caller.accountId, params.id, params.deliveryId, clock(), asRead);
    },
  });

  post('/v1/webhooks/:id/replay', {
    config: { access: 'secret', role: 'owner', rate: 'write' },
    'x-idempotency-key': true,
    operationId: 'replayWebhook',
    summary: 'Replay deliveries',
    description:
      'Starts a job that sends one delivery again (`deliveryId`), or all of a period with a status, under the same ids. Deliveries are stored for 30 days.',
    params: WebhookPath,
    body: Replay,
    returns: Job,
    handle: (request) => {
      const { caller, params, body } = request;
      return idempotently(db, request, caller.accountId, async (tx) => {
        const job = await startReplay(deps, tx, caller.accountId, params.id, body);
        await auditWebhook(tx, request, 'replayed', params.id, { after: body }, clock());
        return job;
      });
    },
  });
}
