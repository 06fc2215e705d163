import type { Deps } from '../shared/deps.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import {
  LeadAnswer,
  LeadPage,
  LeadPath,
  LeadsQuery,
  SessionAnswer,
  SessionPage,
  SessionPath,
  SessionsQuery,
} from './list-contract.ts';
import { listLeadPage, readLead } from './list-leads.ts';
import { listSessionPage, readSession } from './list-sessions.ts';

/** `GET /v1/sessions`, `GET /v1/leads`, and one of each. */
export function listRoutes(app: App, deps: Deps): void {
  const config = { access: 'secret', rate: 'read' } as const;
  const described = { tags: ['Tracking'], security: [{ token: [] }] };

  app.get(
    '/v1/sessions',
    {
      config,
      schema: {
        ...described,
        operationId: 'listTrackedSessions',
        summary: 'List sessions',
        description: 'Newest first, without bots and internal traffic unless `all` is sent.',
        querystring: SessionsQuery,
        response: withErrors(SessionPage),
      },
    },
    ({ caller, query }) => listSessionPage(deps, caller.accountId, query),
  );

  app.get(
    '/v1/sessions/:sessionId',
    {
      config,
      schema: {
        ...described,
        operationId: 'getTrackedSession',
        summary: 'Get a session',
        params: SessionPath,
        response: withErrors(SessionAnswer),
      },
    },
    ({ caller, params }) => readSession(deps.db, caller.accountId, params.sessionId),
  );

  app.get(
    '/v1/leads',
    {
      config,
      schema: {
        ...described,
        operationId: 'listLeads',
        summary: 'List leads',
        description: 'Newest first; with `q`, by e-mail.',
        querystring: LeadsQuery,
        response: withErrors(LeadPage),
      },
    },
    ({ caller, query }) => listLeadPage(deps, caller.accountId, query),
  );

  app.get(
    '/v1/leads/:leadId',
    {
      config,
      schema: {
        ...described,
        operationId: 'getLead',
        summary: 'Get a lead',
        params: LeadPath,
        response: withErrors(LeadAnswer),
      },
    },
    ({ caller, params }) => readLead(deps.db, caller.accountId, params.leadId),
  );
}
