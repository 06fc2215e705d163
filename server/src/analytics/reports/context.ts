import type { FastifyReply } from 'fastify';
import { findTimeOfMove, type ReportingSettings, readReportingSettings } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Clock } from '../../shared/time.ts';
import { DAY } from '../../shared/units.ts';
import { readChannelRules } from '../channel-rules/queries.ts';
import type { ChannelRule } from '../channel-rules/rule.ts';
import type { Filters, Period } from '../dimensions.ts';
import type { Exchange, ReportRunner } from '../engine/index.ts';
import { readRateRows } from '../exchange-rates/dated-rates.ts';
import type { ReadAhead } from './read-ahead.ts';

/** What a report needs besides its query. */
export interface ReportContext {
  /** The database, or a replica that is recent enough. */
  db: Tx;
  clock: Clock;
  runner: Pick<ReportRunner, 'run'>;
  accountId: string;
  settings: ReportingSettings;
  /** The custom channels of the account, which the runner passes on. */
  channels: readonly ChannelRule[];
  /** Aborted when the client no longer waits for a response. */
  abandoned: AbortSignal;
  /** What sessions must pass besides the filters of the query. */
  filters?: Filters;
}

/** What reports of an account need, computed for someone who no longer waits when the signal is aborted. */
export type ContextFor = (accountId: string, abandoned: AbortSignal) => Promise<ReportContext>;

export function reportContexts(
  { db, control, clock, config, replica }: Pick<Deps, 'db' | 'control' | 'clock' | 'config' | 'replica'>,
  runner: Pick<ReportRunner, 'run'>,
): ContextFor {
  return async (accountId, abandoned) => {
    const [settings, { rules: channels }] = await Promise.all([
      readReportingSettings(control, accountId),
      readChannelRules(db, accountId),
    ]);
    const context = { clock, accountId, settings, channels, abandoned };
    if (!replica) {
      const run: ReportRunner['run'] = (type, request, signal) => runner.run(type, { channels, ...request }, signal);
      return { ...context, db, runner: { run } };
    }
    const [moved] = await findTimeOfMove(control, { id: accountId });
    const isComplete = (moved?.ago ?? Number.POSITIVE_INFINITY) > config.replicaLagMs;
    const reader = replica.reader(isComplete);
    // Not older than the `asOf` that was read before.
    const run: ReportRunner['run'] = (type, request, signal) =>
      runner.run(type, { channels, ...request, mayReadReplica: reader.mayReadReplica() }, signal);
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

/** What converts the revenue of periods: at the rates of the days of its sales, as they are known at a time. */
export async function exchangeOf(
  { db, accountId, settings }: ReportContext,
  periods: readonly Period[],
  knownOn: number,
): Promise<Exchange> {
  const days = [
    Math.floor(Math.min(...periods.map(({ from }) => from)) / DAY) - 1,
    Math.ceil(Math.max(...periods.map(({ to }) => to)) / DAY) + 1,
  ] as const;
  const rates = settings.currency === null ? [] : await readRateRows(db, accountId, days, new Date(knownOn));
  return { ...settings, rates };
}
