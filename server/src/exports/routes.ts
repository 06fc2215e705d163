import type { FastifyRequest } from 'fastify';
import { mayUseFeature, notGranted, readReportingSettings } from '../accounts/index.ts';
import { enqueueJob, Job } from '../jobs/index.ts';
import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import { toApiError } from '../shared/http/problem.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import { DESCRIPTION, ExportRequest } from './contract.ts';
import { readExportRequest } from './read-request.ts';

export const EXPORT = 'export';

export function exportRoutes(app: App, deps: Deps): void {
  const { post } = routesOf(app);
  post('/v1/analytics/export', {
    config: { access: 'secret', rate: 'write' },
    // The handler reports the faults the schema finds together with those it cannot see.
    attachValidation: true,
    operationId: 'startExport',
    'x-idempotency-key': true,
    tags: ['Analytics'],
    summary: 'Start an analytics export',
    description: DESCRIPTION,
    security: [{ token: [] }],
    body: ExportRequest,
    returns: Job,
    handle: async (request) => {
      const known = request.validationError ? toApiError(request.validationError).errors : [];
      const { timeZone } = await readReportingSettings(deps.control, request.caller.accountId);
      const params = readExportRequest(request.body, known, timeZone);
      const { access } = request.caller;
      const isOfConversions = params.dataset === 'conversions' || params.dataset === 'unmatched';
      if (isOfConversions && access && !mayUseFeature(access.features, 'conversions', 'read')) {
        throw notGranted('it needs read access to conversions');
      }
      return startExportJob(deps, request, EXPORT, params);
    },
  });
}

/** Enqueues a job that exports something, once per `Idempotency-Key`, and records it in the audit log. */
export function startExportJob(deps: Deps, request: FastifyRequest, type: string, params: object) {
  const { accountId } = request.caller;
  return idempotently(deps.db, request, accountId, async (tx) => {
    const job = await enqueueJob(deps, tx, accountId, type, params, authorOf(request));
    const change = { action: 'export.started', subject: ['job', job.id] as const, after: { ...params } };
    await audit(tx, authorOf(request), change, deps.clock());
    return job;
  });
}
