/** The search and filters of a list, as in the URL. */
export type ListState<Name extends string = string> = { [each in Name]?: string };

/** Reads the named search parameters, which may come from anywhere. */
export const readListState =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): ListState<Name> =>
    mergeSearch(
      {},
      Object.fromEntries(
        names.map((name) => {
          const value = search[name];
          const isText = (typeof value === 'string' && value !== '') || typeof value === 'number';
          return [name, isText ? String(value) : undefined];
        }),
      ) as ListState<Name>,
    );

/** Changes search parameters; undefined removes one. */
export function mergeSearch<State extends object>(state: State, part: Partial<State>): State {
  return Object.fromEntries(Object.entries({ ...state, ...part }).filter(([, value]) => value !== undefined)) as State;
}
