/** The encoding of an XML document by its first bytes, as a label of `TextDecoder`. */
export function xmlEncoding(head: Buffer): string {
  const start = head.toString('hex', 0, 2);
  if (start === 'fffe' || start === '3c00') return 'utf-16le';
  if (start === 'feff' || start === '003c') return 'utf-16be';
  const declared = /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head.toString('latin1', 0, 200))?.[1];
  // What is read here as single bytes is not in UTF-16, whatever it says.
  if (declared === undefined || /^(?:utf|ucs)-?(?:16|2|32|4)/i.test(declared)) return 'utf-8';
  try {
    return new TextDecoder(declared).encoding;
  } catch {
    return 'utf-8';
  }
}
