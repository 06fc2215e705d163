import type { Deps } from '../shared/deps.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import { makeBreakdown } from './breakdown.ts';
import { Breakdown, BreakdownQuery, Funnel, FunnelBody, Overview, OverviewQuery } from './contract.ts';
import { makeFunnel } from './funnel.ts';
import { makeOverview } from './overview.ts';
import type { ReportsThread } from './run-reports.ts';

/** Reports: `/v1/analytics/overview`, `/breakdown`, `/funnel`. */
export function reportRoutes(app: App, deps: Deps, reports: ReportsThread): void {
  const config = { access: 'secret', rate: 'read' } as const;
  const described = { tags: ['Analytics'], security: [{ token: [] }] };

  app.get(
    '/v1/analytics/overview',
    {
      config,
      schema: {
        ...described,
        operationId: 'getOverview',
        summary: 'Get the numbers of a period',
        description:
          'Visits, visitors, sessions, leads, conversions and revenue, exactly, with their change against the period before and their line.',
        querystring: OverviewQuery,
        response: withErrors(Overview),
      },
    },
    ({ caller, query }, reply) => makeOverview(deps, reports, caller.accountId, query, () => reply.raw.destroyed),
  );

  app.get(
    '/v1/analytics/breakdown',
    {
      config,
      schema: {
        ...described,
        operationId: 'getBreakdown',
        summary: 'Get the numbers of a period by source, campaign, page, …',
        description:
          'A session counts for each value it has: of `platform`, `page`, `event` and `funnel` that may be several. By `page`, visits are those of the page itself.',
        querystring: BreakdownQuery,
        response: withErrors(Breakdown),
      },
    },
    ({ caller, query }, reply) => makeBreakdown(deps, reports, caller.accountId, query, () => reply.raw.destroyed),
  );

  app.post(
    '/v1/analytics/funnel',
    {
      config: { ...config, role: 'viewer' },
      schema: {
        ...described,
        operationId: 'getFunnel',
        summary: 'Count how far sessions or visitors come in a funnel',
        description:
          'The first step lies in the period, the others after the one before and within the window. Nothing is recorded by it.',
        body: FunnelBody,
        response: withErrors(Funnel),
      },
    },
    ({ caller, body }, reply) => makeFunnel(deps, reports, caller.accountId, body, () => reply.raw.destroyed),
  );
}
