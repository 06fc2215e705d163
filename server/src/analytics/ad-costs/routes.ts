import type { Deps } from '../../shared/deps.ts';
import { withErrors } from '../../shared/http/problem.ts';
import type { App } from '../../shared/http/server.ts';
import type { ContextOf } from '../reports/context.ts';
import { AdCostPage, AdCostsBody, AdCostsQuery, AdCostsResult, AdPerformance, AdPerformanceQuery } from './contract.ts';
import { listAdCostPage } from './list-ad-costs.ts';
import { getAdPerformance } from './performance.ts';
import { replaceAdCosts } from './put-ad-costs.ts';

/** `PUT` and `GET /v1/analytics/ad-costs`, `GET /v1/analytics/ad-performance`. */
export function adCostRoutes(app: App, deps: Deps, contextOf: ContextOf): void {
  const common = { tags: ['Analytics'], security: [{ token: [] }] };

  app.put(
    '/v1/analytics/ad-costs',
    {
      config: { access: 'secret', role: 'editor', rate: 'write' },
      schema: {
        ...common,
        operationId: 'putAdCosts',
        summary: 'Import what ads cost',
        description:
          'Adds up to 1,000 costs, each of a day, source, campaign and currency. A cost that was imported before is replaced, so that the figures of an ad platform can be imported again when they change; null removes it. If any cost is invalid, none is written.',
        body: AdCostsBody,
        response: withErrors(AdCostsResult),
      },
    },
    ({ caller, body }) => replaceAdCosts(deps.db, caller.accountId, body.costs, deps.clock()),
  );

  app.get(
    '/v1/analytics/ad-costs',
    {
      config: { access: 'secret', rate: 'read' },
      schema: {
        ...common,
        operationId: 'listAdCosts',
        summary: 'List what ads cost',
        description: 'The latest days first.',
        querystring: AdCostsQuery,
        response: withErrors(AdCostPage),
      },
    },
    ({ caller, query }) => listAdCostPage(deps, caller.accountId, query),
  );

  app.get(
    '/v1/analytics/ad-performance',
    {
      config: { access: 'secret', rate: 'read' },
      schema: {
        ...common,
        operationId: 'getAdPerformance',
        summary: 'Get the cost per conversion and the return on ad spend',
        description:
          'What ads cost by source or campaign, with the sessions, leads, conversions and revenue of the same source or campaign. Sessions whose medium is `organic`, `referral` or `email` do not count.',
        querystring: AdPerformanceQuery,
        response: withErrors(AdPerformance),
      },
    },
    async ({ caller, query }, reply) => getAdPerformance(await contextOf(caller.accountId, reply), query),
  );
}
