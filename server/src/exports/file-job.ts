import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { JobError, type JobHandler, type JobRun } from '../jobs/index.ts';
import type { Deps } from '../shared/deps.ts';
import { publicId } from '../shared/ids.ts';
import { signedUrl } from '../shared/signed-link.ts';
import { DOWNLOADS, exportFolder } from './export-folder.ts';

/** What a job wrote to its file. */
export interface WrittenFile {
  rows: number;
  bytes: number;
  sha256: string;
}

export interface FileJob {
  /** What the file is called in front of its job's id, and its format behind that. */
  nameOf(params: unknown): { name: string; format: string };
  /** Writes the whole file, which is on disk when it returns. */
  write(job: JobRun, path: string): Promise<WrittenFile>;
}

/** Jobs that make a file, which can be downloaded by a signed address until they expire. */
export function fileJobHandler(deps: Deps, { nameOf, write }: FileJob): JobHandler {
  const folder = exportFolder(deps.config);
  return {
    async run(job) {
      const { name, format } = nameOf(job.params);
      // Every attempt has a file of its own: one that was given up cannot write into the next one's.
      const fileOf = (attempt: number) => `${name}-${publicId('job', job.id)}-${attempt}.${format}`;
      const file = fileOf(job.attempt);
      const path = join(folder, file);
      const part = `${path}.part`;
      await mkdir(folder, { recursive: true });
      for (let attempt = 1; attempt < job.attempt; attempt++) {
        await rm(join(folder, `${fileOf(attempt)}.part`), { force: true });
        await rm(join(folder, fileOf(attempt)), { force: true });
      }
      try {
        const written = await write(job, part);
        await rename(part, path);
        await syncFolder(folder);
        return { file, format, ...written };
      } catch (error) {
        await rm(part, { force: true });
        if ((error as { code?: string }).code !== 'ENOSPC') throw error;
        throw new JobError('storage_full', 'There is no room left for the file.', error);
      }
    },
    present: ({ file, ...result }, expiresAt) => ({
      url: result.expired === true ? null : signedUrl(deps, `${DOWNLOADS}/${file}`, expiresAt),
      ...result,
    }),
    discard: ({ file }) => rm(join(folder, String(file)), { force: true }),
  };
}

/** Makes a rename last. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
