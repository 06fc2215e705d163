import { readConversion } from '../conversions/index.ts';
import { Job } from '../jobs/index.ts';
import type { Deps } from '../shared/deps.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import { DestinationPath } from './contract.ts';
import type { PlatformClient } from './delivery/client.ts';
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

  app.get(
    '/v1/destinations/:id/deliveries',
    {
      config: read,
      schema: {
        ...about,
        operationId: 'listDestinationDeliveries',
        summary: "List a destination's deliveries",
        description: 'One for each conversion with its latest state, the latest change first.',
        params: DestinationPath,
        querystring: DestinationDeliveriesQuery,
        response: withErrors(DestinationDeliveryPage),
      },
    },
    ({ caller, params, query }) => listDeliveryPage(db, pageTokens, caller.accountId, params.id, query),
  );

  app.get(
    '/v1/conversions/:conversionId/deliveries',
    {
      config: read,
      schema: {
        ...about,
        operationId: 'listConversionDeliveries',
        summary: 'List what became of a conversion at each destination',
        params: ConversionDeliveriesPath,
        response: withErrors(ConversionDeliveries),
      },
    },
    async ({ caller: { accountId }, params: { conversionId } }) => {
      await readConversion(db, deps.sessionIds, accountId, conversionId);
      return { deliveries: await listConversionDeliveries(db, accountId, conversionId) };
    },
  );

  app.post(
    '/v1/destinations/:id/dry-run',
    {
      config: { access: 'secret', rate: 'write' },
      schema: {
        ...about,
        operationId: 'dryRunDestination',
        summary: 'Show the request for a conversion',
        description: 'Sends nothing. Returns the exact request with its secrets masked, or why there is none.',
        params: DestinationPath,
        body: DryRun,
        response: withErrors(DryRunResult),
      },
    },
    ({ caller, params, body }) => dryRun(db, client, secret, caller.accountId, params.id, body.conversionId, clock()),
  );

  app.post(
    '/v1/destinations/:id/test',
    {
      config: { access: 'secret', role: 'owner', rate: 'write' },
      schema: {
        ...about,
        operationId: 'testDestination',
        summary: "Test a destination's credentials",
        description: 'No conversion is counted: the platform validates a sample, or a request that only reads.',
        params: DestinationPath,
        body: TestBody,
        response: withErrors(TestResult),
      },
    },
    ({ caller, params }) => testDestination(db, client, caller.accountId, params.id, clock()),
  );

  app.post(
    '/v1/destinations/:id/replay',
    {
      config: { access: 'secret', role: 'owner', rate: 'write' },
      schema: {
        ...about,
        operationId: 'replayDestination',
        summary: 'Send conversions again',
        description:
          'Starts a job that queues one conversion (`conversionId`), or all of a period with certain statuses. What the platform already has unchanged is not sent again.',
        params: DestinationPath,
        body: DestinationReplay,
        response: withErrors(Job),
      },
    },
    (request) => {
      const { caller, params, body } = request;
      return idempotently(db, request, caller.accountId, async (tx) => {
        const job = await startReplay(deps, tx, caller.accountId, params.id, body);
        await auditDestination(tx, request, 'replayed', params.id, { after: body }, clock());
        return job;
      });
    },
  );
}
