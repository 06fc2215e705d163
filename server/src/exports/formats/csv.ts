import type { SessionIds } from '../../shared/session-ids.ts';
import type { Column } from '../datasets/dataset.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { BLOCK_BYTES, type Encoder, type Format, type Row, type Write } from './format.ts';
import { JSONB_HEADER, ValueWriter } from './values.ts';

/** RFC 4180 with a header. Null is an empty cell, an empty text is `""`. */
export const csv: Format = {
  contentType: 'text/csv; charset=utf-8; header=present',
  createEncoder: (columns, write, ids) => new CsvEncoder(columns, write, ids),
};

const COMMA = 0x2c;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SEMICOLON = 0x3b;
const CR = 0x0d;
const LF = 0x0a;

class CsvEncoder implements Encoder {
  readonly #types: Column['type'][];
  readonly #values: ValueWriter[];
  readonly #write: Write;
  readonly #out = new ByteBuffer(2 * BLOCK_BYTES);

  constructor(columns: Column[], write: Write, ids: SessionIds) {
    this.#types = columns.map((column) => column.type);
    this.#values = columns.map((column) => new ValueWriter(column, ids));
    this.#write = write;
    this.#out.put(Buffer.from(`${columns.map((column) => column.name).join(',')}\r\n`));
  }

  add({ bytes, starts, lengths }: Row): void {
    const out = this.#out;
    for (let i = 0; i < this.#types.length; i++) {
      if (i > 0) out.putByte(COMMA);
      const type = this.#types[i];
      const start = starts[i] as number;
      const length = lengths[i] as number;
      if (length < 0) continue;
      if (type === 'text') putText(out, bytes, start, start + length);
      else if (type === 'json') putJson(out, bytes, start + JSONB_HEADER, start + length);
      else this.#values[i]?.put(out, bytes, start, length);
    }
    out.putByte(CR);
    out.putByte(LF);
    if (out.length >= BLOCK_BYTES) this.#flush();
  }

  finish(): void {
    this.#flush();
  }

  #flush(): void {
    this.#write(this.#out.view());
    this.#out.length = 0;
  }
}

/** The cell has to be quoted. */
const QUOTED = 1;
/** The next character may be the first of a cell: where `;` separates cells, quotes inside a cell do not protect it. */
const BOUNDARY = 2;
/** Begins a formula at the start of a cell. */
const FORMULA = 4;
/** Begins a formula at the start of the text only. */
const LEADING_FORMULA = 8;

const FLAGS = new Uint8Array(256);
FLAGS[QUOTE] = QUOTED;
FLAGS[COMMA] = QUOTED;
FLAGS[SEMICOLON] = BOUNDARY;
FLAGS[CR] = FLAGS[LF] = QUOTED | BOUNDARY | LEADING_FORMULA;
for (const char of '=+-@\t') FLAGS[char.charCodeAt(0)] = FORMULA;

/** The full-width forms of `= + - @` in UTF-8. */
const WIDE_FORMULAS = new Set([0xefbc9d, 0xefbc8b, 0xefbc8d, 0xefbca0]);

const isWide = (from: Buffer, at: number, end: number) =>
  from[at] === 0xef && at + 3 <= end && WIDE_FORMULAS.has(from.readUIntBE(at, 3));

/** Escapes formulas as `escapeFormula` in shared/csv.ts does, except that a text which looks escaped stays as it is. */
function putText(out: ByteBuffer, from: Buffer, start: number, end: number): void {
  const starts = FORMULA | LEADING_FORMULA;
  const isFormula =
    start < end && (((FLAGS[from[start] as number] as number) & starts) > 0 || isWide(from, start, end));
  let flags = start === end ? QUOTED : 0;
  for (let i = start; i < end; i++) flags |= FLAGS[from[i] as number] as number;
  if ((flags & (QUOTED | BOUNDARY)) === 0) {
    if (isFormula) out.putByte(APOSTROPHE);
    out.put(from, start, end);
    return;
  }
  // No byte grows to more than two.
  out.ensure(2 * (end - start) + 3);
  const { buffer } = out;
  let at = out.length;
  if (flags & QUOTED) buffer[at++] = QUOTE;
  if (isFormula) buffer[at++] = APOSTROPHE;
  let isBoundary = false;
  for (let i = start; i < end; i++) {
    const byte = from[i] as number;
    const flag = FLAGS[byte] as number;
    if (isBoundary && (flag & FORMULA || isWide(from, i, end))) buffer[at++] = APOSTROPHE;
    if (byte === QUOTE) buffer[at++] = QUOTE;
    buffer[at++] = byte;
    isBoundary = (flag & BOUNDARY) > 0;
  }
  if (flags & QUOTED) buffer[at++] = QUOTE;
  out.length = at;
}

/** Quotes JSON and, behind a `;`, writes the start of a formula as `\\u003d`, which reads as the same JSON. */
function putJson(out: ByteBuffer, from: Buffer, start: number, end: number): void {
  // At worst, `;=` becomes seven bytes.
  out.ensure(4 * (end - start) + 2);
  const { buffer } = out;
  let at = out.length;
  buffer[at++] = QUOTE;
  let isBoundary = false;
  for (let i = start; i < end; i++) {
    const byte = from[i] as number;
    if (isBoundary && (FLAGS[byte] === FORMULA || isWide(from, i, end))) {
      const isAscii = byte < 0x80;
      const code = isAscii ? byte : from.toString('utf8', i, i + 3).charCodeAt(0);
      at += buffer.write(`\\u${code.toString(16).padStart(4, '0')}`, at, 'latin1');
      if (!isAscii) i += 2;
    } else {
      if (byte === QUOTE) buffer[at++] = QUOTE;
      buffer[at++] = byte;
    }
    isBoundary = byte === SEMICOLON;
  }
  buffer[at++] = QUOTE;
  out.length = at;
}
