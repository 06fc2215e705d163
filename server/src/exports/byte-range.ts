export interface ByteRange {
  start: number;
  /** The last byte that is in. */
  end: number;
}

/**
 * The part of `size` bytes that a Range header asks for. Undefined: the whole (no header, several ranges, or one that is
 * not understood, all of which RFC 9110 lets a server ignore). `unsatisfiable`: it lies behind the end.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  if (match[1] === '') {
    const length = Math.min(size, Number(match[2]));
    return length > 0 ? { start: size - length, end: size - 1 } : 'unsatisfiable';
  }
  const start = Number(match[1]);
  const end = match[2] === '' ? size - 1 : Math.min(size - 1, Number(match[2]));
  if (match[2] !== '' && Number(match[2]) < start) return undefined;
  return start < size ? { start, end } : 'unsatisfiable';
}
