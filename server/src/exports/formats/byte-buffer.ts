/** A growing buffer. Encoders access `buffer` up to `length` directly, for speed. */
export class ByteBuffer {
  buffer: Buffer;
  length = 0;

  constructor(capacity: number) {
    this.buffer = Buffer.allocUnsafeSlow(capacity);
  }

  /** Makes room for `more` bytes after `length`. */
  ensure(more: number): void {
    const needed = this.length + more;
    if (needed <= this.buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.buffer.length * 2));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }

  /** The content, valid until the next change. */
  view(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  putByte(byte: number): void {
    this.ensure(1);
    this.buffer[this.length++] = byte;
  }

  put(from: Buffer, start = 0, end = from.length): void {
    const count = end - start;
    this.ensure(count);
    const { buffer } = this;
    let at = this.length;
    // Calling the native copy costs as much as copying about 32 bytes here.
    if (count > 32) from.copy(buffer, at, start, end);
    else for (let i = start; i < end; i++) buffer[at++] = from[i] as number;
    this.length += count;
  }
}
