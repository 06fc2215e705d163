import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atMost } from './at-most.ts';
import type { Film, FilmReport } from './read-film.ts';
import { corruptFile, unsupportedType } from './refusals.ts';

const WITHIN_MS = 30_000;
/** Several times what the index of a film within the limits takes. */
const HEAP_MB = 256;

/** A report holds a picture. */
const MAX_REPORT_BYTES = 8 * 1_048_576;

const run = promisify(execFile);
const inTurn = atMost(2);

/**
 * Reads a film's type and its size as shown, in a process of its own, without the service's environment and rights. Two
 * bytes changed in a film of 2 kB make the parser take 4 GB: there it is ended by its limits, while requests go on. (A
 * thread's limits do not do: some allocations beyond them end the whole process.)
 * @throws ApiError 400 `file_corrupt`, `file_type_unsupported`
 */
export function inspectFilm(path: string): Promise<Film> {
  return inTurn(async () => {
    const report = await readInProcess(path);
    if (report === 'corrupt') throw corruptFile();
    if (report === 'unsupported') throw unsupportedType();
    return report;
  });
}

async function readInProcess(path: string): Promise<FilmReport> {
  const flags = [`--max-old-space-size=${HEAP_MB}`, '--permission', '--allow-fs-read=*'];
  const program = join(import.meta.dirname, 'film-process.ts');
  try {
    const { stdout } = await run(process.execPath, [...flags, program, path], {
      timeout: WITHIN_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_REPORT_BYTES,
      env: {},
    });
    return JSON.parse(stdout);
  } catch (error) {
    // Ended by the clock, or by itself where its memory was used up.
    const { signal } = error as { signal?: string };
    if (signal === 'SIGKILL' || signal === 'SIGABRT') return 'corrupt';
    throw error;
  }
}
