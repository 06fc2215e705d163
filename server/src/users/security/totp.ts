import { createHmac, timingSafeEqual } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const DIGITS = 6;

/** How long a code of an authenticator app is valid. */
export const STEP_MS = 30_000;

/** Base32 without padding (RFC 4648), which authenticator apps take. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

export function fromBase32(text: string): Buffer {
  const bits = [...text].map((character) => ALPHABET.indexOf(character).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code of a time step: HOTP (RFC 4226) with SHA-1, as TOTP (RFC 6238) uses it. */
export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 0xf) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step of a code that is valid now: the clock of a phone may be half a minute off. Undefined for any other text. */
export function stepOf(secret: Buffer, code: string, now: number): number | undefined {
  const current = Math.floor(now / STEP_MS);
  const sent = Buffer.from(code);
  return [current, current - 1, current + 1].find((step) => {
    const expected = Buffer.from(codeOf(secret, step));
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
}

/** What an authenticator app reads from a QR code. */
export function otpauthUrl(secret: Buffer, issuer: string, user: string): string {
  const query = new URLSearchParams({ secret: toBase32(secret), issuer });
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(user)}?${query}`;
}
