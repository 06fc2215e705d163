import type { Deps } from '../../shared/deps.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import {
  LeadValues,
  LeadValuesQuery,
  Live,
  SessionVisits,
  SessionVisitsQuery,
  Timeline,
  TimelineQuery,
} from './contract.ts';
import { getLive } from './live.ts';
import { getLeadValues, getSessionVisits } from './numbers.ts';
import { getTimeline } from './timeline.ts';

export function listRoutes(app: App, deps: Pick<Deps, 'db' | 'control' | 'clock' | 'pageTokens' | 'sessionIds'>): void {
  const config = { access: 'secret', rate: 'read' } as const;
  const common = { tags: ['Analytics'], security: [{ token: [] }] };

  const { get } = routesOf(app, common);
  get('/v1/analytics/timeline', {
    config,
    operationId: 'getTimeline',
    summary: 'Get the timeline of a session or a lead',
    description:
      'Sessions, visits, events and conversions, oldest first. A conversion is listed when it happened, each later report of it when it was received.',
    querystring: TimelineQuery,
    returns: Timeline,
    handle: ({ caller, query }) => getTimeline(deps, caller.accountId, query),
  });

  get('/v1/analytics/lead-values', {
    config,
    operationId: 'getLeadValues',
    summary: 'Get the conversions and revenue of leads',
    description: 'Complements a list of leads: up to 100 of them in one request.',
    querystring: LeadValuesQuery,
    returns: LeadValues,
    handle: ({ caller, query }) => getLeadValues(deps, caller.accountId, [query.leadId].flat()),
  });

  get('/v1/analytics/session-visits', {
    config,
    operationId: 'getSessionVisits',
    summary: 'Get the number of pages and the duration of sessions',
    description: 'Complements a list of sessions: up to 100 of them in one request.',
    querystring: SessionVisitsQuery,
    returns: SessionVisits,
    handle: ({ caller, query }) => getSessionVisits(deps, caller.accountId, [query.sessionId].flat()),
  });

  get('/v1/analytics/live', {
    config,
    operationId: 'getLive',
    summary: 'Get the current visitors and the latest activity',
    description: 'May be polled every few seconds; recognize new items by their id.',
    returns: Live,
    handle: ({ caller }) => getLive(deps, caller.accountId),
  });
}
