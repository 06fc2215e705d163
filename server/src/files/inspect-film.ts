import { Worker } from 'node:worker_threads';
import { atMost } from './at-most.ts';
import type { Media } from './media.ts';
import type { FilmReport } from './read-film.ts';
import { corruptFile, unsupportedType } from './refusals.ts';

const WITHIN_MS = 30_000;
const HEAP_MB = 512;

const inTurn = atMost(2);

/**
 * Reads a film's type and its size as shown, in a thread of its own: a hostile file can make the parser loop or swell,
 * and there it is stopped by the clock and by a limit on its memory, while requests go on.
 * @throws ApiError 400 `file_corrupt`, `file_type_unsupported`
 */
export function inspectFilm(path: string): Promise<Media> {
  return inTurn(async () => {
    const report = await readInThread(path);
    if (report === 'corrupt') throw corruptFile();
    if (report === 'unsupported') throw unsupportedType();
    return report;
  });
}

async function readInThread(path: string): Promise<FilmReport> {
  const worker = new Worker(new URL('./film-worker.ts', import.meta.url), {
    workerData: path,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    // What the parser prints about odd files is of no use to anybody.
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<FilmReport>();
  worker.once('message', resolve);
  worker.once('error', (error: Error & { code?: string }) =>
    error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve('corrupt') : reject(error),
  );
  const late = setTimeout(() => resolve('corrupt'), WITHIN_MS);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    await worker.terminate();
  }
}
