import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { quote, type TableDescription } from './describe-database.ts';

/** Rows are in entries of this size, since a tar needs the size of an entry before its content. */
const CHUNK_BYTES = 1_048_576;

/** What was copied of a table; the digest is that of its text, in the format of COPY. */
export interface TableContent {
  rows: number;
  bytes: number;
  sha256: string;
}

/**
 * Copies the rows of a table out, in the text format of COPY.
 * @param expressions SQL expressions by `table.column`, to copy instead of the column
 */
export async function copyTable(
  client: pg.ClientBase,
  { name, columns }: TableDescription,
  expressions: Record<string, string>,
  write: (chunk: Buffer, number: number) => Promise<void>,
): Promise<TableContent> {
  const selected = columns.map((column) => expressions[`${name}.${column}`] ?? column);
  const stream = client.query(copyTo(`copy (select ${selected.join(', ')} from ${quote(name)}) to stdout`));
  const hash = createHash('sha256');
  let [bytes, number, pending, pendingBytes] = [0, 0, [] as Buffer[], 0];
  const flush = async () => {
    const chunk = Buffer.concat(pending);
    [pending, pendingBytes] = [[], 0];
    hash.update(chunk);
    bytes += chunk.length;
    await write(chunk, ++number);
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    pending.push(chunk);
    pendingBytes += chunk.length;
    if (pendingBytes >= CHUNK_BYTES) await flush();
  }
  if (pendingBytes > 0) await flush();
  return { rows: stream.rowCount, bytes, sha256: hash.digest('hex') };
}

/** Writes the chunks of one table after another into the database. */
export class TableLoader {
  readonly #client: pg.ClientBase;
  readonly #columns: Map<string, string[]>;
  #current: { name: string; stream: ReturnType<typeof copyFrom>; done: Promise<void> } | undefined;
  readonly rows = new Map<string, number>();

  /** @param tables of one database */
  constructor(client: pg.ClientBase, tables: TableDescription[]) {
    this.#client = client;
    this.#columns = new Map(tables.map(({ name, columns }) => [name, columns]));
  }

  async write(table: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    if (this.#current?.name !== table) {
      await this.end();
      this.#current = this.#start(table);
    }
    const { stream } = this.#current;
    for await (const chunk of content) {
      // Throws if the stream fails meanwhile.
      if (!stream.write(chunk)) await once(stream, 'drain');
    }
  }

  async end(): Promise<void> {
    if (!this.#current) return;
    const { name, stream, done } = this.#current;
    stream.end();
    await done;
    this.rows.set(name, stream.rowCount);
    this.#current = undefined;
  }

  #start(name: string) {
    const columns = this.#columns.get(name);
    if (!columns) throw new Error(`the archive does not describe the table ${name}`);
    const stream = this.#client.query(copyFrom(`copy ${quote(name)} (${columns.join(', ')}) from stdin`));
    const done = new Promise<void>((resolve, reject) => stream.once('finish', resolve).on('error', reject));
    done.catch(() => {});
    return { name, stream, done };
  }
}
