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
  | 'inv'
  | 'aud'
  | 'whk'
  | 'msg'
  | 'imp'
  | 'dst';

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

/**
 * A new UUIDv7 whose leading 48 bits are `ms`. Ids of one process never go back: within a millisecond the 12 bits
 * after the version count up from a random start.
 */
export function newUuid(ms: number = Date.now()): string {
  if (poolAt === pool.length) {
    randomFillSync(pool);
    poolAt = 0;
  }
  const at = poolAt;
  poolAt += 8;
  if (ms > lastMs) {
    lastMs = ms;
    counter = pool.readUInt16BE(at) & 0x7ff;
  } else if (++counter > 0xfff) {
    lastMs += 1;
    counter = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  let tail = HEX[0x80 | ((pool[at] ?? 0) & 0x3f)] ?? '';
  for (let i = 1; i < 8; i++) tail += HEX[pool[at + i] ?? 0];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

/** No id that was made at `ms` or later comes before it, and none that was made earlier after it. */
export function firstUuidAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** The time in the id, in milliseconds since 1970: what `createdAt` of the thing is. */
export function uuidTime(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

/** The public form of a UUID: `ent_01jd…`. */
export function publicId(kind: IdKind, uuid: string): string {
  const hex = uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24);
  // 130 bits: two leading zeros, then the 128 of the UUID. Two digits of hex make the first pair, five the next two.
  let out = `${kind}_${PAIRS[Number.parseInt(hex.slice(0, 2), 16)]}`;
  for (let i = 2; i < 32; i += 5) {
    const bits = Number.parseInt(hex.slice(i, i + 5), 16);
    out += (PAIRS[bits >> 10] ?? '') + PAIRS[bits & 1023];
  }
  return out;
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
