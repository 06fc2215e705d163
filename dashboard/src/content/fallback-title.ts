/** What an entry without a title is called. */
export const fallbackTitle = (entryId: string) => `Untitled (${entryId.slice(-6)})`;
