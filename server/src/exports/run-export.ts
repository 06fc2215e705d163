import type { Storage } from '../files/index.ts';
import type { JobHandler } from '../jobs/index.ts';
import type { Deps } from '../shared/deps.ts';
import type { Replica } from '../shared/postgres/replica.ts';
import { runInThread } from '../shared/run-in-thread.ts';
import type { ExportParams } from './contract.ts';
import { fileJobHandler, type WrittenFile } from './file-job.ts';
import { fromReplica } from './from-replica.ts';
import type { ExportPlan } from './write-export.ts';

const PAGE_SIZE = 20_000;
const SCRIPT = new URL('./export-thread.ts', import.meta.url);
/** About ten times what an export needs. */
const THREAD = { name: 'export', heapMb: 128 };

/** Runs jobs of type `export`. */
export function exportHandler(deps: Deps, storage: Storage): JobHandler {
  return fileJobHandler<ExportParams>(storage, {
    nameOf: ({ dataset, format }) => ({ name: dataset, format }),
    async write(params, job, path) {
      const { accountId, signal, report } = job;
      const { sessionIds } = deps;
      const readFrom = ({ connection }: Pick<Replica, 'connection'>) => {
        const plan: ExportPlan = {
          ...params,
          connection,
          sessionKey: sessionIds.key,
          accountId,
          path,
          pageSize: PAGE_SIZE,
        };
        return runInThread<WrittenFile>(SCRIPT, plan, THREAD, signal, report);
      };
      return fromReplica(deps, signal, readFrom);
    },
  });
}
