import { Bytes } from './bytes.ts';
import type { Column } from './datasets.ts';
import { BLOCK, type Encoder, type Row, type Write } from './encoder.ts';
import { ValueWriter } from './values.ts';

const COMMA = 0x2c;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const CR = 0x0d;
const LF = 0x0a;

/**
 * RFC 4180 with a header. Null is an empty cell, an empty text `""`.
 *
 * A spreadsheet takes a text that begins with `=`, `+`, `-`, `@`, a tab or a line break (or a full-width form of these)
 * for a formula, quoted or not: it gets an apostrophe in front (OWASP: CSV injection). Numbers stay numbers.
 */
export class CsvEncoder implements Encoder {
  readonly #kinds: Column['kind'][];
  readonly #values: ValueWriter[];
  readonly #write: Write;
  readonly #out = new Bytes(2 * BLOCK);

  constructor(columns: Column[], write: Write) {
    this.#kinds = columns.map((column) => column.kind);
    this.#values = columns.map((column) => new ValueWriter(column));
    this.#write = write;
    this.#out.put(Buffer.from(`${columns.map((column) => column.name).join(',')}\r\n`));
  }

  add({ bytes, starts, lengths }: Row): void {
    const out = this.#out;
    for (let i = 0; i < this.#kinds.length; i++) {
      if (i > 0) out.putByte(COMMA);
      const kind = this.#kinds[i];
      const start = starts[i] as number;
      const length = lengths[i] as number;
      if (length < 0) continue;
      if (kind === 'text') putText(out, bytes, start, start + length, isFormula(bytes, start, start + length));
      // jsonb begins with a byte for its version.
      else if (kind === 'json') putText(out, bytes, start + 1, start + length, false);
      else this.#values[i]?.put(out, bytes, start, length);
    }
    out.putByte(CR);
    out.putByte(LF);
    if (out.length >= BLOCK) this.#flush();
  }

  finish(): void {
    this.#flush();
  }

  #flush(): void {
    this.#write(this.#out.view());
    this.#out.length = 0;
  }
}

const FORMULA_STARTS = new Set([0x3d, 0x2b, 0x2d, 0x40, 0x09, CR, LF]);
/** Full-width = + - @. */
const WIDE_FORMULA_STARTS = new Set([0xefbc9d, 0xefbc8b, 0xefbc8d, 0xefbca0]);

function isFormula(from: Buffer, start: number, end: number): boolean {
  const first = from[start] as number;
  if (start === end) return false;
  return FORMULA_STARTS.has(first) || (first === 0xef && WIDE_FORMULA_STARTS.has(from.readUIntBE(start, 3)));
}

function putText(out: Bytes, from: Buffer, start: number, end: number, defused: boolean): void {
  let quoted = start === end;
  for (let i = start; i < end && !quoted; i++) {
    const byte = from[i] as number;
    quoted = byte === QUOTE || byte === COMMA || byte === LF || byte === CR;
  }
  if (!quoted) {
    if (defused) out.putByte(APOSTROPHE);
    out.put(from, start, end);
    return;
  }
  out.ensure(2 * (end - start) + 3);
  const { buffer } = out;
  let at = out.length;
  buffer[at++] = QUOTE;
  if (defused) buffer[at++] = APOSTROPHE;
  for (let i = start; i < end; i++) {
    const byte = from[i] as number;
    if (byte === QUOTE) buffer[at++] = QUOTE;
    buffer[at++] = byte;
  }
  buffer[at++] = QUOTE;
  out.length = at;
}
