import { ByteWriter, type ParquetWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import type { SessionIds } from '../../shared/session-ids.ts';
import type { Column } from '../datasets/dataset.ts';
import { ByteBuffer } from './byte-buffer.ts';
import type { SnappyCompressor } from './snappy.ts';
import { ID_LENGTH, JSONB_HEADER, prefixOf, putId, readInteger, readTime } from './values.ts';

/** Bytes of values in a page, before compression. */
export const PAGE_BYTES = 512 * 1024;

const UTF8 = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;

/** Nine decimals, as many as `NUMERIC` of BigQuery has; 29 digits before them. */
const SCALE = 9;
const DECIMAL = { precision: 38, scale: SCALE } as const;
const DECIMAL_BYTES = 16;

/** How Parquet stores each column type. */
export const PHYSICAL = {
  id: UTF8,
  text: UTF8,
  decimal: {
    type: 'FIXED_LEN_BYTE_ARRAY',
    type_length: DECIMAL_BYTES,
    converted_type: 'DECIMAL',
    ...DECIMAL,
    logical_type: { type: 'DECIMAL', ...DECIMAL },
  },
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } },
  // Without the logical type, readers take it for a local time.
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  session: { type: 'INT64' },
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
} as const satisfies Record<Column['type'], object>;

type ColumnChunk = ParquetWriter['row_groups'][number]['columns'][number];

/** Collects one column of a row group as compressed pages. */
export class ParquetColumn {
  readonly #column: Column;
  readonly #ids: SessionIds;
  readonly #compressor: SnappyCompressor;
  readonly #prefix: Buffer;
  /** Scratch space in which a page is assembled, shared by all columns. */
  readonly #page: ByteBuffer;
  readonly #values = new ByteBuffer(64 * 1024);
  /** One bit per row of the page: whether the row has a value. */
  readonly #levels = new ByteBuffer(4 * 1024);
  #pageRows = 0;
  #pageValues = 0;
  #rows = 0;
  #nulls = 0;
  #uncompressed = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  /** Finished pages: headers and compressed data. */
  readonly pages = new ByteBuffer(64 * 1024);

  constructor(column: Column, ids: SessionIds, compressor: SnappyCompressor, page: ByteBuffer) {
    this.#column = column;
    this.#ids = ids;
    this.#compressor = compressor;
    this.#page = page;
    this.#prefix = prefixOf(column);
  }

  add(from: Buffer, start: number, length: number): void {
    const bit = this.#pageRows & 7;
    if (bit === 0) this.#levels.putByte(0);
    const isMissing = length < 0 || (this.#column.type === 'decimal' && isTooLong(from, start, length));
    if (!isMissing) {
      const last = this.#levels.length - 1;
      this.#levels.buffer[last] = (this.#levels.buffer[last] as number) | (1 << bit);
      this.#addValue(from, start, length);
      this.#pageValues++;
    }
    this.#pageRows++;
    if (this.#values.length >= PAGE_BYTES) this.#endPage();
  }

  #addValue(from: Buffer, start: number, length: number): void {
    const values = this.#values;
    const { type } = this.#column;
    if (type === 'time') this.#addInt64(readTime(from, start));
    else if (type === 'session') this.#addInt64(this.#ids.idOf(readInteger(from, start)));
    else if (type === 'integer') this.#addInt64(readInteger(from, start));
    else if (type === 'decimal') {
      values.ensure(DECIMAL_BYTES);
      const scaled = scaledDecimal(from.toString('latin1', start, start + length));
      const low = values.buffer.writeBigInt64BE(scaled >> 64n, values.length);
      values.length = values.buffer.writeBigUInt64BE(BigInt.asUintN(64, scaled), low);
    } else if (type === 'boolean') {
      const bit = this.#pageValues & 7;
      if (bit === 0) values.putByte(0);
      const last = values.length - 1;
      values.buffer[last] = (values.buffer[last] as number) | ((from[start] as number) << bit);
    } else if (type === 'id') {
      putUint32(values, this.#prefix.length + ID_LENGTH);
      values.put(this.#prefix);
      putId(values, from, start);
    } else {
      const header = type === 'json' ? JSONB_HEADER : 0;
      putUint32(values, length - header);
      values.put(from, start + header, start + length);
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

  /** Writes a data page: the length of the definition levels, the levels, then the values, compressed together. */
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

  /** One RLE run if all rows or none have a value, else one bit-packed run. */
  #encodedLevels(): Buffer {
    const out = new ByteWriter();
    const level = this.#pageValues === 0 ? 0 : this.#pageValues === this.#pageRows ? 1 : undefined;
    if (level === undefined) {
      out.appendVarInt((this.#levels.length << 1) | 1);
      out.appendBytes(this.#levels.view());
    } else {
      out.appendVarInt(this.#pageRows << 1);
      out.appendUint8(level);
    }
    return asBuffer(out);
  }

  /** Ends the column chunk, which starts at `offset` in the file. */
  end(offset: bigint): ColumnChunk {
    if (this.#pageRows > 0) this.#endPage();
    const { type, name } = this.#column;
    const isNumber = PHYSICAL[type].type === 'INT64' && this.#nulls < this.#rows;
    return {
      file_offset: offset,
      meta_data: {
        type: PHYSICAL[type].type,
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

/** Whether a decimal has more digits before its point than Parquet's have. No amount that the API accepts has. */
function isTooLong(from: Buffer, start: number, length: number): boolean {
  const most = DECIMAL.precision - SCALE;
  if (length <= most) return false;
  const [whole = ''] = from.toString('latin1', start, start + length).split('.');
  return whole.replace('-', '').length > most;
}

/** A decimal in plain digits, times 10^9. Further decimals are rounded, half away from zero as PostgreSQL does. */
export function scaledDecimal(text: string): bigint {
  const point = text.indexOf('.');
  if (point < 0) return BigInt(text) * 10n ** BigInt(SCALE);
  const fraction = text.slice(point + 1, point + 1 + SCALE).padEnd(SCALE, '0');
  const size =
    BigInt(text.slice(text[0] === '-' ? 1 : 0, point) + fraction) +
    (text.charCodeAt(point + 1 + SCALE) >= FIVE ? 1n : 0n);
  return text[0] === '-' ? -size : size;
}

const FIVE = 0x35;

function putUint32(out: ByteBuffer, value: number): void {
  out.ensure(4);
  out.length = out.buffer.writeUInt32LE(value, out.length);
}

function asBuffer(writer: ByteWriter): Buffer {
  return Buffer.from(writer.buffer, 0, writer.index);
}
