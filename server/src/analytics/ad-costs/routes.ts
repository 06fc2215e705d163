import type { Deps } from '../../shared/deps.ts';
import { routesOf } from '../../shared/http/routes.ts';
import { OnErrorQuery, rowFaultsOf } from '../../shared/http/row-faults.ts';
import type { App } from '../../shared/http/server.ts';
import type { ContextOf } from '../reports/context.ts';
import {
  AdCostInput,
  AdCostPage,
  AdCostsBody,
  AdCostsQuery,
  AdCostsResult,
  AdPerformance,
  AdPerformanceQuery,
  AssignmentsBody,
  AssignmentsResult,
  UnmatchedCosts,
  UnmatchedCostsQuery,
} from './contract.ts';
import { listAdCostPage } from './list-ad-costs.ts';
import { getAdPerformance } from './performance.ts';
import { replaceAdCosts } from './put-ad-costs.ts';
import { assignCosts, getUnmatchedCosts } from './unmatched.ts';

/** `PUT` and `GET /v1/analytics/ad-costs`, `GET /v1/analytics/ad-performance`. */
export function adCostRoutes(app: App, deps: Deps, contextOf: ContextOf): void {
  const common = { tags: ['Analytics'], security: [{ token: [] }] };

  const { get, put } = routesOf(app, common);
  put('/v1/analytics/ad-costs', {
    config: { access: 'secret', role: 'editor', rate: 'write' },
    operationId: 'putAdCosts',
    summary: 'Import what ads cost',
    description:
      'Adds up to 1,000 costs, each of a day, source, campaign, ad group, ad and currency. A cost that was imported before is replaced, so that the figures of an ad platform can be imported again when they change; null removes it. If any cost is invalid, none is written, or with `onError=skip` the others are. Costs of a day and campaign that a cost source reads are `skipped`.',
    querystring: OnErrorQuery,
    body: AdCostsBody,
    returns: AdCostsResult,
    attachValidation: true,
    handle: (request) => {
      const faultsOfRow = rowFaultsOf(request, 'costs', AdCostInput);
      const { caller, body, query } = request;
      return replaceAdCosts(
        deps.db,
        caller.accountId,
        body.costs,
        faultsOfRow,
        query.onError ?? 'refuse',
        deps.clock(),
      );
    },
  });

  get('/v1/analytics/ad-costs', {
    config: { access: 'secret', rate: 'read' },
    operationId: 'listAdCosts',
    summary: 'List what ads cost',
    description: 'The latest days first.',
    querystring: AdCostsQuery,
    returns: AdCostPage,
    handle: ({ caller, query }) => listAdCostPage(deps, caller.accountId, query),
  });

  get('/v1/analytics/ad-costs/unmatched', {
    config: { access: 'secret', rate: 'read' },
    operationId: 'listUnmatchedCosts',
    summary: 'List costs without sessions',
    description:
      'Campaigns that cost something in a period and led to no session, with the campaigns of sessions that they may be. Reports have them in rows of their own.',
    querystring: UnmatchedCostsQuery,
    returns: UnmatchedCosts,
    handle: async ({ caller, query }, reply) => getUnmatchedCosts(await contextOf(caller.accountId, reply), query),
  });

  put('/v1/analytics/ad-costs/assignments', {
    config: { access: 'secret', role: 'editor', rate: 'write' },
    operationId: 'assignCosts',
    summary: 'Assign costs to campaigns of sessions',
    description:
      'Says which campaign of an ad platform sessions with another campaign belong to, in the reports of all days. Sessions are joined with costs by the IDs in their landing URLs (`gad_campaignid`, `utm_id` and the like) and by names without that.',
    body: AssignmentsBody,
    returns: AssignmentsResult,
    handle: ({ caller, body }) => assignCosts(deps.db, caller.accountId, body),
  });

  get('/v1/analytics/ad-performance', {
    config: { access: 'secret', rate: 'read' },
    operationId: 'getAdPerformance',
    summary: 'Get the cost per conversion and the return on ad spend',
    description:
      'What ads cost by source or campaign, with the sessions, leads, conversions and revenue of the same source or campaign, of the clicks of the period by default. Sessions whose medium is `organic`, `referral`, `email` or `ai-assistant` do not count.',
    querystring: AdPerformanceQuery,
    returns: AdPerformance,
    handle: async ({ caller, query }, reply) => getAdPerformance(await contextOf(caller.accountId, reply), query),
  });
}
