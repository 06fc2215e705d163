import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { SessionIds } from '../../shared/session-ids.ts';
import type { Column } from '../datasets/dataset.ts';
import { ByteBuffer } from './byte-buffer.ts';
import type { Encoder, Row, Write } from './format.ts';
import { PAGE_BYTES, ParquetColumn, PHYSICAL } from './parquet-column.ts';
import { SnappyCompressor } from './snappy.ts';

/** A row group ends at this compressed size or row count. Memory holds one row group, not the file. */
const GROUP_BYTES = 16 * 1024 * 1024;
const GROUP_ROWS = 500_000;

/**
 * Writes Parquet while rows arrive. The library writes headers and the footer. It would take values as JavaScript objects;
 * copying PostgreSQL's bytes into the pages instead is several times as fast and produces no garbage.
 */
export class ParquetEncoder implements Encoder {
  readonly #columns: ParquetColumn[];
  readonly #write: Write;
  readonly #meta = new ByteWriter();
  readonly #file: ParquetWriter;
  #offset = 0;
  #rows = 0;

  constructor(columns: Column[], write: Write, ids: SessionIds) {
    this.#write = write;
    const compressor = new SnappyCompressor();
    const page = new ByteBuffer(PAGE_BYTES);
    this.#columns = columns.map((column) => new ParquetColumn(column, ids, compressor, page));
    this.#file = new ParquetWriter({
      writer: this.#meta,
      createdBy: 'headwater',
      schema: [
        { name: 'root', num_children: columns.length },
        ...columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...PHYSICAL[type] })),
      ],
    });
    this.#flushMeta();
  }

  add({ bytes, starts, lengths }: Row): void {
    let pending = 0;
    for (let i = 0; i < this.#columns.length; i++) {
      const column = this.#columns[i] as ParquetColumn;
      column.add(bytes, starts[i] as number, lengths[i] as number);
      pending += column.pages.length;
    }
    this.#rows++;
    if (pending >= GROUP_BYTES || this.#rows >= GROUP_ROWS) this.#endGroup();
  }

  finish(): void {
    if (this.#rows > 0) this.#endGroup();
    this.#file.finish();
    this.#flushMeta();
  }

  #endGroup(): void {
    const start = this.#offset;
    const columns = this.#columns.map((column) => {
      const at = this.#offset;
      const chunk = column.end(BigInt(at));
      this.#put(column.pages.view());
      column.clear();
      return chunk;
    });
    let uncompressed = 0n;
    for (const { meta_data } of columns) uncompressed += meta_data?.total_uncompressed_size ?? 0n;
    this.#file.row_groups.push({
      columns,
      num_rows: BigInt(this.#rows),
      total_byte_size: uncompressed,
      total_compressed_size: BigInt(this.#offset - start),
    });
    this.#file.num_rows += BigInt(this.#rows);
    this.#rows = 0;
  }

  #put(bytes: Uint8Array): void {
    this.#write(bytes);
    this.#offset += bytes.length;
  }

  /** Appends what the library wrote. */
  #flushMeta(): void {
    this.#put(this.#meta.getBytes());
    this.#meta.index = 0;
  }
}
