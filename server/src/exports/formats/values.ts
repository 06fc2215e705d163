import type { SessionIds } from '../../shared/session-ids.ts';
import { DAY } from '../../shared/units.ts';
import type { Column } from '../datasets/dataset.ts';
import type { ByteBuffer } from './byte-buffer.ts';

/** Reads values in PostgreSQL's binary format and writes them as the text that the API shows. */

/** Bytes before the text of a jsonb value: its version. */
export const JSONB_HEADER = 1;

const DIGITS = Buffer.from('0123456789abcdefghjkmnpqrstvwxyz');

/** Length of a public id without its prefix. */
export const ID_LENGTH = 26;

/** Writes a uuid as a public id without its prefix, in digits of five bits, as shared/ids.ts does. */
export function putId(out: ByteBuffer, from: Buffer, start: number): void {
  out.ensure(ID_LENGTH);
  const { buffer } = out;
  let at = out.length;
  let bits = 0;
  // 26 digits have 130 bits, two more than a uuid.
  let pending = 2;
  for (let i = start; i < start + 16; i++) {
    bits = (bits << 8) | (from[i] as number);
    pending += 8;
    while (pending >= 5) {
      pending -= 5;
      buffer[at++] = DIGITS[(bits >> pending) & 31] as number;
    }
    bits &= (1 << pending) - 1;
  }
  out.length = at;
}

/** The prefix of a column's public ids; empty for other types. */
export function prefixOf(column: Column): Buffer {
  return Buffer.from(column.type === 'id' ? `${column.prefix}_` : '');
}

/** Reads a bigint, which in this service is a safe integer. */
export function readInteger(from: Buffer, start: number): number {
  return from.readInt32BE(start) * 4_294_967_296 + from.readUInt32BE(start + 4);
}

const YEAR_2000 = Date.UTC(2000, 0, 1);

/** Reads a timestamptz as milliseconds since 1970. A double rounds the microseconds of distant years, not the milliseconds. */
export function readTime(from: Buffer, start: number): number {
  return YEAR_2000 + Math.round(readInteger(from, start) / 1_000);
}

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

/** Writes the values of a column other than text and JSON, which both text formats write alike. */
export class ValueWriter {
  readonly #ids: SessionIds;
  readonly #type: Column['type'];
  readonly #prefix: Buffer;
  readonly #times = new TimeWriter();

  constructor(column: Column, ids: SessionIds) {
    this.#ids = ids;
    this.#type = column.type;
    this.#prefix = prefixOf(column);
  }

  put(out: ByteBuffer, from: Buffer, start: number, length: number): void {
    const type = this.#type;
    if (type === 'time') this.#times.put(out, readTime(from, start));
    else if (type === 'session') putAscii(out, String(this.#ids.idOf(readInteger(from, start))));
    else if (type === 'integer') putAscii(out, String(readInteger(from, start)));
    else if (type === 'boolean') out.put(from[start] ? TRUE : FALSE);
    else if (type === 'decimal') out.put(from, start, start + length);
    else {
      out.put(this.#prefix);
      putId(out, from, start);
    }
  }
}

function putAscii(out: ByteBuffer, text: string): void {
  out.ensure(text.length);
  for (let i = 0; i < text.length; i++) out.buffer[out.length++] = text.charCodeAt(i);
}

/** Writes times as `2026-11-20T08:00:00.000Z`. Adjacent rows are mostly of the same day, so the date is cached. */
class TimeWriter {
  #day = Number.NaN;
  #date = Buffer.alloc(0);

  put(out: ByteBuffer, ms: number): void {
    const day = Math.floor(ms / DAY);
    if (day !== this.#day) {
      this.#date = Buffer.from(new Date(day * DAY).toISOString().slice(0, 11));
      this.#day = day;
    }
    out.put(this.#date);
    out.ensure(13);
    const { buffer } = out;
    const at = out.length;
    const rest = ms - day * DAY;
    const seconds = Math.floor(rest / 1_000);
    const minutes = Math.floor(seconds / 60);
    const millis = rest % 1_000;
    putTwoDigits(buffer, at, Math.floor(minutes / 60));
    buffer[at + 2] = COLON;
    putTwoDigits(buffer, at + 3, minutes % 60);
    buffer[at + 5] = COLON;
    putTwoDigits(buffer, at + 6, seconds % 60);
    buffer[at + 8] = 0x2e;
    buffer[at + 9] = ZERO + Math.floor(millis / 100);
    putTwoDigits(buffer, at + 10, millis % 100);
    buffer[at + 12] = 0x5a;
    out.length = at + 13;
  }
}

const ZERO = 0x30;
const COLON = 0x3a;

function putTwoDigits(buffer: Buffer, at: number, value: number): void {
  const tens = Math.floor(value / 10);
  buffer[at] = ZERO + tens;
  buffer[at + 1] = ZERO + value - tens * 10;
}
