import type { Deps } from '../../shared/deps.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { correctUnmatchedReport, deleteUnmatchedReport } from '../matching/change-unmatched.ts';
import {
  ConversionPage,
  ConversionPath,
  ConversionsQuery,
  ConversionWithReports,
  Corrected,
  Deleted,
  UnmatchedCorrection,
  UnmatchedPage,
  UnmatchedQuery,
} from './contract.ts';
import { listConversionPage, listUnmatchedPage, readConversion } from './list-conversions.ts';

/** `GET /v1/conversions`, `/v1/conversions/unmatched` and `/v1/conversions/{conversionId}`. */
export function listingRoutes(app: App, deps: Deps): void {
  const config = { access: 'secret', rate: 'read' } as const;
  const operation = { tags: ['Conversions'], security: [{ token: [] }] };

  const { get, patch, remove } = routesOf(app, operation);
  get('/v1/conversions', {
    config,
    operationId: 'listConversions',
    summary: 'List conversions',
    description: 'Newest first by `createdOn` unless sorted otherwise, each in its current state.',
    querystring: ConversionsQuery,
    returns: ConversionPage,
    handle: ({ caller, query }) => listConversionPage(deps, caller.accountId, query),
  });

  get('/v1/conversions/unmatched', {
    config,
    operationId: 'listUnmatchedConversions',
    summary: 'List unmatched conversions',
    description: 'Newest first. A report is kept for 30 days and becomes a conversion when its session arrives.',
    querystring: UnmatchedQuery,
    returns: UnmatchedPage,
    handle: ({ caller, query }) => listUnmatchedPage(deps, caller.accountId, query),
  });

  patch('/v1/conversions/unmatched/:conversionId', {
    config: { access: 'secret', rate: 'write' },
    operationId: 'correctUnmatchedConversion',
    summary: 'Correct the identifier of an unmatched conversion',
    description:
      'Matches it at once if a session has the identifier; a `sessionHash` or `sessionId` assigns it to that session.',
    params: ConversionPath,
    body: UnmatchedCorrection,
    returns: Corrected,
    handle: async (request) => {
      const { params, body } = request;
      return { matched: await correctUnmatchedReport(deps, request, params.conversionId, body.identifier) };
    },
  });

  remove('/v1/conversions/unmatched/:conversionId', {
    config: { access: 'secret', rate: 'write' },
    operationId: 'deleteUnmatchedConversion',
    summary: 'Delete an unmatched conversion',
    description: 'It no longer waits for its session. Reporting the conversion again creates a new one.',
    params: ConversionPath,
    returns: Deleted,
    handle: async (request) => {
      await deleteUnmatchedReport(deps, request, request.params.conversionId);
      return { success: true };
    },
  });

  get('/v1/conversions/:conversionId', {
    config,
    operationId: 'getConversion',
    summary: 'Get a conversion with its reports',
    description: 'Reports are the history of the conversion: the latest one that was received decides its value.',
    params: ConversionPath,
    returns: ConversionWithReports,
    handle: ({ caller, params }) => readConversion(deps.db, deps.sessionIds, caller.accountId, params.conversionId),
  });
}
