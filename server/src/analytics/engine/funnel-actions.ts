import { ColumnReader, MAX_CODES } from './column-codec.ts';
import { excludedFlags } from './count-sessions.ts';
import type { FunnelWorkPlan } from './plan.ts';
import { timeOf } from './segment.ts';
import type { SegmentView } from './segment-view.ts';

/** Most sessions have a few actions, which are sorted in place. */
const MAX_INSERTION = 32;

/** What one session did that matches a step, ordered by time; actions within the same millisecond keep their order. */
export class SessionActions {
  times = new Float64Array(64);
  /** A bit for each step that the action matches. */
  masks = new Uint16Array(64);
  size = 0;

  add(at: number, mask: number): void {
    if (this.size === this.times.length) {
      const [times, masks] = [this.times, this.masks];
      this.times = new Float64Array(this.size * 2);
      this.masks = new Uint16Array(this.size * 2);
      this.times.set(times);
      this.masks.set(masks);
    }
    this.times[this.size] = at;
    this.masks[this.size++] = mask;
  }

  sort(): void {
    const { times, masks, size } = this;
    if (size > MAX_INSERTION) {
      const order = orderOf(times.subarray(0, size));
      this.times.set(Float64Array.from(order, (i) => times[i] ?? 0));
      this.masks.set(Uint16Array.from(order, (i) => masks[i] ?? 0));
      return;
    }
    for (let i = 1; i < size; i++) {
      const [at, mask] = [times[i] ?? 0, masks[i] ?? 0];
      let to = i;
      for (; to > 0 && (times[to - 1] ?? 0) > at; to--) {
        times[to] = times[to - 1] ?? 0;
        masks[to] = masks[to - 1] ?? 0;
      }
      times[to] = at;
      masks[to] = mask;
    }
  }
}

const orderOf = (times: Float64Array) =>
  new Uint32Array(times.length).map((_, i) => i).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);

/** Finds what the sessions of a segment did that matches a step. */
export class ActionFinder {
  readonly #lists: StepItems[];
  readonly #extras: FunnelWorkPlan['extras'];
  #ofOffset = new Map<number, { at: number; mask: number }[]>();
  readonly #actions = new SessionActions();

  constructor({ steps, plans, extras }: FunnelWorkPlan) {
    const excluded = excludedFlags(plans[0]?.include ?? { bots: true, internal: true });
    this.#lists = [
      new StepItems('visits', stepMasks(steps.map(({ pages }) => pages)), excluded),
      new StepItems('events', stepMasks(steps.map(({ events }) => events)), excluded),
    ];
    this.#extras = extras;
  }

  /** Returns whether the segment may have any. */
  show(view: SegmentView): boolean {
    this.#ofOffset = Map.groupBy(this.#extras.get(view.segment.segment) ?? [], ({ offset }) => offset);
    const found = this.#lists.map((list) => list.show(view));
    return this.#ofOffset.size > 0 || found.includes(true);
  }

  /** Visits come before events within a millisecond. Valid until the next call. @param i index of the session */
  actionsOf(view: SegmentView, i: number): SessionActions {
    const actions = this.#actions;
    actions.size = 0;
    for (const list of this.#lists) list.addTo(actions, i);
    if (this.#ofOffset.size > 0) {
      for (const { at, mask } of this.#ofOffset.get(view.column('offset')[i] ?? 0) ?? []) actions.add(at, mask);
    }
    if (actions.size > 1) actions.sort();
    return actions;
  }
}

/**
 * The visits or events that match a step by their id. Few of them do, so only their ids are read, in the stored bytes; of those
 * that match, flags and times are read one by one.
 */
class StepItems {
  readonly #list: 'visits' | 'events';
  readonly #masks: ReadonlyMap<number, number>;
  readonly #excluded: number;
  /** By code of the ids of the segment; undefined if there are too many. */
  #maskOfCode: Uint16Array | undefined;
  readonly #codes = new Uint16Array(MAX_CODES);
  #isEmpty = true;
  // Of the segment. Looking them up for each item would take as long as all the rest.
  #firsts: Int32Array = new Int32Array();
  #starts: Int32Array = new Int32Array();
  #ids = new ColumnReader();
  #flags = new ColumnReader();
  #seconds = new ColumnReader();
  #ms = new ColumnReader();

  constructor(list: 'visits' | 'events', masks: ReadonlyMap<number, number>, excluded: number) {
    this.#list = list;
    this.#masks = masks;
    this.#excluded = excluded;
  }

  /** Returns whether the segment has any. */
  show(view: SegmentView): boolean {
    this.#isEmpty = true;
    if (this.#masks.size === 0) return false;
    const isVisits = this.#list === 'visits';
    this.#ids = view.reader(isVisits ? 'page' : 'event');
    this.#maskOfCode = this.#ids.codes === undefined ? undefined : this.#codes;
    for (let code = 0; code < (this.#ids.codes ?? 0); code++) {
      const mask = this.#masks.get(this.#ids.valueOf(code)) ?? 0;
      this.#codes[code] = mask;
      if (mask !== 0) this.#isEmpty = false;
    }
    if (this.#maskOfCode && this.#isEmpty) return false;
    this.#isEmpty = false;
    this.#firsts = view.firsts(this.#list);
    this.#starts = view.column('start');
    this.#flags = view.reader(isVisits ? 'visitFlags' : 'eventFlags');
    this.#seconds = view.reader(isVisits ? 'visitSecond' : 'eventSecond');
    this.#ms = view.reader(isVisits ? 'visitMs' : 'eventMs');
    return true;
  }

  addTo(actions: SessionActions, i: number): void {
    if (this.#isEmpty) return;
    const [ids, firsts, maskOfCode] = [this.#ids, this.#firsts, this.#maskOfCode];
    for (let item = firsts[i] ?? 0, end = firsts[i + 1] ?? 0; item < end; item++) {
      const code = ids.codeAt(item);
      const mask = maskOfCode ? (maskOfCode[code] ?? 0) : (this.#masks.get(ids.valueOf(code)) ?? 0);
      if (mask === 0 || (this.#flags.valueAt(item) & this.#excluded) !== 0) continue;
      const second = (this.#starts[i] ?? 0) + this.#seconds.valueAt(item);
      actions.add(timeOf(second, this.#ms.valueAt(item)), mask);
    }
  }
}

function stepMasks(steps: ReadonlySet<number>[]): Map<number, number> {
  const masks = new Map<number, number>();
  steps.forEach((ids, i) => {
    for (const id of ids) masks.set(id, (masks.get(id) ?? 0) | (1 << i));
  });
  return masks;
}
