export interface ByteRange {
  start: number;
  /** Inclusive. */
  end: number;
}

/**
 * Parses a `Range` header against a file of `size` bytes. Returns undefined if the whole file should be sent: no header,
 * several ranges, or a malformed one, which RFC 9110 tells servers to ignore. Returns `unsatisfiable` for a range past the end.
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=\s*(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))\s*$/i.exec(header ?? '');
  if (!match) return undefined;
  const [, first, last, suffix] = match;
  if (suffix !== undefined) {
    const length = Math.min(size, Number(suffix));
    return length > 0 ? { start: size - length, end: size - 1 } : 'unsatisfiable';
  }
  const start = Number(first);
  if (last && Number(last) < start) return undefined;
  return start < size ? { start, end: last ? Math.min(Number(last), size - 1) : size - 1 } : 'unsatisfiable';
}
