import type { FastifyReply } from 'fastify';
import { type ReportingSettings, readReportingSettings } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { Clock } from '../../shared/time.ts';
import type { Filters } from '../dimensions.ts';
import type { IsAborted, ReportRunner } from '../engine/index.ts';
import type { ReadAhead } from './read-ahead.ts';

/** What a report needs besides its query. */
export interface ReportContext {
  db: Database;
  clock: Clock;
  runner: ReportRunner;
  accountId: string;
  settings: ReportingSettings;
  isAborted: IsAborted;
  /** What sessions must pass besides the filters of the query. */
  filters?: Filters;
}

export type ContextOf = (accountId: string, reply: Pick<FastifyReply, 'raw' | 'sent'>) => Promise<ReportContext>;

export function reportContexts({ db, control, clock }: Deps, runner: ReportRunner, readAhead: ReadAhead): ContextOf {
  return async (accountId, reply) => {
    readAhead.touch(accountId);
    return {
      ...{ db, clock, runner, accountId, settings: await readReportingSettings(control, accountId) },
      // Also when the request was answered because it took too long.
      isAborted: () => reply.raw.destroyed || reply.sent,
    };
  };
}
