/** Whether a text has more characters, which limits count: code points, not UTF-16 units. They are only counted where that can matter. */
export function hasMoreCharacters(text: string, limit: number): boolean {
  if (text.length <= limit || text.length > 2 * limit) return text.length > limit;
  let count = 0;
  for (const _ of text) if (++count > limit) return true;
  return false;
}
