/**
 * The first 12 Crockford base32 characters of the SHA-256 of a session hash, whose 22 characters are one block.
 * `crypto.subtle` is asynchronous and missing on pages without TLS. Text of another length results in a checksum only.
 */
export function shortHashOf(text: string): string {
  const words = new Int32Array(64);
  const rotate = (x: number, by: number) => (x >>> by) | (x << (32 - by));
  const mix = (x: number, one: number, two: number, other: number) => rotate(x, one) ^ rotate(x, two) ^ other;
  for (let i = 0; i < text.length; i++) words[(i >> 2) & 15] ^= text.charCodeAt(i) << (~i * 8);
  words[5] ^= 1 << 15;
  words[15] ^= 22 * 8;
  const start = [2, 3, 5, 7, 11, 13, 17, 19].map((prime) => (prime ** 0.5 * 2 ** 32) | 0);
  let [a, b, c, d, e, f, g, h] = start;
  for (let i = 0, n = 2; i < 64; n++) {
    let divisor = 2;
    while (n % divisor) divisor++;
    if (divisor === n) {
      if (i > 15) {
        words[i] =
          words[i - 16] +
          words[i - 7] +
          mix(words[i - 15], 7, 18, words[i - 15] >>> 3) +
          mix(words[i - 2], 17, 19, words[i - 2] >>> 10);
      }
      const sum = h + mix(e, 6, 11, rotate(e, 25)) + (g ^ (e & (f ^ g))) + ((n ** (1 / 3) * 2 ** 32) | 0) + words[i++];
      [a, b, c, d, e, f, g, h] = [
        (sum + mix(a, 2, 13, rotate(a, 22)) + ((a & b) ^ (c & (a ^ b)))) | 0,
        a,
        b,
        c,
        (d + sum) | 0,
        e,
        f,
        g,
      ];
    }
  }
  a += start[0];
  b += start[1];
  let short = '';
  while (short.length < 12) {
    short += '0123456789ABCDEFGHJKMNPQRSTVWXYZ'[a >>> 27];
    a = (a << 5) | (b >>> 27);
    b <<= 5;
  }
  return short;
}
