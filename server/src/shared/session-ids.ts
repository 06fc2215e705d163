import { hkdfSync } from 'node:crypto';

/**
 * Converts between a session's number, which counts up over all accounts, and its public id, from which neither the number
 * nor any other id can be guessed.
 */
export interface SessionIds {
  /** Makes the same ids in another thread. */
  readonly key: Uint8Array;
  idOf(number: number): number;
  /** @param id a safe integer that is not negative */
  numberOf(id: number): number;
}

// A Feistel network is a bijection whatever its round function is, so no two sessions share an id and nothing is stored. The
// halves have 26 and 27 bits: together every safe integer. 0.1 µs for a conversion.
const ROUNDS = 10;
const HIGH = 2 ** 26 - 1;
const LOW = 2 ** 27 - 1;

/** The key that belongs to a secret. The database stores it, so that it outlives the secret. */
export const sessionKeyOf = (secret: Uint8Array): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'session-ids', ROUNDS * 8));

export const sessionIds = (secret: Uint8Array): SessionIds => sessionIdsOf(sessionKeyOf(secret));

/** The key must never change: every id that was given out depends on it. */
export function sessionIdsOf(key: Uint8Array): SessionIds {
  const keys = new Int32Array(Uint8Array.from(key).buffer);
  const round = (half: number, i: number) => mix(half, keys[2 * i] as number, keys[2 * i + 1] as number);
  return {
    key,
    idOf(number) {
      let high = Math.floor(number / (LOW + 1));
      let low = number & LOW;
      for (let i = 0; i < ROUNDS; i += 2) {
        high ^= round(low, i) & HIGH;
        low ^= round(high, i + 1) & LOW;
      }
      return high * (LOW + 1) + low;
    },
    numberOf(id) {
      let high = Math.floor(id / (LOW + 1));
      let low = id & LOW;
      for (let i = ROUNDS - 2; i >= 0; i -= 2) {
        low ^= round(high, i + 1) & LOW;
        high ^= round(low, i) & HIGH;
      }
      return high * (LOW + 1) + low;
    },
  };
}

/** HalfSipHash-2-4 of one word, without the block that contains the length: every input has the same. */
function mix(word: number, key0: number, key1: number): number {
  let v0 = key0;
  let v1 = key1;
  let v2 = key0 ^ 0x6c796765;
  let v3 = key1 ^ 0x74656462 ^ word;
  for (let i = 0; i < 6; i++) {
    if (i === 2) {
      v0 ^= word;
      v2 ^= 0xff;
    }
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
  }
  return v1 ^ v3;
}
