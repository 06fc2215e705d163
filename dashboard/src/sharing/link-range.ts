import { addDays, isDay, isRange } from '../shared/days.ts';
import { wallTimeOf } from '../shared/wall-time.ts';

interface Range {
  from: string;
  to: string;
}

/** The period of a shared link, whose end is excluded, as in the state of the overview. Instants become local times. */
export function rangeOfLink({ from, to }: Range): Range {
  if (isDay(from) && isDay(to)) return { from, to: addDays(to, -1) };
  const local = (time: string) => (isDay(time) ? `${time}T00:00` : wallTimeOf(time).slice(0, 16).replace(' ', 'T'));
  const range = { from, to };
  return isRange(range) ? range : { from: local(from), to: local(to) };
}
