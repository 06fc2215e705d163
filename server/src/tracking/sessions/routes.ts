import { enqueueJob, Job } from '../../jobs/index.ts';
import { audit, authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { refuse } from '../../shared/errors.ts';
import { idempotently } from '../../shared/http/idempotency.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { ERASE_VISITOR, type EraseVisitorParams } from '../erasure/erase-visitor.ts';
import { findSessionOfVisitor } from '../erasure/queries.ts';
import { EraseVisitorBody, Session, SessionPage, SessionPath, SessionsQuery } from './contract.ts';
import { listSessionPage, readSession } from './list-sessions.ts';

/** `GET /v1/sessions`, `GET /v1/sessions/{sessionId}` and `POST /v1/visitors/erase`. */
export function sessionRoutes(app: App, deps: Deps): void {
  const config = { access: 'secret', rate: 'read' } as const;
  const operation = { tags: ['Tracking'], security: [{ token: [] }] };

  const { get, post } = routesOf(app);
  get('/v1/sessions', {
    config,
    ...operation,
    operationId: 'listTrackedSessions',
    summary: 'List sessions',
    description: 'Newest first, without bots and internal traffic unless `all` is true.',
    querystring: SessionsQuery,
    returns: SessionPage,
    handle: ({ caller, query }) => listSessionPage(deps, caller.accountId, query),
  });

  get('/v1/sessions/:sessionId', {
    config,
    ...operation,
    operationId: 'getTrackedSession',
    summary: 'Get a session',
    description: 'With its landing page, source, click IDs, device and lead. The path takes the ID, not the hash.',
    params: SessionPath,
    returns: Session,
    handle: ({ caller, params }) => readSession(deps.db, deps.sessionIds, caller.accountId, params.sessionId),
  });

  post('/v1/visitors/erase', {
    config: { access: 'secret', rate: 'write' },
    ...operation,
    operationId: 'eraseVisitor',
    'x-idempotency-key': true,
    summary: 'Erase a visitor without an email',
    description:
      'Starts a job that removes all personal data of this visitor: the visitor id, click ids and URL queries of all sessions; the titles of visits; the properties of events except `value`, `currency` and `funnel_id`; the identifiers and `extra` of conversions; and the files of all exports made before. Counts and sums remain. A visitor who is a lead is 400 `visitor_is_lead`: erase the lead.',
    body: EraseVisitorBody,
    returns: Job,
    handle: (request) => {
      const { accountId } = request.caller;
      return idempotently(deps.db, request, accountId, async (tx) => {
        const [found] = await findSessionOfVisitor(tx, { account_id: accountId, visitor_id: request.body.visitorId });
        if (found?.is_lead) {
          const detail = 'This visitor is a lead. Erase the lead: `POST /v1/leads/erase`.';
          refuse([{ pointer: '/visitorId', code: 'visitor_is_lead', detail }]);
        }
        const params: EraseVisitorParams = { sessionId: found ? deps.sessionIds.idOf(found.number) : null };
        const job = await enqueueJob(deps, tx, accountId, ERASE_VISITOR, params, authorOf(request));
        const change = { action: 'visitor.erased', subject: ['job', job.id] as const, after: { ...params } };
        await audit(tx, authorOf(request), change, deps.clock());
        return job;
      });
    },
  });
}
