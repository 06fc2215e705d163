import type { Row } from '../shared/postgres/copy-rows.ts';

export type { Row };

export type Write = (bytes: Uint8Array) => void;

/** Writes rows in one file format. What it hands to `write` is good for that call alone. */
export interface Encoder {
  add(row: Row): void;
  /** After the last row. */
  finish(): void;
}

/** Bytes of text that are collected before they are written. */
export const BLOCK = 256 * 1024;
