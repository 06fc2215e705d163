/** 22 random base62 characters (131 bits): base64 without its two others. */
export const randomId = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(48))))
    .replace(/\W/g, '')
    .slice(0, 22);
