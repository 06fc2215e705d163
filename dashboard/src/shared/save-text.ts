/** Hands a text to the reader as a file. */
export function saveText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // After the browser has taken it up.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
