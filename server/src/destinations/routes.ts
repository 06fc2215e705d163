import type { Deps } from '../shared/deps.ts';
import { hasMember } from '../shared/http/has-member.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import { pageById } from '../shared/http/keyset-page.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import type { MayConnect } from '../shared/outbound/connect-policy.ts';
import {
  Destination,
  DestinationChange,
  DestinationPage,
  DestinationPath,
  DestinationsQuery,
  DestinationWithCounts,
  NewDestination,
  PlatformList,
} from './contract.ts';
import { getDestination } from './history/list-deliveries.ts';
import { auditDestination, auditedState } from './manage/audit-destination.ts';
import { createDestination } from './manage/create-destination.ts';
import type { CredentialStore } from './manage/credentials.ts';
import { listDestinations } from './manage/queries.ts';
import { serializeDestination, serializePlatforms } from './manage/serialize.ts';
import { deleteDestination, updateDestination } from './manage/update-destination.ts';

const read = { access: 'secret', rate: 'read' } as const;
/** Only owners decide where an account's data is sent. */
const write = { access: 'secret', role: 'owner', rate: 'write' } as const;
const about = { tags: ['Destinations'], security: [{ token: [] }] };

/** `/v1/destinations` */
export function destinationRoutes(app: App, deps: Deps, store: CredentialStore, mayConnect: MayConnect): void {
  const { db, clock, pageTokens } = deps;

  const { get, post, patch, remove } = routesOf(app, about);
  get('/v1/destinations/platforms', {
    config: read,
    operationId: 'listDestinationPlatforms',
    summary: 'List the platforms that conversions can be sent to',
    description: 'With the credentials that each needs and what it can do.',
    returns: PlatformList,
    handle: async () => ({ platforms: serializePlatforms(deps.config) }),
  });

  post('/v1/destinations', {
    config: { ...write, confirm: true },
    'x-idempotency-key': true,
    operationId: 'createDestination',
    summary: 'Create a destination',
    description:
      "Sends conversions to an ad platform: those that are reported from now on, with their later changes. The credentials are stored encrypted and never returned. Every conversion's fate is in the destination's deliveries.",
    body: NewDestination,
    returns: Destination,
    handle: (request) => {
      const { accountId } = request.caller;
      return idempotently(db, request, accountId, async (tx) => {
        const created = await createDestination(tx, store, mayConnect, accountId, request.body, clock());
        await auditDestination(tx, request, 'created', created.id, { after: auditedState(created) }, clock());
        return created;
      });
    },
  });

  get('/v1/destinations', {
    config: read,
    operationId: 'listDestinations',
    summary: 'List destinations',
    description: 'Oldest first.',
    querystring: DestinationsQuery,
    returns: DestinationPage,
    handle: async ({ caller: { accountId }, query }) => {
      const { rows, nextPageToken } = await pageById(
        pageTokens,
        [accountId, '/v1/destinations'],
        query,
        'oldest first',
        (after, limit) => listDestinations(db, { account_id: accountId, after, limit }),
      );
      return { destinations: rows.map((row) => serializeDestination(row)), nextPageToken };
    },
  });

  get('/v1/destinations/:id', {
    config: read,
    operationId: 'getDestination',
    summary: 'Get a destination with its counts',
    description: 'Counts are conversions by delivery status. Secrets are never returned.',
    params: DestinationPath,
    returns: DestinationWithCounts,
    handle: ({ caller, params }) => getDestination(db, caller.accountId, params.id),
  });

  patch('/v1/destinations/:id', {
    config: { ...write, confirm: hasMember('credentials') },
    operationId: 'updateDestination',
    summary: 'Update a destination',
    description:
      'Updates the members that are sent, and of `credentials` those that are sent. New credentials or a `mode` resume a paused destination. What is reported while the mode is `off` is not queued; it can be replayed as `unqueued`.',
    params: DestinationPath,
    body: DestinationChange,
    returns: Destination,
    handle: (request) =>
      db.transaction(async (tx) => {
        const { caller, params, body } = request;
        const { before, after } = await updateDestination(
          tx,
          store,
          mayConnect,
          caller.accountId,
          params.id,
          body,
          clock(),
        );
        const change = { before: auditedState(before), after: auditedState(after) };
        await auditDestination(tx, request, 'changed', after.id, change, clock());
        if (body.credentials) await auditDestination(tx, request, 'credentials_changed', after.id, {}, clock());
        return after;
      }),
  });

  remove('/v1/destinations/:id', {
    config: write,
    operationId: 'deleteDestination',
    summary: 'Delete a destination',
    description: 'Nothing more is sent to it, and its deliveries can no longer be read.',
    params: DestinationPath,
    returns: Destination,
    handle: (request) =>
      db.transaction(async (tx) => {
        const deleted = await deleteDestination(deps, tx, request.caller.accountId, request.params.id);
        await auditDestination(tx, request, 'deleted', deleted.id, { before: auditedState(deleted) }, clock());
        return deleted;
      }),
  });
}
