/** How deep a JSON value is nested, itself being the first level, and its size. Stops where a limit is passed. */
export function measureJson(value: unknown, maxDepth: number, maxBytes: number): { depth: number; bytes: number } {
  const size = { depth: 0, bytes: 0 };
  const visit = (each: unknown, depth: number) => {
    size.depth = Math.max(size.depth, depth);
    if (typeof each !== 'object' || each === null || JSON.isRawJSON(each)) {
      size.bytes += Buffer.byteLength(JSON.stringify(each) ?? '');
      return;
    }
    size.bytes += 2;
    for (const [name, member] of Object.entries(each)) {
      if (depth >= maxDepth && typeof member === 'object' && member !== null) size.depth = maxDepth + 1;
      if (size.depth > maxDepth || size.bytes > maxBytes) return;
      size.bytes += Array.isArray(each) ? 1 : Buffer.byteLength(name) + 4;
      visit(member, depth + 1);
    }
  };
  visit(value, 1);
  return size;
}
