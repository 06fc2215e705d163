import type { FastifyRequest } from 'fastify';
import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { badRequest, notFound } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import { answerJob } from './answer-job.ts';
import { cancelJob, findJob, wakeRunners } from './queries.ts';
import { expiryOf } from './retention.ts';

/**
 * Cancels a job that is queued or running: it is cancelled from the moment this returns, whatever becomes of the process
 * that runs it, which is woken to stop its work.
 * @throws 404; 400 `job_finished`
 */
export function cancel(deps: Deps, request: FastifyRequest, publicJobId: string) {
  const { accountId } = request.caller;
  const id = parseId('job', publicJobId);
  if (id === undefined) throw notFound('job');
  return deps.db.transaction(async (tx) => {
    const now = deps.clock();
    const [cancelled] = await cancelJob(tx, accountId, id, new Date(now), expiryOf(now));
    if (cancelled) {
      await wakeRunners(tx);
      const change = {
        action: 'job.cancelled',
        subject: ['job', publicJobId] as const,
        after: { type: cancelled.type },
      };
      await audit(tx, authorOf(request), change, now);
      return answerJob(deps, cancelled);
    }
    const [finished] = await findJob(tx, accountId, id, new Date(now));
    if (!finished) throw notFound('job');
    throw badRequest('job_finished', `The job is ${finished.status}: there is nothing left to cancel.`);
  });
}
