import { Type } from 'typebox';
import type { Deps } from '../shared/deps.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import { makeAttribution } from './attribution.ts';
import { readLive } from './live.ts';
import {
  Attribution,
  AttributionQuery,
  Live,
  Timeline,
  TimelineQuery,
  UnmatchedReport,
  UnmatchedReportQuery,
} from './people-contract.ts';
import type { ReportsThread } from './run-reports.ts';
import { readTimeline } from './timeline.ts';
import { makeUnmatchedReport } from './unmatched.ts';

/** What is known of single people and of single conversions: time line, live, attribution, unmatched. */
export function peopleRoutes(app: App, deps: Deps, reports: ReportsThread): void {
  const config = { access: 'secret', rate: 'read' } as const;
  const described = { tags: ['Analytics'], security: [{ token: [] }] };

  app.get(
    '/v1/analytics/timeline',
    {
      config,
      schema: {
        ...described,
        operationId: 'getTimeline',
        summary: 'Get the whole path of a session or a lead',
        description:
          'From the ad click to every restatement, oldest first. A conversion stands where it happened, each later report of it where it arrived.',
        querystring: TimelineQuery,
        response: withErrors(Timeline),
      },
    },
    ({ caller, query }) => readTimeline(deps, caller.accountId, query),
  );

  app.get(
    '/v1/analytics/live',
    {
      config,
      schema: {
        ...described,
        operationId: 'getLive',
        summary: 'Get who is there and what was done last',
        description: 'Cheap: ask again every few seconds, and tell what is new by its id.',
        querystring: Type.Object({}, { additionalProperties: false }),
        response: withErrors(Live),
      },
    },
    ({ caller }) => readLive(deps, caller.accountId),
  );

  app.get(
    '/v1/analytics/attribution',
    {
      config,
      schema: {
        ...described,
        operationId: 'getAttribution',
        summary: 'Share conversions out among what led to them',
        description:
          'By first, last, linear, position (40 % the first, 40 % the last, 20 % those between) and time decay (half of it for every seven days before), among the sessions of the conversion’s visitor and lead.',
        querystring: AttributionQuery,
        response: withErrors(Attribution),
      },
    },
    ({ caller, query }, reply) => makeAttribution(deps, reports, caller.accountId, query, () => reply.raw.destroyed),
  );

  app.get(
    '/v1/analytics/unmatched',
    {
      config,
      schema: {
        ...described,
        operationId: 'getUnmatchedReport',
        summary: 'Count reports that found no session, by identifier and reason',
        querystring: UnmatchedReportQuery,
        response: withErrors(UnmatchedReport),
      },
    },
    ({ caller, query }) => makeUnmatchedReport(deps, caller.accountId, query),
  );
}
