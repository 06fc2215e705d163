import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { JobError, type JobHandler, type JobRun } from '../jobs/index.ts';
import type { Deps } from '../shared/deps.ts';
import { publicId } from '../shared/ids.ts';
import type { ExportParams } from './contract.ts';
import { DATASETS, type Dataset } from './datasets.ts';
import { downloadUrl } from './download-link.ts';
import { exportFolder } from './export-folder.ts';
import { writeInThread } from './run-in-thread.ts';
import type { ExportPlan } from './write-export.ts';

const PAGE_SIZE = 20_000;

/** What does the jobs of type `export`. */
export function exportHandler(deps: Deps): JobHandler {
  const folder = exportFolder(deps.config);
  return {
    async run(job) {
      const params = job.params as ExportParams;
      // Every attempt has a file of its own: one that was given up cannot write into the next one's.
      const fileOf = (attempt: number) => `${params.dataset}-${publicId('job', job.id)}-${attempt}.${params.format}`;
      const file = fileOf(job.attempt);
      const path = join(folder, file);
      const part = `${path}.part`;
      await mkdir(folder, { recursive: true });
      for (let attempt = 1; attempt < job.attempt; attempt++) {
        await rm(join(folder, `${fileOf(attempt)}.part`), { force: true });
        await rm(join(folder, fileOf(attempt)), { force: true });
      }
      try {
        const written = await writeInThread(planOf(deps, job, part), job.signal, job.report);
        await rename(part, path);
        await syncFolder(folder);
        return { file, format: params.format, ...written };
      } catch (error) {
        await rm(part, { force: true });
        if ((error as { code?: string }).code !== 'ENOSPC') throw error;
        throw new JobError('storage_full', 'There is no room left for the file.', error);
      }
    },
    present: ({ file, ...result }, expiresAt) => ({
      url: result.expired === true ? null : downloadUrl(deps, String(file), expiresAt),
      ...result,
    }),
    discard: ({ file }) => rm(join(folder, String(file)), { force: true }),
  };
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

/** Makes a rename last. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
