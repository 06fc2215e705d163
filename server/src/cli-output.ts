/** Formats a result as `name: value` lines, with one block for each item of a list. */
export function readable(result: unknown, indent = ''): string {
  return Object.entries(result as Record<string, unknown>)
    .map(([name, value]) => {
      if (Array.isArray(value)) {
        if (value.some((each) => typeof each !== 'object')) return `${indent}${name}: ${value.join(', ')}`;
        return value.length === 0 ? `${indent}no ${name}` : value.map((each) => readable(each, indent)).join('\n\n');
      }
      if (value !== null && typeof value === 'object') return `${indent}${name}:\n${readable(value, `${indent}  `)}`;
      return `${indent}${name}: ${value ?? '-'}`;
    })
    .join('\n');
}

/** Updates one line of the terminal; prints nothing if the output is not a terminal. */
export function progressBar(): (done: number, total: number, bytes: number) => void {
  let shown = 0;
  return (done, total, bytes) => {
    if (!process.stderr.isTTY || (Date.now() - shown < 100 && done < total)) return;
    shown = Date.now();
    const filled = Math.round((done / total) * 30);
    const bar = `${'#'.repeat(filled)}${'.'.repeat(30 - filled)}`;
    process.stderr.write(`\r[${bar}] ${done} of ${total} files, ${(bytes / 1e6).toFixed(1)} MB copied`);
    if (done >= total) process.stderr.write('\n');
  };
}
