import type { JobHandler, JobRun } from '../jobs/index.ts';
import type { Deps } from '../shared/deps.ts';
import { runInThread } from '../shared/run-in-thread.ts';
import type { ExportParams } from './contract.ts';
import { DATASETS, type Dataset } from './datasets.ts';
import { fileJobHandler, type WrittenFile } from './file-job.ts';
import type { ExportPlan } from './write-export.ts';

const PAGE_SIZE = 20_000;
const SCRIPT = new URL('./export-thread.ts', import.meta.url);
/** About ten times what an export needs. */
const THREAD = { name: 'export', heapMb: 128 };

/** What does the jobs of type `export`. */
export function exportHandler(deps: Deps): JobHandler {
  return fileJobHandler(deps, {
    nameOf: (params) => ({ name: (params as ExportParams).dataset, format: (params as ExportParams).format }),
    write: (job, path) => runInThread<WrittenFile>(SCRIPT, planOf(deps, job, path), THREAD, job.signal, job.report),
  });
}

function planOf(deps: Deps, job: JobRun, path: string): ExportPlan {
  const { dataset, format, from, to, fields } = job.params as ExportParams;
  const { source, columns }: Dataset = DATASETS[dataset];
  const chosen = fields.flatMap((field) => columns.find((column) => column.name === field) ?? []);
  return {
    connection: deps.db.connection,
    accountId: job.accountId,
    source,
    columns: chosen,
    from,
    to,
    format,
    path,
    pageSize: PAGE_SIZE,
  };
}
