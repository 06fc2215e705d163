import type { Deps } from '../../shared/deps.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { adCostRoutes } from '../ad-costs/routes.ts';
import { channelRuleRoutes } from '../channel-rules/routes.ts';
import { Breakdown, BreakdownQuery, Overview, OverviewQuery } from '../contract.ts';
import { discrepancyRoutes } from '../discrepancies/routes.ts';
import { exchangeRateRoutes } from '../exchange-rates/routes.ts';
import type { EntriesOfPaths } from '../return-on-ad-spend/keys.ts';
import { roasRoutes } from '../return-on-ad-spend/routes.ts';
import { getAttribution } from './attribution.ts';
import { getBreakdown } from './breakdown.ts';
import type { ContextOf } from './context.ts';
import {
  Attribution,
  AttributionQuery,
  EventProperties,
  EventPropertiesQuery,
  Funnel,
  FunnelBody,
  RankedSessions,
  RankedSessionsQuery,
  UnmatchedReport,
  UnmatchedReportQuery,
} from './contract.ts';
import { getEventProperties } from './event-properties.ts';
import { getFunnel } from './funnel.ts';
import { getOverview } from './overview.ts';
import { getRankedSessions } from './ranked-sessions.ts';
import { getUnmatchedReport } from './unmatched.ts';

export function reportRoutes(app: App, deps: Deps, contextOf: ContextOf, entriesOfPaths: EntriesOfPaths): void {
  const config = { access: 'secret', rate: 'read' } as const;
  const common = { tags: ['Analytics'], security: [{ token: [] }] };

  adCostRoutes(app, deps, contextOf);
  exchangeRateRoutes(app, deps);
  roasRoutes(app, contextOf, entriesOfPaths);
  discrepancyRoutes(app, contextOf);
  channelRuleRoutes(app, deps, contextOf);

  const { get, post } = routesOf(app, common);
  get('/v1/analytics/overview', {
    config,
    operationId: 'getOverview',
    summary: 'Get the overview of a period',
    description:
      'Visits, visitors, sessions, leads, conversions and revenue, in total and by interval, with the change against a comparison period. All numbers are exact.',
    querystring: OverviewQuery,
    returns: Overview,
    handle: async ({ caller, query }, reply) => getOverview(await contextOf(caller.accountId, reply), query),
  });

  get('/v1/analytics/breakdown', {
    config,
    operationId: 'getBreakdown',
    summary: 'Get a breakdown by source, campaign, page or another dimension',
    description:
      'A session counts for each of its values; by `platform`, `page`, `event` and `funnel` it can have several. By `page`, visits are those of the page itself.',
    querystring: BreakdownQuery,
    returns: Breakdown,
    handle: async ({ caller, query }, reply) => getBreakdown(await contextOf(caller.accountId, reply), query),
  });

  post('/v1/analytics/funnel', {
    config: { ...config, role: 'viewer', duringView: true },
    operationId: 'getFunnel',
    summary: 'Get a funnel',
    description:
      'Counts how many sessions or visitors complete each step, and how long they take. The first step happens in the period, each other step after the previous one and within the window. A step is a page, an event with conditions on its properties, or any of several. Nothing is stored.',
    body: FunnelBody,
    returns: Funnel,
    handle: async ({ caller, body }, reply) => getFunnel(await contextOf(caller.accountId, reply), body),
  });

  get('/v1/analytics/event-properties', {
    config,
    operationId: 'getEventProperties',
    summary: 'Break an event down by one of its properties',
    description:
      'Counts the events of a name with a session that passes the filters, by the value of a property. Without `property`, it only lists the names of properties.',
    querystring: EventPropertiesQuery,
    returns: EventProperties,
    handle: async ({ caller, query }, reply) => getEventProperties(await contextOf(caller.accountId, reply), query),
  });

  get('/v1/analytics/ranked-sessions', {
    config,
    operationId: 'listRankedSessions',
    summary: 'List the sessions of a period by pages or duration',
    description:
      'Only sessions that match the filters of reports. `GET /v1/sessions` lists them by time, with other filters.',
    querystring: RankedSessionsQuery,
    returns: RankedSessions,
    handle: async ({ caller, query }, reply) =>
      getRankedSessions(await contextOf(caller.accountId, reply), deps, query),
  });

  get('/v1/analytics/attribution', {
    config,
    operationId: 'getAttribution',
    summary: 'Attribute conversions to the sessions that led to them',
    description:
      'Shares each conversion among the sessions of its visitor and lead by five models: first-touch, last-touch, linear, position-based (40 % first, 40 % last, 20 % between) and time decay (halves every seven days).',
    querystring: AttributionQuery,
    returns: Attribution,
    handle: async ({ caller, query }, reply) => getAttribution(await contextOf(caller.accountId, reply), query),
  });

  get('/v1/analytics/unmatched', {
    config,
    operationId: 'getUnmatchedReport',
    summary: 'Count unmatched conversions by identifier and reason',
    description: 'Shows why conversions were not matched, such as a click ID that no visit had.',
    querystring: UnmatchedReportQuery,
    returns: UnmatchedReport,
    handle: async ({ caller, query }, reply) => getUnmatchedReport(await contextOf(caller.accountId, reply), query),
  });
}
