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

const isDay = (value: string | undefined) => value !== undefined && !Number.isNaN(Date.parse(`${value}T00:00`));

/** The range from the first to the last day in the browser's time zone; `to` is exclusive. */
export function timesOfDays({ from, to }: { from?: string; to?: string }): { from?: string; to?: string } {
  if (!isDay(from) || !isDay(to)) return {};
  const end = new Date(`${to}T00:00`);
  end.setDate(end.getDate() + 1);
  return { from: new Date(`${from}T00:00`).toISOString(), to: end.toISOString() };
}
