import type { Deps } from '../shared/deps.ts';
import { notFound } from '../shared/errors.ts';
import { hasMember } from '../shared/http/has-member.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import { pageById } from '../shared/http/keyset-page.ts';
import { routesOf } from '../shared/http/routes.ts';
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
import { createWebhook, makerOf } from './endpoints/create-webhook.ts';
import { listEndpoints } from './endpoints/queries.ts';
import { rotateSecret, type WebhookSecrets, withSecret } from './endpoints/secrets.ts';
import { requireEndpoint, serializeWebhook } from './endpoints/serialize.ts';
import { deleteWebhook, updateWebhook } from './endpoints/update-webhook.ts';
import type { TestEndpoint } from './history/arrivals.ts';
import { sendTest } from './history/send-test.ts';
import type { Partitions } from './partitions.ts';

const read = { access: 'secret', rate: 'read' } as const;
/** Only owners decide where an account's data is sent. */
const write = { access: 'secret', role: 'owner', rate: 'write' } as const;
const about = { tags: ['Webhooks'], security: [{ token: [] }] };

interface WebhookTools {
  secrets: WebhookSecrets;
  mayConnect: MayConnect;
  partitions: Partitions;
  testEndpoint: TestEndpoint;
}

/** `/v1/webhooks` */
export function webhookRoutes(
  app: App,
  deps: Deps,
  { secrets, mayConnect, partitions, testEndpoint }: WebhookTools,
): void {
  const { db, clock, pageTokens } = deps;
  /** What is sent to the test endpoint stays in the service, wherever its URL leads. */
  const policyFor = (url = ''): MayConnect => (testEndpoint.isOwn(url) ? () => true : mayConnect);

  // Webhooks of others may have been sent what a role may not read.
  app.addHook('preHandler', async ({ caller, params, routeOptions }) => {
    if (!caller?.access || !routeOptions.url?.startsWith('/v1/webhooks/:id')) return;
    const { role_id, maker_id } = await requireEndpoint(db, caller.accountId, (params as { id: string }).id);
    if (role_id !== caller.access.roleId || maker_id !== makerOf(caller).maker_id) throw notFound('webhook');
  });

  const { get, post, patch, remove } = routesOf(app, about);
  post('/v1/webhooks', {
    config: { ...write, confirm: true },
    'x-idempotency-key': true,
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Sends everything that happens from now on to the URL, signed according to Standard Webhooks. The response contains the signing secret, which is not shown again.',
    body: NewWebhook,
    returns: WebhookWithSecret,
    handle: async (request) => {
      const { accountId } = request.caller;
      // The response stored for the Idempotency-Key does not contain the secret.
      const webhook = await idempotently(db, request, accountId, async (tx) => {
        const created = await createWebhook(
          tx,
          secrets,
          policyFor(request.body.url),
          accountId,
          request.body,
          clock(),
          request.caller,
        );
        await auditWebhook(tx, request, 'created', created.id, { after: auditedState(created) }, clock());
        return created;
      });
      return withSecret(db, secrets, accountId, webhook);
    },
  });

  get('/v1/webhooks', {
    config: read,
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Oldest first.',
    querystring: WebhooksQuery,
    returns: WebhookPage,
    handle: async (request) => {
      const { accountId, access } = request.caller;
      const role_id = access?.roleId ?? null;
      const { maker_id } = makerOf(request.caller);
      const { rows, nextPageToken } = await pageById(
        pageTokens,
        [accountId, '/v1/webhooks', role_id, maker_id],
        request.query,
        'oldest first',
        (after, limit) => listEndpoints(db, { account_id: accountId, role_id, maker_id, after, limit }),
      );
      return { webhooks: rows.map((row) => serializeWebhook(row, clock())), nextPageToken };
    },
  });

  get('/v1/webhooks/:id', {
    config: read,
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    description: 'Also tells why it is disabled and since when it fails. The signing secret is not shown again.',
    params: WebhookPath,
    returns: Webhook,
    handle: async ({ caller, params }) =>
      serializeWebhook(await requireEndpoint(db, caller.accountId, params.id), clock()),
  });

  patch('/v1/webhooks/:id', {
    config: { ...write, confirm: hasMember('url') },
    operationId: 'updateWebhook',
    summary: 'Update a webhook',
    description:
      'Updates the members that are sent. A disabled webhook receives nothing: its pending deliveries fail and can be replayed later; what happens while it is disabled is never sent to it.',
    params: WebhookPath,
    body: WebhookChange,
    returns: Webhook,
    handle: (request) =>
      db.transaction(async (tx) => {
        const { caller, params, body } = request;
        const { before, after } = await updateWebhook(
          tx,
          secrets,
          policyFor(body.url),
          caller.accountId,
          params.id,
          body,
          clock(),
        );
        const change = { before: auditedState(before), after: auditedState(after) };
        await auditWebhook(tx, request, 'changed', after.id, change, clock());
        return after;
      }),
  });

  remove('/v1/webhooks/:id', {
    config: write,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Nothing more is sent to it, and its deliveries can no longer be read.',
    params: WebhookPath,
    returns: Webhook,
    handle: (request) =>
      db.transaction(async (tx) => {
        const deleted = await deleteWebhook(tx, request.caller.accountId, request.params.id, clock());
        await auditWebhook(tx, request, 'deleted', deleted.id, { before: auditedState(deleted) }, clock());
        return deleted;
      }),
  });

  post('/v1/webhooks/:id/rotate-secret', {
    config: { ...write, confirm: true },
    'x-idempotency-key': true,
    operationId: 'rotateWebhookSecret',
    summary: "Rotate a webhook's secret",
    description: 'Returns a new secret, which is not shown again. The previous secret also signs for 24 hours.',
    params: WebhookPath,
    body: EmptyBody,
    returns: WebhookWithSecret,
    handle: async (request) => {
      const { accountId } = request.caller;
      const webhook = await idempotently(db, request, accountId, async (tx) => {
        const rotated = await rotateSecret(tx, secrets, accountId, request.params.id, clock());
        await auditWebhook(tx, request, 'secret_rotated', rotated.id, {}, clock());
        return rotated;
      });
      return withSecret(db, secrets, accountId, webhook);
    },
  });

  post('/v1/webhooks/:id/test', {
    config: write,
    operationId: 'testWebhook',
    summary: 'Test a webhook',
    description: 'Sends a `webhook.test`, whatever the webhook subscribes to.',
    params: WebhookPath,
    body: EmptyBody,
    returns: Delivery,
    handle: ({ caller, params }) => sendTest(db, partitions, caller.accountId, params.id, clock()),
  });
}
