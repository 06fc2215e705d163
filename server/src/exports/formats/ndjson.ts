import type { SessionIds } from '../../shared/session-ids.ts';
import type { Column } from '../datasets/dataset.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { BLOCK_BYTES, type Encoder, type Format, type Row, type Write } from './format.ts';
import { JSONB_HEADER, ValueWriter } from './values.ts';

const QUOTE = 0x22;
const NULL = Buffer.from('null');
const END = Buffer.from('}\n');
const UNQUOTED: ReadonlySet<Column['type']> = new Set(['session', 'integer', 'boolean']);

/** One JSON object per line, nulls included. JSON columns are nested JSON. */
export const ndjson: Format = {
  contentType: 'application/x-ndjson',
  createEncoder: (columns, write, ids) => new NdjsonEncoder(columns, write, ids),
};

class NdjsonEncoder implements Encoder {
  readonly #types: Column['type'][];
  readonly #names: Buffer[];
  readonly #values: ValueWriter[];
  readonly #write: Write;
  readonly #out = new ByteBuffer(2 * BLOCK_BYTES);

  constructor(columns: Column[], write: Write, ids: SessionIds) {
    this.#types = columns.map((column) => column.type);
    this.#names = columns.map(({ name }, i) => Buffer.from(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    this.#values = columns.map((column) => new ValueWriter(column, ids));
    this.#write = write;
  }

  add({ bytes, starts, lengths }: Row): void {
    const out = this.#out;
    for (let i = 0; i < this.#types.length; i++) {
      out.put(this.#names[i] as Buffer);
      const type = this.#types[i] as Column['type'];
      const start = starts[i] as number;
      const length = lengths[i] as number;
      if (length < 0) out.put(NULL);
      else if (type === 'text') putString(out, bytes, start, start + length);
      // jsonb's text has no line breaks: those inside strings are escaped.
      else if (type === 'json') out.put(bytes, start + JSONB_HEADER, start + length);
      else if (UNQUOTED.has(type)) this.#values[i]?.put(out, bytes, start, length);
      else {
        out.putByte(QUOTE);
        this.#values[i]?.put(out, bytes, start, length);
        out.putByte(QUOTE);
      }
    }
    out.put(END);
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

/** The escape of each byte that a JSON string cannot contain. */
const ESCAPES = Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === QUOTE || byte === 0x5c
    ? Buffer.from(JSON.stringify(String.fromCharCode(byte)).slice(1, -1))
    : undefined,
);
const IS_ESCAPED = Uint8Array.from(ESCAPES, (each) => (each ? 1 : 0));

function putString(out: ByteBuffer, from: Buffer, start: number, end: number): void {
  // The longest escape is \u001f.
  out.ensure(6 * (end - start) + 2);
  const { buffer } = out;
  let at = out.length;
  buffer[at++] = QUOTE;
  for (let i = start; i < end; i++) {
    const byte = from[i] as number;
    if (IS_ESCAPED[byte] === 0) buffer[at++] = byte;
    else for (const each of ESCAPES[byte] as Buffer) buffer[at++] = each;
  }
  buffer[at++] = QUOTE;
  out.length = at;
}
