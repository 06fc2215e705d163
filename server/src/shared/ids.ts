import { randomFillSync } from 'node:crypto';

/**
 * Ids are UUIDv7 in the database (16 bytes, time first, so that the primary key is also the order of creation)
 * and `<kind>_<26 Crockford base32 characters>` outside. Both forms sort alike.
 */
export type IdKind =
  | 'acc'
  | 'key'
  | 'col'
  | 'fld'
  | 'ent'
  | 'ast'
  | 'vis'
  | 'evt'
  | 'led'
  | 'cnv'
  | 'job'
  | 'req'
  | 'usr'
  | 'uss'
  | 'pky'
  | 'inv'
  | 'aud'
  | 'whk'
  | 'msg'
  | 'imp'
  | 'viw'
  | 'shr'
  | 'ann'
  | 'rej'
  | 'dst'
  | 'cst'
  | 'rel'
  | 'cmt'
  | 'cmp'
  | 'row'
  | 'fol'
  | 'und'
  | 'exp'
  | 'rol'
  | 'phk'
  | 'rec'
  | 'alr'
  | 'inc'
  | 'pln'
  | 'arr'
  | 'whs';

/** Bounds of all ids, for walks and pages. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** Two digits for each ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => (ALPHABET[bits >> 5] ?? '') + ALPHABET[bits & 31]);
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

// Random bytes are drawn in blocks: one call of the system for 512 ids.
const pool = Buffer.alloc(512 * 8);
let poolAt = pool.length;
let lastMs = 0;
let counter = 0;
/** `lastMs` in the notation of UUIDs. */
let uuidHead = '';
/** The first ten digits of public ids of `lastMs`. */
let publicHead = '';

/** Draws the parts of a new id: `lastMs`, `counter`, and 8 bytes of `pool` at the returned position. */
function draw(ms: number): number {
  if (poolAt === pool.length) {
    randomFillSync(pool);
    poolAt = 0;
  }
  const at = poolAt;
  poolAt += 8;
  if (ms > lastMs) {
    startMs(ms);
    counter = pool.readUInt16BE(at) & 0x7ff;
  } else if (++counter > 0xfff) {
    startMs(lastMs + 1);
    counter = 0;
  }
  return at;
}

function startMs(ms: number): void {
  lastMs = ms;
  const time = ms.toString(16).padStart(12, '0');
  uuidHead = `${time.slice(0, 8)}-${time.slice(8)}-7`;
  publicHead = publicId('req', `${uuidHead}000-8000-000000000000`).slice(4, 14);
}

/** Lets ids go back: for a test that comes after one that moved its clock. */
export function restartIds(): void {
  lastMs = 0;
}

/**
 * A new UUIDv7 whose leading 48 bits are `ms`. Ids of one process never go back: within a millisecond the 12 bits
 * after the version count up from a random start.
 */
export function newUuid(ms: number = Date.now()): string {
  const at = draw(ms);
  const head = HEX[0x80 | ((pool[at] ?? 0) & 0x3f)] ?? '';
  let tail = '';
  for (let i = 2; i < 8; i++) tail += HEX[pool[at + i] ?? 0];
  return `${uuidHead}${(0x1000 | counter).toString(16).slice(1)}-${head}${HEX[pool[at + 1] ?? 0]}-${tail}`;
}

/** The public form of a new UUID that is stored nowhere, such as the id of a request. */
export function newPublicId(kind: IdKind, ms: number = Date.now()): string {
  const at = draw(ms);
  // The version, the 12 bits of the counter, the variant and 62 random bits, ten bits at a time.
  let out = `${kind}_${publicHead}${PAIRS[0x1c0 | (counter >> 6)]}${PAIRS[((counter & 0x3f) << 4) | 0x8 | ((pool[at] ?? 0) & 3)]}`;
  let bits = pool[at + 1] ?? 0;
  let held = 8;
  for (let i = 2; i < 8; i++) {
    bits = (bits << 8) | (pool[at + i] ?? 0);
    held += 8;
    if (held < 10) continue;
    held -= 10;
    out += PAIRS[bits >> held];
    bits &= (1 << held) - 1;
  }
  return out + PAIRS[(bits << 4) | (((pool[at] ?? 0) >> 2) & 15)];
}

/** No id that was made at `ms` or later comes before it, and none that was made earlier after it. */
export function firstUuidAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** A UUID as text, or the 16 bytes of one that is only passed on. */
export type AnyUuid = string | Buffer;

/** The time in the id, in milliseconds since 1970: what `createdAt` of the thing is. */
export function uuidTime(uuid: AnyUuid): number {
  if (typeof uuid !== 'string') return uuid.readUIntBE(0, 6);
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

const DASH = 0x2d;
/** Where the digits of a UUID end that make the first pair, and each next two. */
const PAIR_ENDS = [2, 7, 13, 20, 26, 31, 36];
/** The value of a hexadecimal digit by its character code. */
const NIBBLES = Uint8Array.from({ length: 128 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16) || 0);

/** The public form of a UUID: `ent_01jd…`. */
export function publicId(kind: IdKind, uuid: AnyUuid): string {
  if (typeof uuid !== 'string') return `${kind}_${digitsOf(uuid)}`;
  // 130 bits: two leading zeros, then the 128 of the UUID. Two digits of hex make the first pair, five the next two.
  let out = `${kind}_`;
  let bits = 0;
  let i = 0;
  for (const end of PAIR_ENDS) {
    for (; i < end; i++) {
      const code = uuid.charCodeAt(i);
      if (code !== DASH) bits = (bits << 4) | (NIBBLES[code] ?? 0);
    }
    out += i === 2 ? PAIRS[bits] : (PAIRS[bits >> 10] ?? '') + PAIRS[bits & 1023];
    bits = 0;
  }
  return out;
}

/** The first byte makes a pair of digits, and each next five make four. */
function digitsOf(uuid: Buffer): string {
  let out = PAIRS[uuid[0] ?? 0] ?? '';
  for (let at = 1; at < 16; at += 5) {
    const bits = uuid.readUInt32BE(at);
    const last = ((bits & 3) << 8) | (uuid[at + 4] ?? 0);
    out += `${PAIRS[bits >>> 22]}${PAIRS[(bits >>> 12) & 1023]}${PAIRS[(bits >>> 2) & 1023]}${PAIRS[last]}`;
  }
  return out;
}

const CODES = Buffer.from(ALPHABET);

/** How many digits a public id has after its kind. */
export const ID_DIGITS = 26;

/** Writes the digits of a public id. @param start where the 16 bytes of the UUID are */
export function writeIdDigits(target: Buffer, at: number, uuid: Buffer, start: number): void {
  const first = uuid[start] as number;
  target[at] = CODES[first >> 5] as number;
  target[at + 1] = CODES[first & 31] as number;
  let to = at + 2;
  for (let from = start + 1; from < start + 16; from += 5) {
    const bits = uuid.readUInt32BE(from);
    const last = uuid[from + 4] as number;
    target[to++] = CODES[bits >>> 27] as number;
    target[to++] = CODES[(bits >>> 22) & 31] as number;
    target[to++] = CODES[(bits >>> 17) & 31] as number;
    target[to++] = CODES[(bits >>> 12) & 31] as number;
    target[to++] = CODES[(bits >>> 7) & 31] as number;
    target[to++] = CODES[(bits >>> 2) & 31] as number;
    target[to++] = CODES[((bits & 3) << 3) | (last >> 5)] as number;
    target[to++] = CODES[last & 31] as number;
  }
}

/** The UUID behind a public id, or undefined where it is not one of that kind. */
export function parseId(kind: IdKind, id: string): string | undefined {
  const start = kind.length + 1;
  if (id.length !== start + 26 || id[kind.length] !== '_' || !id.startsWith(kind)) return undefined;
  let hex = '';
  let bits = 0;
  let held = -2;
  for (let i = start; i < id.length; i++) {
    const digit = ALPHABET.indexOf(id[i] ?? '');
    if (digit < 0 || (i === start && digit > 7)) return undefined;
    bits = (bits << 5) | digit;
    held += 5;
    while (held >= 4) {
      held -= 4;
      hex += ((bits >> held) & 15).toString(16);
      bits &= (1 << held) - 1;
    }
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
