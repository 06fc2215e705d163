/** What the conversions are narrowed to, as the address has it. */
export interface ConversionsState {
  list?: 'unmatched';
  q?: string;
}

/** Reads an address that anybody may have written. */
export function readConversionsState({ list, q }: Record<string, unknown>): ConversionsState {
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : '';
  return { ...(list === 'unmatched' && { list }), ...(text !== '' && { q: text }) };
}
