import type { Deps } from '../shared/deps.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import {
  ConversionPage,
  ConversionPath,
  ConversionsQuery,
  ConversionWithReports,
  UnmatchedPage,
  UnmatchedQuery,
} from './list-contract.ts';
import { listConversionPage, listUnmatchedPage, readConversion } from './list-conversions.ts';

/** `GET /v1/conversions`, one of them, and those that wait. */
export function listRoutes(app: App, deps: Deps): void {
  const config = { access: 'secret', rate: 'read' } as const;
  const described = { tags: ['Conversions'], security: [{ token: [] }] };

  app.get(
    '/v1/conversions',
    {
      config,
      schema: {
        ...described,
        operationId: 'listConversions',
        summary: 'List conversions',
        description: 'Newest first, by `createdOn`, each as it stands after its restatements.',
        querystring: ConversionsQuery,
        response: withErrors(ConversionPage),
      },
    },
    ({ caller, query }) => listConversionPage(deps, caller.accountId, query),
  );

  app.get(
    '/v1/conversions/unmatched',
    {
      config,
      schema: {
        ...described,
        operationId: 'listUnmatchedConversions',
        summary: 'List reports that found no session',
        description: 'Newest first. They are kept 30 days and become conversions by themselves if their session comes.',
        querystring: UnmatchedQuery,
        response: withErrors(UnmatchedPage),
      },
    },
    ({ caller, query }) => listUnmatchedPage(deps, caller.accountId, query),
  );

  app.get(
    '/v1/conversions/:conversionId',
    {
      config,
      schema: {
        ...described,
        operationId: 'getConversion',
        summary: 'Get a conversion with every report of it',
        params: ConversionPath,
        response: withErrors(ConversionWithReports),
      },
    },
    ({ caller, params }) => readConversion(deps.db, caller.accountId, params.conversionId),
  );
}
