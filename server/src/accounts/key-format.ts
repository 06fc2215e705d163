import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type KeyType = 'secret' | 'publishable' | 'postback';

const PREFIX: Record<KeyType, string> = { secret: 'hw_sk_', publishable: 'hw_pk_', postback: 'hw_pb_' };
const TYPE_BY_PREFIX = new Map(Object.entries(PREFIX).map(([type, prefix]) => [prefix, type as KeyType]));
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY = /^(hw_(?:sk|pk|pb)_)([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** A new key: the prefix of its type, 32 random base62 characters (190 bits) and their checksum. */
export function createKeyText(type: KeyType): string {
  let secret = '';
  for (let i = 0; i < 32; i++) secret += BASE62[randomInt(62)];
  return PREFIX[type] + secret + checksum(PREFIX[type] + secret);
}

/** The type of a well-formed key whose checksum is right; undefined for any other text. */
export function typeOfKey(key: string): KeyType | undefined {
  const [, prefix = '', secret = '', sum] = KEY.exec(key) ?? [];
  return sum !== undefined && checksum(prefix + secret) === sum ? TYPE_BY_PREFIX.get(prefix) : undefined;
}

/** What is stored of a key. A fast hash suffices: 190 random bits cannot be searched. */
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
