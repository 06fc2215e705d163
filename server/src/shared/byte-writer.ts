import { ID_DIGITS, writeIdDigits } from './ids.ts';
import { TIME_BYTES, writeIsoTime } from './time.ts';

/** Puts together a response of bytes that are there already, and of values that are written without a text in between. */
export class ByteWriter {
  #bytes: Buffer;
  #at = 0;

  /** @param size about how many bytes are written */
  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(size);
  }

  get written(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  bytes(bytes: Uint8Array): void {
    const at = this.#advance(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** Some of the bytes of a buffer. */
  part(bytes: Buffer, start: number, size: number): void {
    const at = this.#advance(size);
    bytes.copy(this.#bytes, at, start, start + size);
  }

  ascii(text: string): void {
    const at = this.#advance(text.length);
    this.#bytes.write(text, at, 'latin1');
  }

  /** A whole number that is not negative. */
  integer(value: number): void {
    if (value > 9) this.ascii(String(value));
    else {
      // First, as it may replace the bytes.
      const at = this.#advance(1);
      this.#bytes[at] = ZERO + value;
    }
  }

  /** The digits of a public id. @param start where the 16 bytes of the UUID are */
  idDigits(uuid: Buffer, start: number): void {
    const at = this.#advance(ID_DIGITS);
    writeIdDigits(this.#bytes, at, uuid, start);
  }

  /** As `isoTime`. @param ms a whole number */
  time(ms: number): void {
    const at = this.#advance(TIME_BYTES);
    this.#at = writeIsoTime(this.#bytes, at, ms);
  }

  /** Makes room for bytes. @returns where they are to be written */
  #advance(size: number): number {
    const at = this.#at;
    this.#at += size;
    if (this.#at > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * this.#at);
      this.#bytes.copy(larger, 0, 0, at);
      this.#bytes = larger;
    }
    return at;
  }
}

const ZERO = 0x30;
