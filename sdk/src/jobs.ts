import { errorOfResponse } from './error.ts';
import type { ExportRows, Job, StartExportRequest } from './generated.ts';

/** The result of a completed export. */
export interface ExportedFile<Format extends string = StartExportRequest['format']> {
  /** Needs no token and works until the job expires; null if the file was deleted because a lead or visitor was erased. */
  url: string | null;
  format: Format;
  rows: number;
  bytes: number;
  sha256: string;
  expired?: true | undefined;
}

/** The job of an export of a dataset in a format. */
export interface ExportJob<Request extends Pick<StartExportRequest, 'dataset' | 'format'> = StartExportRequest>
  extends Omit<Job, 'params' | 'result'> {
  params: {
    dataset: Request['dataset'];
    format: Request['format'];
    from: string | null;
    to: string | null;
    fields: string[];
  };
  result: ExportedFile<Request['format']> | null;
}

/** A job after `waitForJob`. */
export type Completed<J extends { result: unknown }> = Omit<J, 'status' | 'result'> & {
  status: 'completed';
  result: NonNullable<J['result']>;
};

/**
 * Reads the rows of a completed export as `ndjson`, one after another. Those of an export of some `fields` have only these.
 * @throws HeadwaterError, also if the file was deleted because a lead or visitor was erased
 */
export async function* readExport<Dataset extends keyof ExportRows>(
  job: { params: { dataset: Dataset }; result: ExportedFile<'ndjson'> },
  options: {
    signal?: AbortSignal | undefined;
    fetch?: typeof fetch | undefined;
    parse?: (line: string) => unknown;
  } = {},
): AsyncGenerator<ExportRows[Dataset], void, undefined> {
  const { fetch: fetcher = fetch, parse = JSON.parse, signal = null } = options;
  const { url } = job.result;
  if (url === null) throw errorOfResponse(404, '', new Headers());
  const response = await fetcher(url, { signal });
  if (!response.ok) throw errorOfResponse(response.status, await response.text(), response.headers);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
      const lines = (rest + read.value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield parse(line) as ExportRows[Dataset];
    }
  } finally {
    // The caller may have left the loop.
    await reader?.cancel();
  }
}
