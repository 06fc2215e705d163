import type { Deps } from '../../shared/deps.ts';
import { withErrors } from '../../shared/http/problem.ts';
import type { App } from '../../shared/http/server.ts';
import { Session, SessionPage, SessionPath, SessionsQuery } from './contract.ts';
import { listSessionPage, readSession } from './list-sessions.ts';

/** `GET /v1/sessions` and `GET /v1/sessions/{sessionId}`. */
export function sessionRoutes(app: App, deps: Deps): void {
  const config = { access: 'secret', rate: 'read' } as const;
  const operation = { tags: ['Tracking'], security: [{ token: [] }] };

  app.get(
    '/v1/sessions',
    {
      config,
      schema: {
        ...operation,
        operationId: 'listTrackedSessions',
        summary: 'List sessions',
        description: 'Newest first, without bots and internal traffic unless `all` is true.',
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
        ...operation,
        operationId: 'getTrackedSession',
        summary: 'Get a session',
        params: SessionPath,
        response: withErrors(Session),
      },
    },
    ({ caller, params }) => readSession(deps.db, deps.sessionIds, caller.accountId, params.sessionId),
  );
}
