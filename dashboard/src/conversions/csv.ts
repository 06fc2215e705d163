/** The rows of a CSV text, with the separator that its first line uses (comma, semicolon or tab). Empty lines are left out. */
export function readCsv(text: string): string[][] {
  const clean = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(clean);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = () => {
    row.push(cell);
    if (row.some((each) => each !== '')) rows.push(row);
    row = [];
    cell = '';
  };
  for (let i = 0; i < clean.length; i++) {
    const char = clean[i] ?? '';
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (clean[i + 1] === '"') {
        cell += '"';
        i++;
      } else isQuoted = false;
    } else if (char === '"' && cell === '') isQuoted = true;
    else if (char === separator) {
      row.push(cell);
      cell = '';
    } else if (char === '\n') endRow();
    else if (char !== '\r') cell += char;
  }
  endRow();
  return rows;
}

function separatorOf(text: string): string {
  const firstLine = text.slice(0, text.search(/\r?\n|$/));
  const count = (separator: string) => firstLine.split(separator).length;
  return [',', ';', '\t'].reduce((most, each) => (count(each) > count(most) ? each : most));
}

/** Rows as CSV; a cell that a spreadsheet would take for a formula is kept from being one. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  const written = (cell: string) => {
    const safe = /^[=+\-@\t\r]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return `${rows.map((row) => row.map(written).join(',')).join('\r\n')}\r\n`;
}
