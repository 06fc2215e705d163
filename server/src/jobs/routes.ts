import { Type } from 'typebox';
import type { Deps } from '../shared/deps.ts';
import { invalid, notFound } from '../shared/errors.ts';
import { pageById } from '../shared/http/keyset-page.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import { parseId } from '../shared/ids.ts';
import { authorFor, mayUseJob, typesFor } from './areas.ts';
import { cancelJob } from './cancel-job.ts';
import { Job, JobPage, JobPath, JobQuery, JobsQuery } from './contract.ts';
import { findJob, listJobs } from './queries.ts';
import { serializeJob } from './serialize-job.ts';

const about = { tags: ['Jobs'], security: [{ token: [] }] };

export function jobRoutes(app: App, deps: Deps): void {
  const { db, clock, pageTokens } = deps;

  const { get, post } = routesOf(app, about);
  get('/v1/jobs/get-by-id', {
    config: { access: 'secret', rate: 'read' },
    operationId: 'getJob',
    summary: 'Get a job',
    description: 'Returns the status of a job and, once it is completed, its result. Poll about once a second.',
    querystring: JobQuery,
    returns: Job,
    handle: async ({ caller, query }) => {
      const { accountId } = caller;
      const id = parseId('job', requestedId(query));
      const [row] = id ? await findJob(db, { account_id: accountId, id, now: new Date(clock()) }) : [];
      if (!row || !mayUseJob(caller, row)) throw notFound('job');
      return serializeJob(deps, row);
    },
  });

  get('/v1/jobs', {
    config: { access: 'secret', rate: 'read' },
    operationId: 'listJobs',
    summary: 'List jobs',
    description: 'Newest first. A job is listed until 7 days after its end.',
    querystring: JobsQuery,
    returns: JobPage,
    handle: async ({ caller, query }) => {
      const { accountId } = caller;
      const { type = null } = query;
      const now = new Date(clock());
      const author_id = authorFor(caller);
      const { rows, nextPageToken } = await pageById(
        pageTokens,
        [accountId, '/v1/jobs', type, author_id],
        query,
        'newest first',
        (before, limit) =>
          listJobs(db, { account_id: accountId, before, type, among: typesFor(caller), author_id, now, limit }),
      );
      return { jobs: rows.map((row) => serializeJob(deps, row)), nextPageToken };
    },
  });

  post('/v1/jobs/:id/cancel', {
    config: { access: 'secret', rate: 'write' },
    operationId: 'cancelJob',
    summary: 'Cancel a job',
    description:
      'The job is canceled when this returns, and its work stops. A job that has finished returns 400 `job_finished`.',
    params: JobPath,
    body: Type.Unsafe<unknown>({ type: ['object', 'null'], additionalProperties: false, description: 'Empty' }),
    returns: Job,
    handle: async (request) => cancelJob(deps, request, request.params.id),
  });
}

/** @throws ApiError 400 unless exactly one of `id` and its alias `jobId` was sent, or both agree */
function requestedId({ id, jobId = id }: { id?: string; jobId?: string }): string {
  const code = jobId === undefined ? 'parameter_missing' : 'id_conflict';
  if (jobId !== undefined && (id ?? jobId) === jobId) return jobId;
  const detail = jobId === undefined ? 'The parameter `id` is required.' : '`id` and `jobId` name different jobs.';
  throw invalid([{ pointer: '?id', code, detail }]);
}
