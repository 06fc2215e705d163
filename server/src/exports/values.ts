import type { Bytes } from './bytes.ts';
import type { Column } from './datasets.ts';

/** Values in PostgreSQL's binary form, read, or written as the text that the API shows. */

const DIGITS = Buffer.from('0123456789abcdefghjkmnpqrstvwxyz');

/** A uuid as a public id without its prefix: 26 digits of five bits, of which the first two are zero. See shared/ids.ts. */
export function putId(out: Bytes, from: Buffer, start: number): void {
  out.ensure(26);
  const { buffer } = out;
  let at = out.length;
  let bits = 0;
  let held = 2;
  for (let i = start; i < start + 16; i++) {
    bits = (bits << 8) | (from[i] as number);
    held += 8;
    while (held >= 5) {
      held -= 5;
      buffer[at++] = DIGITS[(bits >> held) & 31] as number;
    }
    bits &= (1 << held) - 1;
  }
  out.length = at;
}

/** A bigint. The service's are safe integers. */
export function readInteger(from: Buffer, start: number): number {
  return from.readInt32BE(start) * 4_294_967_296 + from.readUInt32BE(start + 4);
}

function putAscii(out: Bytes, text: string): void {
  out.ensure(text.length);
  for (let i = 0; i < text.length; i++) out.buffer[out.length++] = text.charCodeAt(i);
}

const YEAR_2000 = Date.UTC(2000, 0, 1);
const DAY = 86_400_000;

/** A timestamptz in milliseconds since 1970. Microseconds of far years are rounded by a double; milliseconds are not. */
export function readTime(from: Buffer, start: number): number {
  return YEAR_2000 + Math.round(readInteger(from, start) / 1_000);
}

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

/** Writes the values of a column that is neither text nor JSON, as both text formats do. */
export class ValueWriter {
  readonly #kind: Column['kind'];
  readonly #prefix: Buffer;
  readonly #times = new TimeWriter();

  constructor(column: Column) {
    this.#kind = column.kind;
    this.#prefix = prefixOf(column);
  }

  put(out: Bytes, from: Buffer, start: number, length: number): void {
    const kind = this.#kind;
    if (kind === 'time') this.#times.put(out, readTime(from, start));
    else if (kind === 'integer') putAscii(out, String(readInteger(from, start)));
    else if (kind === 'boolean') out.put(from[start] ? TRUE : FALSE);
    else if (kind === 'decimal') out.put(from, start, start + length);
    else {
      out.put(this.#prefix);
      putId(out, from, start);
    }
  }
}

/** What comes before the digits of a column's ids. */
export function prefixOf(column: Column): Buffer {
  return Buffer.from(column.kind === 'id' ? `${column.prefix}_` : '');
}

/** Writes times as `2026-11-20T08:00:00.000Z`. Rows that follow each other are mostly of one day, which is kept. */
class TimeWriter {
  #day = Number.NaN;
  #date = Buffer.alloc(0);

  put(out: Bytes, ms: number): void {
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
    const hours = Math.floor(minutes / 60);
    const millis = rest % 1_000;
    putTwo(buffer, at, hours);
    buffer[at + 2] = COLON;
    putTwo(buffer, at + 3, minutes % 60);
    buffer[at + 5] = COLON;
    putTwo(buffer, at + 6, seconds % 60);
    buffer[at + 8] = 0x2e;
    buffer[at + 9] = ZERO + Math.floor(millis / 100);
    putTwo(buffer, at + 10, millis % 100);
    buffer[at + 12] = 0x5a;
    out.length = at + 13;
  }
}

const ZERO = 0x30;
const COLON = 0x3a;

function putTwo(buffer: Buffer, at: number, value: number): void {
  const tens = Math.floor(value / 10);
  buffer[at] = ZERO + tens;
  buffer[at + 1] = ZERO + value - tens * 10;
}
