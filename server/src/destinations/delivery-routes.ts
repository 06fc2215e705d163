import { readConversion } from '../conversions/index.ts';
import { Job } from '../jobs/index.ts';
import type { Deps } from '../shared/deps.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import { DestinationPath } from './contract.ts';
import type { PlatformClient } from './delivery/client.ts';
import { ValueFactors } from './delivery/value-factors.ts';
import {
  ConversionDeliveries,
  ConversionDeliveriesPath,
  DestinationDeliveriesQuery,
  DestinationDeliveryPage,
  DestinationReplay,
  DryRun,
  DryRunResult,
  TestBody,
  TestResult,
} from './delivery-contract.ts';
import { dryRun } from './history/dry-run.ts';
import { listConversionDeliveries, listDeliveryPage } from './history/list-deliveries.ts';
import { startReplay } from './history/replay.ts';
import { testDestination } from './history/verify-credentials.ts';
import { auditDestination } from './manage/audit-destination.ts';

const read = { access: 'secret', rate: 'read' } as const;
const about = { tags: ['Destinations'], security: [{ token: [] }] };

/** What became of conversions: by destination, by conversion, and again. */
export function deliveryRoutes(app: App, deps: Deps, client: PlatformClient): void {
  const { db, clock, pageTokens, secret } = deps;
  const factors = new ValueFactors(deps);

  const { get, post } = routesOf(app, about);
  get('/v1/destinations/:id/deliveries', {
    config: read,
    operationId: 'listDestinationDeliveries',
    summary: "List a destination's deliveries",
    description: 'One for each conversion with its latest state, the latest change first.',
    params: DestinationPath,
    querystring: DestinationDeliveriesQuery,
    returns: DestinationDeliveryPage,
    handle: ({ caller, params, query }) => listDeliveryPage(db, pageTokens, caller.accountId, params.id, query),
  });

  get('/v1/conversions/:conversionId/deliveries', {
    config: read,
    operationId: 'listConversionDeliveries',
    summary: 'List what became of a conversion at each destination',
    description:
      'With the status of each delivery and what the platform responded. Destinations that it was not queued for are not listed.',
    params: ConversionDeliveriesPath,
    returns: ConversionDeliveries,
    handle: async ({ caller: { accountId }, params: { conversionId } }) => {
      await readConversion(db, deps.sessionIds, accountId, conversionId);
      return { deliveries: await listConversionDeliveries(db, accountId, conversionId) };
    },
  });

  post('/v1/destinations/:id/dry-run', {
    config: { access: 'secret', rate: 'write' },
    operationId: 'dryRunDestination',
    summary: 'Show the request for a conversion',
    description: 'Sends nothing. Returns the exact request with its secrets masked, or why there is none.',
    params: DestinationPath,
    body: DryRun,
    returns: DryRunResult,
    handle: ({ caller, params, body }) =>
      dryRun(db, client, secret, caller.accountId, params.id, body.conversionId, clock(), factors),
  });

  post('/v1/destinations/:id/test', {
    config: { access: 'secret', role: 'owner', rate: 'write', takesLong: true },
    operationId: 'testDestination',
    summary: "Test a destination's credentials",
    description: 'No conversion is counted: the platform validates a sample, or a request that only reads.',
    params: DestinationPath,
    body: TestBody,
    returns: TestResult,
    handle: ({ caller, params }) => testDestination(db, client, caller.accountId, params.id, clock()),
  });

  post('/v1/destinations/:id/replay', {
    config: { access: 'secret', role: 'owner', rate: 'write' },
    'x-idempotency-key': true,
    operationId: 'replayDestination',
    summary: 'Send conversions again',
    description:
      'Starts a job that queues one conversion (`conversionId`), or all of a period with certain statuses. What the platform already has unchanged is not sent again.',
    params: DestinationPath,
    body: DestinationReplay,
    returns: Job,
    handle: (request) => {
      const { caller, params, body } = request;
      return idempotently(db, request, caller.accountId, async (tx) => {
        const job = await startReplay(deps, tx, caller.accountId, params.id, body);
        await auditDestination(tx, request, 'replayed', params.id, { after: body }, clock());
        return job;
      });
    },
  });
}
