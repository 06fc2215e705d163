import type { Session } from '../index.d.ts';
import type { Landing } from './landing.ts';
import { attempt } from './page.ts';
import { randomId } from './random-id.ts';
import { shortHashOf } from './short-hash.ts';

/** A session, as the tabs of a site share it; times in milliseconds since 1970. */
export type State = [session: Session, begun: number, seen: number, landing: Landing];

/** Serves where storage is forbidden. */
let memory: State | undefined;

export const stored = (): State | undefined => attempt(() => JSON.parse(localStorage.headwater)) || memory;

export const begin = (hash: string, visitorId: string, begun: number, landing: Landing): State => [
  { hash, shortHash: shortHashOf(hash), visitorId },
  begun,
  0,
  landing,
];

/** Goes on in the session from now, to the second: a thousand events in a row are written once. */
export function store(state: State): Session {
  memory = state;
  if (Date.now() - state[2] > 1e3) {
    state[2] = Date.now();
    attempt(() => {
      localStorage.headwater = JSON.stringify(state);
    });
  }
  return state[0];
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
    now - state[2] <= 18e5 &&
    now - state[1] <= 864e5 &&
    !Object.keys(landing).some((name) => landing[name] !== state[3][name])
  ) {
    return state;
  }
}

/** The session of what is done now: the one there is, or a new one of the same visitor. */
export const touch = (landing: Landing): Session =>
  store(current(landing) || begin(randomId(), stored()?.[0]?.visitorId || randomId(), Date.now(), landing));
