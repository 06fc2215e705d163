import type { Landing } from './landing.ts';
import { attempt } from './page.ts';
import { randomId } from './random-id.ts';

/** A session, as the tabs of a site share it; times in milliseconds since 1970. New, it has not been seen. */
export type State = [hash: string, visitorId: string, begun: number, landing: Landing, seen?: number];

/** Serves where storage is forbidden. */
let memory: State | undefined;

export const stored = (): State | undefined => attempt(() => JSON.parse(localStorage.headwater)) || memory;

/** Goes on in the session from now, to the second: a thousand events in a row are written once. */
export function store(state: State): State {
  memory = state;
  if (!(Date.now() - (state[4] as number) < 1e3)) {
    state[4] = Date.now();
    attempt(() => {
      localStorage.headwater = JSON.stringify(state);
    });
  }
  return state;
}

/** Takes what is stored under the keys that fit from the device; nothing where storage is forbidden. */
export const takeStored = (pattern: RegExp): [text: string, isGone: boolean][] =>
  attempt(() =>
    Object.keys(localStorage)
      .filter((key) => pattern.test(key))
      .map((key) => [localStorage[key], delete localStorage[key]]),
  ) || [];

export function forget(): void {
  memory = undefined;
  takeStored(/^headwater/);
}

/** The session, if what is done now goes on in it, as server/src/tracking/session-rules.ts decides. */
export function current(landing: Landing, now = Date.now()): State | undefined {
  const state = stored();
  if (
    state &&
    now - (state[4] as number) <= 18e5 &&
    now - state[2] <= 864e5 &&
    !Object.keys(landing).some((name) => landing[name] !== state[3][name])
  ) {
    return state;
  }
}

/** The session of what is done now: the one there is, or a new one of the same visitor. */
export const touch = (landing: Landing): State =>
  store(current(landing) || [randomId(), /^\w{22}$/.exec(`${stored()?.[1]}`)?.[0] || randomId(), Date.now(), landing]);
