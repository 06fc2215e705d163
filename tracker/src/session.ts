import { IDLE_MS, MAX_LENGTH_MS } from '../../server/src/tracking/session-limits.ts';
import type { Landing } from './landing.ts';
import { attempt, listOf, parse } from './page.ts';
import { randomId } from './random-id.ts';

/** A session, which the tabs of a site share; times in milliseconds since 1970. */
export type State = [hash: string, visitorId: string, startedAt: number, landing: Landing, seen?: number];

/** Used when storage is forbidden. */
let memory: State | undefined;

export const stored = (): State | undefined => attempt(() => parse(localStorage.headwater)) || memory;

const write = (state: State) =>
  attempt(() => {
    localStorage.headwater = listOf(state);
  });

/** Continues the session from now, to the second: a thousand events in a row are written once. */
export function store(state: State): State {
  memory = state;
  if (!(Date.now() - (state[4] as number) < 1e3)) {
    state[4] = Date.now();
    write(state);
  }
  return state;
}

/** Continues the visitor of a visit under the id by which the service knows them. */
export function adoptVisitor(sent: unknown, known: unknown): void {
  const state = stored();
  if (state && state[1] === sent && known) {
    state[1] = known as string;
    write(state);
  }
}

/** Removes and returns what is stored under matching keys; nothing if storage is forbidden. */
export const takeStored = (pattern: RegExp): [text: string, isDeleted: boolean][] =>
  attempt(() =>
    Object.keys(localStorage)
      .filter((key) => pattern.test(key))
      .map((key) => [localStorage[key], delete localStorage[key]]),
  ) || [];

export function forget(): void {
  memory = undefined;
  takeStored(/^headwater/);
}

/** The session, if a visit now continues it, as `continues` in server/src/tracking/ingest/session-rules.ts decides. */
export function current(landing: Landing, now = Date.now()): State | undefined {
  const state = stored();
  if (
    state &&
    now - (state[4] as number) <= IDLE_MS &&
    now - state[2] <= MAX_LENGTH_MS &&
    !Object.keys(landing).some((name) => landing[name] !== state[3][name])
  ) {
    return state;
  }
  return undefined;
}

/** The session of a visit now: the current one, or a new one of the same visitor. */
export function touch(landing: Landing): State {
  const visitorId = `${stored()?.[1]}`;
  return store(
    current(landing) || [randomId(), /^\w{22}$/.test(visitorId) ? visitorId : randomId(), Date.now(), landing],
  );
}
