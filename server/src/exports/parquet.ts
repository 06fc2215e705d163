import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { Bytes } from './bytes.ts';
import type { Column } from './datasets.ts';
import type { Encoder, Row, Write } from './encoder.ts';
import { SnappyCompressor } from './snappy.ts';
import { prefixOf, putId, readInteger, readTime } from './values.ts';

/** Bytes of values in a page, before compression. */
const PAGE = 512 * 1024;
/** A row group ends when it holds so much, compressed, or so many rows: this, not the file, is kept in memory. */
const GROUP_BYTES = 16 * 1024 * 1024;
const GROUP_ROWS = 500_000;

const PHYSICAL = {
  id: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  decimal: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
} as const;

type RowGroup = ParquetWriter['row_groups'][number];

/**
 * Parquet, written as the rows come. The library writes headers and the footer; the values it would take as JavaScript's
 * are put into the pages as the bytes they are already, which is several times as fast and leaves nothing to collect.
 */
export class ParquetEncoder implements Encoder {
  readonly #columns: ColumnWriter[];
  readonly #write: Write;
  readonly #meta = new ByteWriter();
  readonly #file: ParquetWriter;
  #offset = 0;
  #rows = 0;

  constructor(columns: Column[], write: Write) {
    this.#write = write;
    const compressor = new SnappyCompressor();
    const page = new Bytes(PAGE);
    this.#columns = columns.map((column) => new ColumnWriter(column, compressor, page));
    this.#file = new ParquetWriter({
      writer: this.#meta,
      createdBy: 'headwater',
      schema: [
        { name: 'root', num_children: columns.length },
        ...columns.map(({ name, kind }) => ({ name, repetition_type: 'OPTIONAL' as const, ...PHYSICAL[kind] })),
      ],
    });
    this.#flushMeta();
  }

  add({ bytes, starts, lengths }: Row): void {
    let held = 0;
    for (let i = 0; i < this.#columns.length; i++) {
      const column = this.#columns[i] as ColumnWriter;
      column.add(bytes, starts[i] as number, lengths[i] as number);
      held += column.pages.length;
    }
    this.#rows++;
    if (held >= GROUP_BYTES || this.#rows >= GROUP_ROWS) this.#endGroup();
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

  /** Writes what the library wrote; its offsets count all that the file holds. */
  #flushMeta(): void {
    this.#put(this.#meta.getBytes());
    this.#meta.index = 0;
  }
}

/** One column of a row group. */
class ColumnWriter {
  readonly #column: Column;
  readonly #compressor: SnappyCompressor;
  readonly #prefix: Buffer;
  /** Where a page is put together: one place for all columns. */
  readonly #page: Bytes;
  readonly #values = new Bytes(64 * 1024);
  /** A bit for each row of the page: whether it has a value. */
  readonly #levels = new Bytes(4 * 1024);
  #pageRows = 0;
  #pageValues = 0;
  #rows = 0;
  #nulls = 0;
  #uncompressed = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  /** The pages that are done, compressed, with their headers. */
  readonly pages = new Bytes(64 * 1024);

  constructor(column: Column, compressor: SnappyCompressor, page: Bytes) {
    this.#column = column;
    this.#compressor = compressor;
    this.#page = page;
    this.#prefix = prefixOf(column);
  }

  add(from: Buffer, start: number, length: number): void {
    const bit = this.#pageRows & 7;
    if (bit === 0) this.#levels.putByte(0);
    if (length >= 0) {
      const last = this.#levels.length - 1;
      this.#levels.buffer[last] = (this.#levels.buffer[last] as number) | (1 << bit);
      this.#addValue(from, start, length);
      this.#pageValues++;
    }
    this.#pageRows++;
    if (this.#values.length >= PAGE) this.#endPage();
  }

  #addValue(from: Buffer, start: number, length: number): void {
    const values = this.#values;
    const { kind } = this.#column;
    if (kind === 'time') this.#addInt64(readTime(from, start));
    else if (kind === 'integer') this.#addInt64(readInteger(from, start));
    else if (kind === 'boolean') {
      const bit = this.#pageValues & 7;
      if (bit === 0) values.putByte(0);
      const last = values.length - 1;
      values.buffer[last] = (values.buffer[last] as number) | ((from[start] as number) << bit);
    } else if (kind === 'id') {
      putUint32(values, this.#prefix.length + 26);
      values.put(this.#prefix);
      putId(values, from, start);
    } else {
      // jsonb begins with a byte for its version.
      const skipped = kind === 'json' ? 1 : 0;
      putUint32(values, length - skipped);
      values.put(from, start + skipped, start + length);
    }
  }

  #addInt64(value: number): void {
    const values = this.#values;
    values.ensure(8);
    const high = Math.floor(value / 4_294_967_296);
    values.buffer.writeUInt32LE(value - high * 4_294_967_296, values.length);
    values.length = values.buffer.writeInt32LE(high, values.length + 4);
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
  }

  /** A data page: definition levels with their length, then the values, compressed together. */
  #endPage(): void {
    const levels = this.#encodedLevels();
    const page = this.#page;
    page.length = 0;
    putUint32(page, levels.length);
    page.put(levels);
    page.put(this.#values.view());
    const body = this.#compressor.compress(page.view());
    const header = new ByteWriter();
    writePageHeader(header, {
      type: 'DATA_PAGE',
      uncompressed_page_size: page.length,
      compressed_page_size: body.length,
      data_page_header: {
        num_values: this.#pageRows,
        encoding: 'PLAIN',
        definition_level_encoding: 'RLE',
        repetition_level_encoding: 'RLE',
      },
    });
    this.pages.put(asBuffer(header));
    this.pages.put(body);
    this.#uncompressed += header.offset + page.length;
    this.#rows += this.#pageRows;
    this.#nulls += this.#pageRows - this.#pageValues;
    this.#pageRows = 0;
    this.#pageValues = 0;
    this.#values.length = 0;
    this.#levels.length = 0;
  }

  /** RLE: one run where all rows are alike, else one bit-packed run. */
  #encodedLevels(): Buffer {
    const out = new ByteWriter();
    const alike = this.#pageValues === 0 ? 0 : this.#pageValues === this.#pageRows ? 1 : undefined;
    if (alike === undefined) {
      out.appendVarInt((this.#levels.length << 1) | 1);
      out.appendBytes(this.#levels.view());
    } else {
      out.appendVarInt(this.#pageRows << 1);
      out.appendUint8(alike);
    }
    return asBuffer(out);
  }

  /** Ends the column chunk, which begins at `offset` of the file. */
  end(offset: bigint): RowGroup['columns'][number] {
    if (this.#pageRows > 0) this.#endPage();
    const { kind, name } = this.#column;
    const isNumber = (kind === 'time' || kind === 'integer') && this.#nulls < this.#rows;
    return {
      file_offset: offset,
      meta_data: {
        type: PHYSICAL[kind].type,
        encodings: ['PLAIN', 'RLE'],
        path_in_schema: [name],
        codec: 'SNAPPY',
        num_values: BigInt(this.#rows),
        total_uncompressed_size: BigInt(this.#uncompressed),
        total_compressed_size: BigInt(this.pages.length),
        data_page_offset: offset,
        statistics: {
          null_count: BigInt(this.#nulls),
          ...(isNumber && { min_value: BigInt(this.#min), max_value: BigInt(this.#max) }),
        },
      },
    };
  }

  clear(): void {
    this.pages.length = 0;
    this.#uncompressed = 0;
    this.#rows = 0;
    this.#nulls = 0;
    this.#min = Number.POSITIVE_INFINITY;
    this.#max = Number.NEGATIVE_INFINITY;
  }
}

function putUint32(out: Bytes, value: number): void {
  out.ensure(4);
  out.length = out.buffer.writeUInt32LE(value, out.length);
}

function asBuffer(writer: ByteWriter): Buffer {
  return Buffer.from(writer.buffer, 0, writer.index);
}
