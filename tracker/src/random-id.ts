/** 22 random base62 characters (131 bits): Base64 without its two other characters. */
export const randomId = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(48))))
    .replace(/\W/g, '')
    .slice(0, 22);
