import { PLACES } from './choose-sessions.ts';
import { type Dimension, type Include, PLATFORMS } from './dimensions.ts';
import {
  BEGIN,
  IS_BOT,
  IS_GONE,
  IS_INTERNAL,
  offsetOf,
  platformsOf,
  SEGMENT_SIZE,
  SESSION_STRIDE,
  type Segment,
} from './segment.ts';

/** A session that may have led to a conversion. */
export interface Touch {
  number: number;
  /** As `secondOf` has it. */
  began: number;
  /** The number of its value. */
  value: number;
}

/** Sessions by their numbers, as far as they are asked for. */
export class Numbered {
  readonly #segments = new Map<number, Int32Array>();
  readonly numbers: number[] = [];

  /** The place of a number, from 0; a new one where it was not asked for before. */
  add(number: number): number {
    const segment = Math.floor(number / SEGMENT_SIZE);
    const places = this.#segments.get(segment) ?? new Int32Array(SEGMENT_SIZE);
    this.#segments.set(segment, places);
    const known = places[number % SEGMENT_SIZE] ?? 0;
    if (known !== 0) return known - 1;
    const count = this.numbers.push(number);
    places[number % SEGMENT_SIZE] = count;
    return count - 1;
  }

  /** -1: it was not asked for. */
  placeOf(number: number): number {
    return (this.#segments.get(Math.floor(number / SEGMENT_SIZE))?.[number % SEGMENT_SIZE] ?? 0) - 1;
  }

  get segments(): number[] {
    return [...this.#segments.keys()];
  }

  /** For each offset of a segment the place, plus 1. */
  placesIn(segment: number): Int32Array | undefined {
    return this.#segments.get(segment);
  }
}

/** Of sessions by their place: who visited (-1: it is not known) and when they began. */
export interface Known {
  visitors: Int32Array;
  began: Int32Array;
}

export function knowSessions(segments: readonly Segment[], asked: Numbered): Known {
  const visitors = new Int32Array(asked.numbers.length).fill(-1);
  const began = new Int32Array(asked.numbers.length);
  for (const { segment, sessions, visitors: numbers } of segments) {
    const places = asked.placesIn(segment);
    if (!places) continue;
    for (let i = 0; i < sessions.length; i += SESSION_STRIDE) {
      const tag = sessions[i] ?? 0;
      const place = (places[offsetOf(tag)] ?? 0) - 1;
      if (place < 0 || (tag & IS_GONE) !== 0) continue;
      visitors[place] = numbers[i / SESSION_STRIDE] ?? 0;
      began[place] = sessions[i + BEGIN] ?? 0;
    }
  }
  return { visitors, began };
}

/** The sessions of visitors (`isOfOne`, by their number) and those of `asked`, that are counted. */
export function findTouches(
  segments: readonly Segment[],
  isOfOne: Uint8Array,
  asked: Numbered,
  by: Dimension,
  include: Include,
) {
  const skipped = IS_GONE | (include.bots ? 0 : IS_BOT) | (include.internal ? 0 : IS_INTERNAL);
  const ofVisitors = new Map<number, Touch[]>();
  const asAsked = new Map<number, Touch>();
  const place = PLACES[by] ?? 0;
  const pick = by === 'platform' ? platformOf : (sessions: Int32Array, i: number) => sessions[i + place] ?? 0;
  for (const { segment, sessions, visitors } of segments) {
    const places = asked.placesIn(segment);
    for (let i = 0; i < sessions.length; i += SESSION_STRIDE) {
      const tag = sessions[i] ?? 0;
      if ((tag & skipped) !== 0) continue;
      const visitor = visitors[i / SESSION_STRIDE] ?? 0;
      const isAsked = places !== undefined && places[offsetOf(tag)] !== 0;
      if (isOfOne[visitor] === 0 && !isAsked) continue;
      const number = segment * SEGMENT_SIZE + offsetOf(tag);
      const touch = { number, began: sessions[i + BEGIN] ?? 0, value: pick(sessions, i) };
      if (isAsked) asAsked.set(number, touch);
      if (isOfOne[visitor] === 0) continue;
      const known = ofVisitors.get(visitor);
      if (known) known.push(touch);
      else ofVisitors.set(visitor, [touch]);
    }
  }
  return { ofVisitors, asAsked };
}

const BY_NAME = PLATFORMS.map((name, i) => [name, i] as const).sort(([a], [b]) => (a < b ? -1 : 1));

/** Of several kinds of click ids the first by its name. */
function platformOf(sessions: Int32Array, i: number): number {
  const kinds = platformsOf(sessions[i] ?? 0);
  const found = kinds === 0 ? undefined : BY_NAME.find(([, bit]) => (kinds & (1 << bit)) !== 0);
  return found ? found[1] + 1 : 0;
}
