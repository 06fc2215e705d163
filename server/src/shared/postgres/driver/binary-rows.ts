import { EventEmitter } from 'node:events';
import pg from 'pg';
import type { ByteWriter } from '../../byte-writer.ts';
import type { Tx } from '../tx.ts';
import { type Connection, connectionOf, Query } from './driver.ts';

/**
 * Rows in the server's binary format, left as the bytes that were received: what is only passed on is never decoded, and the
 * server formats no identifier, number or time. Where lists of 50 entries are read that way, PostgreSQL takes half of its time.
 */

/** A row of a statement's result. Its columns are decoded when they are read; null is undefined. */
export class BinaryRow {
  /** Those of a column are at `starts[column]`, its size in the four before. */
  readonly #bytes: Buffer;
  readonly #starts: number[];

  /** @param at where the number of columns is, followed by the size and the value of each */
  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    const count = bytes.readUInt16BE(at);
    const starts = new Array<number>(count);
    for (let i = 0, next = at + 2; i < count; i++) {
      const size = bytes.readInt32BE(next);
      next += 4;
      starts[i] = size < 0 ? -1 : next;
      if (size > 0) next += size;
    }
    this.#starts = starts;
  }

  /** Of a text or of JSON, in UTF-8. */
  bytes(column: number): Buffer | undefined {
    const start = this.#startOf(column);
    return start < 0 ? undefined : this.#bytes.subarray(start, start + this.#sizeAt(start));
  }

  /** Whether the column is not null. */
  has(column: number): boolean {
    return this.#startOf(column) >= 0;
  }

  /** How many bytes the value of a column has. */
  sizeOf(column: number): number {
    const start = this.#startOf(column);
    return start < 0 ? 0 : this.#sizeAt(start);
  }

  /** Writes the bytes of a column. */
  write(column: number, out: ByteWriter): void {
    const start = this.#startOf(column);
    if (start >= 0) out.part(this.#bytes, start, this.#sizeAt(start));
  }

  /** Writes the digits of a public id. */
  writeIdDigits(column: number, out: ByteWriter): void {
    const start = this.#startOf(column);
    if (start >= 0) out.idDigits(this.#bytes, start);
  }

  text(column: number): string | undefined {
    const start = this.#startOf(column);
    return start < 0 ? undefined : this.#bytes.toString('utf8', start, start + this.#sizeAt(start));
  }

  uuid(column: number): string | undefined {
    const start = this.#startOf(column);
    if (start < 0) return undefined;
    const hex = this.#bytes.toString('hex', start, start + 16);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  boolean(column: number): boolean | undefined {
    const start = this.#startOf(column);
    return start < 0 ? undefined : this.#bytes[start] === 1;
  }

  /** Of an `integer`, or of a `bigint` that is a safe integer. */
  integer(column: number): number | undefined {
    const start = this.#startOf(column);
    if (start < 0) return undefined;
    return this.#sizeAt(start) === 4 ? this.#bytes.readInt32BE(start) : this.#bigintAt(start);
  }

  /** When a UUID was made. */
  uuidTime(column: number): number | undefined {
    const start = this.#startOf(column);
    return start < 0 ? undefined : this.#bytes.readUIntBE(start, 6);
  }

  /** Of a `timestamptz`, in milliseconds since 1970. */
  time(column: number): number | undefined {
    const start = this.#startOf(column);
    return start < 0 ? undefined : Math.floor(this.#bigintAt(start) / 1000) + EPOCH;
  }

  #startOf(column: number): number {
    return this.#starts[column] ?? -1;
  }

  #sizeAt(start: number): number {
    return this.#bytes.readInt32BE(start - 4);
  }

  #bigintAt(start: number): number {
    return this.#bytes.readInt32BE(start) * 2 ** 32 + this.#bytes.readUInt32BE(start + 4);
  }
}

/** What the server counts times from. */
const EPOCH = Date.UTC(2000, 0, 1);

interface Statement {
  name: string | undefined;
  text: string;
  values: unknown[];
}

/** Reads the rows of a statement on a connection of `Client`. @param Row how its columns are read */
export async function readBinary<Row extends BinaryRow>(
  tx: Tx,
  statement: Statement,
  Row: new (bytes: Buffer, at: number) => Row,
): Promise<Row[]> {
  const { rows } = await tx.query<Row>({ ...statement, rowMode: BINARY, Row } as never);
  return rows;
}

/** The `rowMode` of statements whose rows are not decoded. */
export const BINARY = 'binary';

/** The connection of a `Client`. */
interface SplitConnection extends Connection {
  rows?: RowSplitter;
}

interface BinaryConfig extends pg.QueryConfig {
  Row: typeof BinaryRow;
}

/** A statement whose rows are kept as bytes. */
class BinaryQuery extends Query {
  readonly received: BinaryRow[] = [];
  readonly #Row: typeof BinaryRow;

  constructor({ Row, ...config }: BinaryConfig, done: (error: Error | null | undefined) => void) {
    super({ ...config, binary: true }, undefined, done);
    this.#Row = Row;
  }

  override submit(connection: SplitConnection): Error | null {
    connection.rows?.take((bytes, at) => this.received.push(new this.#Row(bytes, at)));
    // Who reads the rows knows their columns.
    return super.submit(Object.create(connection, { describe: { value: () => {} } }));
  }

  override handleError(error: Error, connection: SplitConnection): void {
    connection.rows?.leave();
    super.handleError(error, connection);
  }

  override handleReadyForQuery(connection: SplitConnection): void {
    connection.rows?.leave();
    super.handleReadyForQuery(connection);
  }
}

/** The driver's client, which also reads rows as bytes. */
export class Client extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const connection: SplitConnection = connectionOf(this);
    const attachListeners = connection.attachListeners;
    connection.attachListeners = (stream) => {
      const driver = new EventEmitter();
      const rows = new RowSplitter((bytes) => driver.emit('data', bytes));
      connection.rows = rows;
      attachListeners.call(connection, driver);
      stream.on('data', (chunk: Buffer) => rows.read(chunk));
    };
  }

  override query: pg.Client['query'] = ((...args: [config: pg.QueryArrayConfig | string]) => {
    const [config] = args;
    if (typeof config === 'string' || (config.rowMode as string) !== BINARY) return super.query(...args);
    return new Promise((resolve, reject) => {
      const query: BinaryQuery = new BinaryQuery(config as pg.QueryConfig as BinaryConfig, (error) =>
        error ? reject(error) : resolve({ rows: query.received }),
      );
      super.query(query as never);
    });
  }) as never;
}

const ROW = 'D'.charCodeAt(0);
/** The type of a message, and the size of what follows the type. */
const HEADER_BYTES = 5;

/**
 * Takes the rows of a query out of what the server sends. Everything else goes to the driver, which by itself decodes all columns
 * of a row as text. Follows the messages at any time, since a query may begin in the middle of one that the server sent unasked.
 */
export class RowSplitter {
  readonly #toDriver: (bytes: Buffer) => void;
  #onRow: ((bytes: Buffer, at: number) => void) | undefined;
  /** Bytes of a message of the driver that are yet to arrive. */
  #ahead = 0;
  /** The parts of a header or a row that have arrived, their size, and the size that is needed to continue. */
  #parts: Buffer[] = [];
  #bytes = 0;
  #needed = 0;

  constructor(toDriver: (bytes: Buffer) => void) {
    this.#toDriver = toDriver;
  }

  /** From now on, and until `leave`: to be called while no rows are sent. */
  take(onRow: (bytes: Buffer, at: number) => void): void {
    this.#onRow = onRow;
  }

  leave(): void {
    this.#onRow = undefined;
  }

  read(chunk: Buffer): void {
    let rest = chunk;
    while (this.#parts.length > 0) {
      const missing = this.#needed - this.#bytes;
      this.#parts.push(rest.subarray(0, missing));
      this.#bytes += rest.length;
      if (rest.length < missing) return;
      // Of a chunk with many rows only the first is copied.
      const completed = Buffer.concat(this.#parts);
      this.#parts = [];
      rest = rest.subarray(missing);
      this.#split(completed);
    }
    this.#split(rest);
  }

  #split(bytes: Buffer): void {
    const end = bytes.length;
    let at = Math.min(this.#ahead, end);
    this.#ahead -= at;
    let needed = HEADER_BYTES;
    /** From here to `at` it is the driver's. */
    let from = 0;
    while (end - at >= HEADER_BYTES) {
      const next = at + 1 + bytes.readUInt32BE(at + 1);
      if (this.#onRow && bytes[at] === ROW) {
        if (next > end) {
          needed = next - at;
          break;
        }
        if (at > from) this.#toDriver(bytes.subarray(from, at));
        this.#onRow(bytes, at + HEADER_BYTES);
        from = next;
      } else if (next > end) {
        this.#ahead = next - end;
        at = end;
        break;
      }
      at = next;
    }
    if (at < end) {
      this.#parts = [bytes.subarray(at)];
      this.#bytes = end - at;
      this.#needed = needed;
    }
    if (at > from) this.#toDriver(bytes.subarray(from, at));
  }
}
