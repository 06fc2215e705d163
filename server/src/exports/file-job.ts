import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Storage, StorageUnavailable } from '../files/index.ts';
import { JobError, type JobHandler, type JobRun } from '../jobs/index.ts';
import { publicId } from '../shared/ids.ts';
import { exportKey } from './export-files.ts';
import { FORMATS, type FormatName } from './formats/index.ts';

export interface WrittenFile {
  rows: number;
  bytes: number;
  sha256: string;
}

interface FileJob<Params> {
  /** The start of the file's name, before the job's id, and its format, which is its extension. */
  nameOf(params: Params): { name: string; format: FormatName };
  /** Writes the file and flushes it to disk. */
  write(params: Params, job: JobRun, path: string): Promise<WrittenFile>;
}

/**
 * A handler for jobs that produce a file, which can be downloaded by a signed URL until the job expires. The file is written
 * on the local disk, which keeps memory flat whatever the storage, and then put into the storage.
 */
export function fileJobHandler<Params>(storage: Storage, { nameOf, write }: FileJob<Params>): JobHandler {
  return {
    async run(job) {
      const params = job.params as Params;
      const { name, format } = nameOf(params);
      // Each attempt has its own file, so that an abandoned attempt cannot replace a later one's.
      const fileOf = (attempt: number) => `${name}-${publicId('job', job.id)}-${attempt}.${format}`;
      const file = fileOf(job.attempt);
      // The name of an upload's folder, which the file storage deletes if this process dies.
      const folder = join(storage.uploadsFolder, `${job.accountId}.${randomUUID()}`);
      try {
        for (let attempt = 1; attempt < job.attempt; attempt++) await storage.delete(exportKey(fileOf(attempt)));
        await mkdir(folder, { recursive: true });
        const path = join(folder, file);
        const written = await write(params, job, path);
        job.signal.throwIfAborted();
        await storage.put(path, exportKey(file), FORMATS[format].contentType);
        return { file, format, ...written };
      } catch (error) {
        throw storageError(error);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    discard: ({ file }) => storage.delete(exportKey(String(file))),
  };
}

function storageError(cause: unknown): unknown {
  const options = { cause, mayPass: true };
  if (['ENOSPC', 'EDQUOT'].includes((cause as { code?: string }).code ?? '')) {
    return new JobError('storage_full', 'The storage has no space left for the file.', options);
  }
  if (cause instanceof StorageUnavailable) {
    return new JobError('storage_unavailable', 'The storage of the file could not be reached.', options);
  }
  return cause;
}
