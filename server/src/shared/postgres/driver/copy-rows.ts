import type pg from 'pg';
import { type Connection, submit } from './driver.ts';

/** One row as COPY sends it: the start and length of each column, -1 for null. Valid during one call only. */
export interface Row {
  bytes: Buffer;
  starts: Int32Array;
  lengths: Int32Array;
}

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');

/**
 * Runs `copy (…) to stdout (format binary)` and passes on each row as it arrives, in the buffer of the connection: nothing is
 * copied, and a reader that is slower than the database slows down the socket. Returns the number of rows.
 *
 * @param start until then the database works ahead, and rows wait in the socket
 */
export function copyRows(
  client: pg.ClientBase,
  sql: string,
  columns: number,
  onRow: (row: Row) => void,
  start?: Promise<void>,
): Promise<number> {
  const row: Row = { bytes: SIGNATURE, starts: new Int32Array(columns), lengths: new Int32Array(columns) };
  let rows = 0;
  let failure: unknown;

  /** The protocol sends one row per message; the header comes with the first. */
  const read = (bytes: Buffer) => {
    let at = 0;
    if (rows === 0 && bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) {
      at = SIGNATURE.length + 8 + bytes.readInt32BE(SIGNATURE.length + 4);
    }
    if (at === bytes.length) return;
    const count = bytes.readInt16BE(at);
    at += 2;
    if (count < 0) return;
    if (count !== columns) throw new Error(`a row has ${count} values, not ${columns}`);
    for (let i = 0; i < count; i++) {
      const length = bytes.readInt32BE(at);
      at += 4;
      row.starts[i] = at;
      row.lengths[i] = length;
      if (length > 0) at += length;
    }
    if (at !== bytes.length) throw new Error('a row is not one message');
    row.bytes = bytes;
    rows++;
    onRow(row);
  };

  return new Promise((resolve, reject) => {
    const query = {
      submit(connection: Connection) {
        connection.query(`copy (${sql}) to stdout (format binary)`);
        if (start === undefined) return;
        connection.stream.pause();
        start.then(() => connection.stream.resume());
      },
      handleCopyData({ chunk }: { chunk: Buffer }) {
        try {
          if (failure === undefined) read(chunk);
        } catch (error) {
          failure = error;
        }
      },
      handleCommandComplete() {},
      handleError: reject,
      handleReadyForQuery() {
        if (failure === undefined) resolve(rows);
        else reject(failure);
      },
    };
    submit(client, query);
  });
}
