import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type KeyKind = 'secret' | 'publishable' | 'postback';

const PREFIX: Record<KeyKind, string> = { secret: 'hw_sk_', publishable: 'hw_pk_', postback: 'hw_pb_' };
const KIND = new Map(Object.entries(PREFIX).map(([kind, prefix]) => [prefix, kind as KeyKind]));
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY = /^(hw_(?:sk|pk|pb)_)([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** A new key: its kind's prefix, 32 random base62 characters (190 bits) and their checksum. */
export function makeKey(kind: KeyKind): string {
  let secret = '';
  for (let i = 0; i < 32; i++) secret += BASE62[randomInt(62)];
  return PREFIX[kind] + secret + checksum(PREFIX[kind] + secret);
}

/** The kind of a key that is well formed and not mistyped; undefined for any other text. No database is asked. */
export function kindOfKey(key: string): KeyKind | undefined {
  const [, prefix = '', secret = '', sum] = KEY.exec(key) ?? [];
  return sum !== undefined && checksum(prefix + secret) === sum ? KIND.get(prefix) : undefined;
}

/** What of a key is stored: its SHA-256. A key has more entropy than can be searched, so no slow hash is needed. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function checksum(text: string): string {
  let rest = crc32(text);
  let out = '';
  for (let i = 0; i < 6; i++) {
    out = BASE62[rest % 62] + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}
