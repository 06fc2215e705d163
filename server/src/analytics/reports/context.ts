import type { FastifyReply } from 'fastify';
import { findTimeOfMove, type ReportingSettings, readReportingSettings } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Clock } from '../../shared/time.ts';
import type { Filters } from '../dimensions.ts';
import type { ReportRunner } from '../engine/index.ts';
import type { ReadAhead } from './read-ahead.ts';

/** What a report needs besides its query. */
export interface ReportContext {
  /** The database, or a replica that is recent enough. */
  db: Tx;
  clock: Clock;
  runner: Pick<ReportRunner, 'run'>;
  accountId: string;
  settings: ReportingSettings;
  /** Aborted when the client no longer waits for a response. */
  abandoned: AbortSignal;
  /** What sessions must pass besides the filters of the query. */
  filters?: Filters;
}

/** What reports of an account need, computed for someone who no longer waits when the signal is aborted. */
export type ContextFor = (accountId: string, abandoned: AbortSignal) => Promise<ReportContext>;

export function reportContexts(
  { db, control, clock, config, replica }: Deps,
  runner: Pick<ReportRunner, 'run'>,
): ContextFor {
  return async (accountId, abandoned) => {
    const settings = await readReportingSettings(control, accountId);
    const context = { clock, accountId, settings, abandoned };
    if (!replica) return { ...context, db, runner };
    const [moved] = await findTimeOfMove(control, { id: accountId });
    const isComplete = (moved?.ago ?? Number.POSITIVE_INFINITY) > config.replicaLagMs;
    const reader = replica.reader(isComplete);
    // Not older than the `asOf` that was read before.
    const run: ReportRunner['run'] = (type, request, signal) =>
      runner.run(type, { ...request, mayReadReplica: reader.mayReadReplica() }, signal);
    return { ...context, db: reader, runner: { run } };
  };
}

export type ContextOf = (accountId: string, reply: Pick<FastifyReply, 'raw'>) => Promise<ReportContext>;

/** What a report needs that was requested. */
export function requestedContexts(contextFor: ContextFor, readAhead: ReadAhead): ContextOf {
  return (accountId, reply) => {
    readAhead.touch(accountId);
    const response = new AbortController();
    // Also when the request was answered because it took too long.
    reply.raw.once('close', () => response.abort());
    return contextFor(accountId, response.signal);
  };
}
