import type { Row } from '../../shared/postgres/driver/copy-rows.ts';
import type { SessionIds } from '../../shared/session-ids.ts';
import type { Column } from '../datasets/dataset.ts';

export type { Row };

/** Appends to the file. The bytes are valid only during the call. */
export type Write = (bytes: Uint8Array) => void;

/** Encodes rows in one file format. */
export interface Encoder {
  add(row: Row): void;
  /** Called after the last row. */
  finish(): void;
}

/** A file format. Its name in the registry is also the extension of its files. */
export interface Format {
  contentType: string;
  createEncoder(columns: Column[], write: Write, ids: SessionIds): Encoder | Promise<Encoder>;
}

/** Text encoders collect this many bytes before they write. */
export const BLOCK_BYTES = 256 * 1024;
