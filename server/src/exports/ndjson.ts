import { Bytes } from './bytes.ts';
import type { Column } from './datasets.ts';
import { BLOCK, type Encoder, type Row, type Write } from './encoder.ts';
import { ValueWriter } from './values.ts';

const QUOTE = 0x22;
const NULL = Buffer.from('null');
const END = Buffer.from('}\n');

/** A JSON object a line, its members always all there. What is JSON in the database is JSON here. */
export class NdjsonEncoder implements Encoder {
  readonly #kinds: Column['kind'][];
  readonly #names: Buffer[];
  readonly #values: ValueWriter[];
  readonly #write: Write;
  readonly #out = new Bytes(2 * BLOCK);

  constructor(columns: Column[], write: Write) {
    this.#kinds = columns.map((column) => column.kind);
    this.#names = columns.map(({ name }, i) => Buffer.from(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    this.#values = columns.map((column) => new ValueWriter(column));
    this.#write = write;
  }

  add({ bytes, starts, lengths }: Row): void {
    const out = this.#out;
    for (let i = 0; i < this.#kinds.length; i++) {
      out.put(this.#names[i] as Buffer);
      const kind = this.#kinds[i];
      const start = starts[i] as number;
      const length = lengths[i] as number;
      if (length < 0) out.put(NULL);
      else if (kind === 'text') putString(out, bytes, start, start + length);
      // jsonb begins with a byte for its version. Its text is one line: a line break inside a string is escaped.
      else if (kind === 'json') out.put(bytes, start + 1, start + length);
      else if (kind === 'integer' || kind === 'boolean') this.#values[i]?.put(out, bytes, start, length);
      else {
        out.putByte(QUOTE);
        this.#values[i]?.put(out, bytes, start, length);
        out.putByte(QUOTE);
      }
    }
    out.put(END);
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

/** What stands for each byte that may not stand for itself in a JSON string. */
const ESCAPES = Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === QUOTE || byte === 0x5c
    ? Buffer.from(JSON.stringify(String.fromCharCode(byte)).slice(1, -1))
    : undefined,
);
const IS_ESCAPED = Uint8Array.from(ESCAPES, (each) => (each ? 1 : 0));

function putString(out: Bytes, from: Buffer, start: number, end: number): void {
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
