import type { Storage } from '../files/index.ts';
import type { JobHandler } from '../jobs/index.ts';
import type { Deps } from '../shared/deps.ts';
import type { Replica } from '../shared/postgres/replica.ts';
import { runInThread } from '../shared/run-in-thread.ts';
import type { ExportParams } from './contract.ts';
import { fileJobHandler, type WrittenFile } from './file-job.ts';
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
      const { db, replica, secret } = deps;
      const readFrom = ({ connection }: Pick<Replica, 'connection'>) => {
        const plan: ExportPlan = { ...params, connection, secret, accountId, path, pageSize: PAGE_SIZE };
        return runInThread<WrittenFile>(SCRIPT, plan, THREAD, signal, report);
      };
      // An export has everything that was recorded before it was requested.
      if (replica && (await replica.catchUp())) {
        try {
          return await readFrom(replica);
        } catch (error) {
          if (signal.aborted) throw error;
          replica.onFailure(error);
        }
      }
      return readFrom(db);
    },
  });
}
