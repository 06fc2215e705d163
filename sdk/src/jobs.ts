import type { Job, StartExportRequest } from './generated.ts';

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
