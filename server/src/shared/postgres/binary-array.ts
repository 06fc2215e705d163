/**
 * Arrays in PostgreSQL's binary format. The driver would write an array as text, with an expression for each element to
 * escape it, and the server would parse that text and every time and UUID in it: together most of the cost of a small row.
 */

interface ElementType {
  oid: number;
  /** Writes the element at `at` of `scratch`. Returns its size; -1 if only its text can be sent. */
  write(value: never): number;
}

/** A larger scratch is not kept after its use. */
const KEPT_SIZE = 1_048_576;
const START_SIZE = 65_536;
let scratch = Buffer.allocUnsafe(START_SIZE);
/** The end of what is written. */
let at = 0;

/** Makes room for `size` bytes. */
function reserve(size: number): void {
  if (at + size <= scratch.length) return;
  const larger = Buffer.allocUnsafe(2 * (at + size));
  scratch.copy(larger, 0, 0, at);
  scratch = larger;
}

/** The value of a hexadecimal digit by its character code; 255: none. */
const NIBBLES = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? 255 : value;
});
/** Where the hexadecimal digits of each byte of a UUID are. */
const UUID_BYTES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

function writeUuid(text: string): number {
  if (text.length !== 36) return -1;
  let all = 0;
  for (let i = 0; i < 16; i++) {
    const from = UUID_BYTES[i] ?? 0;
    const high = NIBBLES[text.charCodeAt(from)] ?? 255;
    const low = NIBBLES[text.charCodeAt(from + 1)] ?? 255;
    all |= high | low;
    scratch[at + i] = (high << 4) | low;
  }
  return all > 15 ? -1 : 16;
}

function writeText(text: string): number {
  if (typeof text !== 'string') return -1;
  reserve(3 * text.length);
  return scratch.write(text, at);
}

function writeBoolean(value: boolean): number {
  scratch[at] = value ? 1 : 0;
  return typeof value === 'boolean' ? 1 : -1;
}

function writeInteger(value: number): number {
  if (!Number.isInteger(value) || value !== (value | 0)) return -1;
  scratch.writeInt32BE(value, at);
  return 4;
}

function writeBigint(value: number | string): number {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) return -1;
    scratch.writeInt32BE(Math.floor(value / 0x1_0000_0000), at);
    scratch.writeUInt32BE(value >>> 0, at + 4);
    return 8;
  }
  if (!/^-?\d{1,18}$/.test(value)) return -1;
  scratch.writeBigInt64BE(BigInt(value), at);
  return 8;
}

function writeDouble(value: number): number {
  if (typeof value !== 'number') return -1;
  scratch.writeDoubleBE(value, at);
  return 8;
}

const YEAR_2000 = Date.UTC(2000);
/** As `Date.toISOString` writes the years 0 to 9999. */
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function writeTime(value: Date | string | number): number {
  if (typeof value === 'string' && !ISO_TIME.test(value)) return -1;
  const ms = typeof value === 'number' ? value : new Date(value).getTime();
  const micros = (ms - YEAR_2000) * 1000;
  return Number.isInteger(ms) ? writeBigint(Number.isSafeInteger(micros) ? micros : String(micros)) : -1;
}

function writeJsonb(text: string): number {
  scratch[at++] = 1;
  const size = writeText(text);
  at--;
  return size < 0 ? -1 : size + 1;
}

function writeBytes(bytes: Buffer): number {
  reserve(bytes.length);
  return bytes.copy(scratch, at);
}

const TYPES: Readonly<Record<string, ElementType>> = {
  uuid: { oid: 2950, write: writeUuid },
  text: { oid: 25, write: writeText },
  boolean: { oid: 16, write: writeBoolean },
  integer: { oid: 23, write: writeInteger },
  bigint: { oid: 20, write: writeBigint },
  'double precision': { oid: 701, write: writeDouble },
  timestamptz: { oid: 1184, write: writeTime },
  json: { oid: 114, write: writeText },
  jsonb: { oid: 3802, write: writeJsonb },
  bytea: { oid: 17, write: writeBytes },
};

/** Header, and what any element but a text takes. */
const HEADER_SIZE = 20;
const SMALL = 32;

/**
 * The array as a parameter in the binary format; undefined if the type or a value has to be sent as text, which the server
 * then checks.
 */
export function binaryArray(type: string, values: readonly unknown[]): Buffer | undefined {
  const element = TYPES[type];
  if (element === undefined) return undefined;
  at = 0;
  reserve(HEADER_SIZE + SMALL);
  scratch.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  scratch.writeInt32BE(0, 4);
  scratch.writeInt32BE(element.oid, 8);
  if (values.length === 0) return Buffer.from(scratch.subarray(0, 12));
  scratch.writeInt32BE(values.length, 12);
  scratch.writeInt32BE(1, 16);
  at = HEADER_SIZE;
  let previous: unknown;
  let [previousStart, previousSize] = [0, 0];
  for (const value of values) {
    reserve(SMALL + previousSize);
    if (value === null) {
      scratch[7] = 1;
      scratch.fill(255, at, at + 4);
      at += 4;
      continue;
    }
    // Rows often share an account or a time.
    if (value === previous) {
      scratch.copyWithin(at, previousStart, previousStart + previousSize);
      at += previousSize;
      continue;
    }
    const start = at;
    at += 4;
    const size = element.write(value as never);
    if (size < 0) return undefined;
    scratch.writeInt32BE(size, start);
    at += size;
    previous = value;
    [previousStart, previousSize] = [start, size + 4];
  }
  const bytes = Buffer.from(scratch.subarray(0, at));
  if (scratch.length > KEPT_SIZE) scratch = Buffer.allocUnsafe(START_SIZE);
  return bytes;
}
