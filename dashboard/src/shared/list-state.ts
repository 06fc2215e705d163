/** What a list is narrowed to, as its address has it: texts by name. */
export type ListState<Name extends string = string> = { [each in Name]?: string };

/** Reads, of an address that anybody may have written, the texts of these names. */
export const readList =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): ListState<Name> =>
    narrowed(
      {},
      Object.fromEntries(
        names.map((name) => {
          const value = search[name];
          const isText = (typeof value === 'string' && value !== '') || typeof value === 'number';
          return [name, isText ? String(value) : undefined];
        }),
      ) as ListState<Name>,
    );

/** The rest of an address, without what is not narrowed any more. */
export function narrowed<State extends object>(state: State, part: Partial<State>): State {
  return Object.fromEntries(Object.entries({ ...state, ...part }).filter(([, value]) => value !== undefined)) as State;
}

const isDay = (value: string | undefined) => value !== undefined && !Number.isNaN(Date.parse(`${value}T00:00`));

/** The first and the last day of a list, in the reader's time zone, as the times that its route takes. */
export function timesOf({ from, to }: { from?: string; to?: string }): { from?: string; to?: string } {
  if (!isDay(from) || !isDay(to)) return {};
  const end = new Date(`${to}T00:00`);
  end.setDate(end.getDate() + 1);
  return { from: new Date(`${from}T00:00`).toISOString(), to: end.toISOString() };
}
