/** Downloads a text as a file. A CSV starts with a byte order mark, by which Excel recognizes UTF-8. */
export function downloadText(name: string, type: string, text: string): void {
  const mark = type === 'text/csv' ? '\ufeff' : '';
  const url = URL.createObjectURL(new Blob([mark, text], { type: `${type};charset=utf-8` }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // The browser reads the URL after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
