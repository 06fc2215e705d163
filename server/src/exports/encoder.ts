/** One row as COPY sends it: where each column's value begins and how long it is, -1 for null. Good for one call. */
export interface Row {
  bytes: Buffer;
  starts: Int32Array;
  lengths: Int32Array;
}

export type Write = (bytes: Uint8Array) => void;

/** Writes rows in one file format. What it hands to `write` is good for that call alone. */
export interface Encoder {
  add(row: Row): void;
  /** After the last row. */
  finish(): void;
}

/** Bytes of text that are collected before they are written. */
export const BLOCK = 256 * 1024;
