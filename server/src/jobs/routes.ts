import { Type } from 'typebox';
import type { Deps } from '../shared/deps.ts';
import { notFound } from '../shared/errors.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import { parseId } from '../shared/ids.ts';
import { answerJob } from './answer-job.ts';
import { cancel } from './cancel-job.ts';
import { Job, JobPage, JobPath, JobQuery, JobsQuery } from './contract.ts';
import { listJobPage } from './list-jobs.ts';
import { findJob } from './queries.ts';

export function jobRoutes(app: App, deps: Deps): void {
  const described = { tags: ['Jobs'], security: [{ token: [] }], response: withErrors(Job) };

  app.get(
    '/v1/jobs/get-by-id',
    {
      config: { access: 'secret', rate: 'read' },
      schema: {
        ...described,
        operationId: 'getJob',
        summary: 'Get a job',
        description: 'Where the job stands, and, once it is completed, what it made. Ask again every second or so.',
        querystring: JobQuery,
      },
    },
    async (request) => {
      const id = parseId('job', request.query.id);
      const [row] = id ? await findJob(deps.db, request.caller.accountId, id, new Date(deps.clock())) : [];
      if (!row) throw notFound('job');
      return answerJob(deps, row);
    },
  );

  app.get(
    '/v1/jobs',
    {
      config: { access: 'secret', rate: 'read' },
      schema: {
        ...described,
        operationId: 'listJobs',
        summary: 'List jobs',
        description: 'Newest first; a job is listed as long as it can be had, 7 days after its end.',
        querystring: JobsQuery,
        response: withErrors(JobPage),
      },
    },
    (request) => listJobPage(deps, request.caller.accountId, request.query),
  );

  app.post(
    '/v1/jobs/:id/cancel',
    {
      config: { access: 'secret', rate: 'write' },
      schema: {
        ...described,
        operationId: 'cancelJob',
        summary: 'Cancel a job',
        description:
          'The job is cancelled when this is answered, and its work stops. One that has finished before is 400 `job_finished`.',
        params: JobPath,
        body: Type.Unsafe<unknown>({ type: ['object', 'null'], additionalProperties: false, description: 'Nothing' }),
      },
    },
    async (request) => cancel(deps, request, request.params.id),
  );
}
