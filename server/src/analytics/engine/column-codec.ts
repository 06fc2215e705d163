/**
 * Columns of 32-bit numbers in as few bytes as their values take. Most columns of a segment have values close together (times)
 * or few different ones (texts), so that a value takes one or two bytes, or none if all are equal.
 *
 * A column starts with the width of its numbers in bytes (plus 8 with a list of values), their count, the smallest value, and
 * the length of that list. Each number is a difference to the smallest value or an index in the list. Values that each exceed
 * the one before by 1 have the width 16 and no numbers.
 */
const HEADER_SIZE = 13;
const WITH_LIST = 8;
const SEQUENCE = 16;

/** Longer lists of values are not worth their bytes. */
const MAX_LIST = 1_024;

export function encodeColumn(values: Int32Array): Uint8Array {
  let [min, max] = values.length === 0 ? [0, 0] : [2 ** 31, -(2 ** 31)];
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (values.length > 1 && values.every((value, i) => value === min + i)) return write(SEQUENCE, min, [], values);
  const width = widthOf(max - min);
  const list = width > 1 ? listOf(values, width) : undefined;
  const numbers = list ? values.map((value) => list.get(value) ?? 0) : values.map((value) => value - min);
  return write(list ? widthOf(list.size - 1) : width, min, [...(list?.keys() ?? [])], numbers);
}

/** The bytes that a number from 0 to `max` takes. */
function widthOf(max: number): number {
  return max === 0 ? 0 : max < 2 ** 8 ? 1 : max < 2 ** 16 ? 2 : max < 2 ** 24 ? 3 : 4;
}

/** The different values with their indexes, if it takes fewer bytes to write them once. */
function listOf(values: Int32Array, width: number): Map<number, number> | undefined {
  const list = new Map<number, number>();
  for (const value of values) {
    if (!list.has(value) && list.set(value, list.size).size > MAX_LIST) return undefined;
  }
  return list.size * 4 + widthOf(list.size - 1) * values.length < width * values.length ? list : undefined;
}

function write(width: number, min: number, list: number[], numbers: Int32Array): Uint8Array {
  const size = width === SEQUENCE ? 0 : width;
  const bytes = Buffer.alloc(HEADER_SIZE + list.length * 4 + size * numbers.length);
  bytes[0] = list.length > 0 ? width + WITH_LIST : width;
  bytes.writeUInt32LE(numbers.length, 1);
  bytes.writeInt32LE(min, 5);
  bytes.writeUInt32LE(list.length, 9);
  let at = HEADER_SIZE;
  for (const value of list) at = bytes.writeInt32LE(value, at);
  for (const number of numbers) {
    for (let i = 0; i < size; i++) bytes[at++] = number >>> (8 * i);
  }
  return bytes;
}

const readUint32 = (bytes: Uint8Array, at: number) => readInt32(bytes, at) >>> 0;

function readInt32(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
}

/** The number of values of the column at a position. */
export function lengthOfColumn(bytes: Uint8Array, at: number): number {
  return readUint32(bytes, at + 1);
}

/** Where the column at a position ends. */
export function endOfColumn(bytes: Uint8Array, at: number): number {
  const width = (bytes[at] ?? 0) & 7;
  return at + HEADER_SIZE + readUint32(bytes, at + 9) * 4 + width * lengthOfColumn(bytes, at);
}

/** Decodes the column at a position into the start of `values`, which must be long enough. */
export function decodeColumn(bytes: Uint8Array, at: number, values: Int32Array): void {
  const kind = bytes[at] ?? 0;
  const count = lengthOfColumn(bytes, at);
  const listSize = readUint32(bytes, at + 9);
  const from = at + HEADER_SIZE + listSize * 4;
  const min = kind < WITH_LIST ? readInt32(bytes, at + 5) : 0;
  if (kind === SEQUENCE) {
    for (let i = 0; i < count; i++) values[i] = readInt32(bytes, at + 5) + i;
    return;
  }
  decodeNumbers(bytes, from, kind & 7, min, count, values);
  if (kind < WITH_LIST) return;
  const list = new Int32Array(listSize);
  for (let i = 0; i < listSize; i++) list[i] = readInt32(bytes, at + HEADER_SIZE + i * 4);
  for (let i = 0; i < count; i++) values[i] = list[values[i] ?? 0] ?? 0;
}

/** Tables of codes are made of columns with at most this many, which fit into the processor's cache. */
export const MAX_CODES = 1_024;

/**
 * Reads single numbers of an encoded column: where few of them are needed, that takes a fraction of decoding it. A number is stored as
 * a code, which stands for the same value in the whole column.
 */
export class ColumnReader {
  #bytes: Uint8Array = new Uint8Array();
  #from = 0;
  #list = 0;
  #width = 0;
  #min = 0;
  /** How many codes there are at most, if these are few enough to prepare something for each of them. */
  codes: number | undefined;

  /** Reads the column at a position from now on. */
  show(bytes: Uint8Array, at: number): void {
    const kind = bytes[at] ?? 0;
    const listSize = readUint32(bytes, at + 9);
    this.#bytes = bytes;
    this.#list = kind < WITH_LIST || kind === SEQUENCE ? -1 : at + HEADER_SIZE;
    this.#from = at + HEADER_SIZE + listSize * 4;
    this.#width = kind === SEQUENCE ? SEQUENCE : kind & 7;
    this.#min = readInt32(bytes, at + 5);
    const codes = this.#list >= 0 ? listSize : kind === SEQUENCE ? lengthOfColumn(bytes, at) : 256 ** this.#width;
    this.codes = codes <= MAX_CODES ? codes : undefined;
  }

  codeAt(i: number): number {
    const bytes = this.#bytes;
    if (this.#width === 1) return bytes[this.#from + i] ?? 0;
    if (this.#width === 0) return 0;
    if (this.#width === SEQUENCE) return i;
    const at = this.#from + i * this.#width;
    const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
    if (this.#width === 2) return low;
    return low | ((bytes[at + 2] ?? 0) << 16) | (this.#width === 4 ? (bytes[at + 3] ?? 0) << 24 : 0);
  }

  valueOf(code: number): number {
    return this.#list < 0 ? (this.#min + code) | 0 : readInt32(this.#bytes, this.#list + code * 4);
  }

  valueAt(i: number): number {
    return this.valueOf(this.codeAt(i));
  }
}

/** One loop for each width: this is where reports spend much of their time. */
function decodeNumbers(
  bytes: Uint8Array,
  from: number,
  width: number,
  min: number,
  count: number,
  values: Int32Array,
): void {
  let at = from;
  if (width === 0) values.fill(min, 0, count);
  else if (width === 1) for (let i = 0; i < count; i++) values[i] = min + (bytes[at + i] ?? 0);
  else if (width === 2) {
    for (let i = 0; i < count; i++, at += 2) values[i] = min + ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8));
  } else if (width === 3) {
    for (let i = 0; i < count; i++, at += 3) {
      values[i] = min + ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16));
    }
  } else for (let i = 0; i < count; i++, at += 4) values[i] = min + readInt32(bytes, at);
}
