import type { FastifyRequest } from 'fastify';
import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { badRequest, notFound } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import { mayUseJob } from './areas.ts';
import { expiryOf } from './expire-jobs.ts';
import { cancelJob as cancelRow, findJob, wakeRunners } from './queries.ts';
import { serializeJob } from './serialize-job.ts';

/**
 * Cancels a queued or running job. It is cancelled once this returns, whatever happens to the process that runs it, which
 * is woken to stop the work.
 * @throws 404; 400 `job_finished`
 */
export function cancelJob(deps: Deps, request: FastifyRequest, publicJobId: string) {
  const { accountId } = request.caller;
  const id = parseId('job', publicJobId);
  if (id === undefined) throw notFound('job');
  return deps.db.transaction(async (tx) => {
    const now = deps.clock();
    const ended = { finished_at: new Date(now), expires_at: expiryOf(now) };
    const [known] = await findJob(tx, { account_id: accountId, id, now: new Date(now) });
    if (!known || !mayUseJob(request.caller, known)) throw notFound('job');
    const [cancelled] = await cancelRow(tx, { account_id: accountId, id, ...ended });
    if (cancelled) {
      await wakeRunners(tx);
      const subject = ['job', publicJobId] as const;
      await audit(tx, authorOf(request), { action: 'job.cancelled', subject, after: { type: cancelled.type } }, now);
      return serializeJob(deps, cancelled);
    }
    // It may have finished since.
    const [finished = known] = await findJob(tx, { account_id: accountId, id, now: new Date(now) });
    throw badRequest('job_finished', `The job is ${finished.status} and can no longer be cancelled.`);
  });
}
