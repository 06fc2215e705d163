/** What a list is narrowed to, as its address has it. */
export interface ListState {
  q?: string;
  source?: string;
  platform?: string;
}

/** Reads an address that anybody may have written. */
export function readListState(search: Record<string, unknown>): ListState {
  const { q, source, platform } = search;
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
  return {
    ...(text(q) !== '' && { q: text(q) }),
    ...(text(source) !== '' && { source: text(source) }),
    ...(text(platform) !== '' && { platform: text(platform) }),
  };
}

/** The rest of an address, without what is not narrowed any more. */
export function narrowed<State extends object>(state: State, part: Partial<State>): State {
  return Object.fromEntries(Object.entries({ ...state, ...part }).filter(([, value]) => value !== undefined)) as State;
}
