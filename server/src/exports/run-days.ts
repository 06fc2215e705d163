import type { Deps } from '../shared/deps.ts';
import { runInThread } from '../shared/run-in-thread.ts';
import { fromReplica } from './from-replica.ts';
import type { DaysPlan, WrittenDays } from './write-days.ts';

const SCRIPT = new URL('./days-thread.ts', import.meta.url);
const THREAD = { name: 'export days', heapMb: 128 };

/** Writes the days of a dataset that differ from their files to new files, in a thread, from a replica if there is one. */
export async function runDays(
  deps: Deps,
  asked: Omit<DaysPlan, 'connection' | 'sessionKey'>,
  signal: AbortSignal,
  report: (progress: number) => void,
): Promise<WrittenDays> {
  const readFrom = ({ connection }: Pick<Deps['db'], 'connection'>) => {
    const plan: DaysPlan = { ...asked, connection, sessionKey: deps.sessionIds.key };
    return runInThread<WrittenDays>(SCRIPT, plan, THREAD, signal, report);
  };
  return fromReplica(deps, signal, readFrom);
}
