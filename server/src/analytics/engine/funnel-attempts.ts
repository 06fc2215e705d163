import { type Duration, Durations } from './durations.ts';
import type { FunnelPlan } from './plan.ts';

export interface Attempts {
  /** How many reached each step. */
  counts: number[];
  /** From the previous step, for those that reached this one; null for the first step, or if none did. */
  durations: (Duration | null)[];
  /** From the first step to the last one. */
  total: Duration | null;
  /** The counts by group of the session in which the furthest attempt started. */
  groups: Map<number, number[]>;
}

/** What `Attempts` are summarized from. */
export interface AttemptCounts {
  counts: number[];
  durations: Durations['values'][];
  totals: Durations['values'];
  groups: Map<number, number[]>;
}

function addNumbers(numbers: number[], more: readonly number[]): void {
  more.forEach((each, i) => {
    numbers[i] = (numbers[i] ?? 0) + each;
  });
}

/**
 * Follows the attempts of one session or visitor after another. Of several attempts the one that came furthest counts, and of
 * several ways to a step the first one.
 */
export class FunnelAttempts {
  readonly #steps: number;
  readonly #plan: Pick<FunnelPlan, 'period' | 'window' | 'breakdownBy'>;
  /** For each step the latest first step from which it was reached (the later, the more time is left), and when it was. */
  readonly #startOf: Float64Array;
  readonly #reachedAt: Float64Array;
  readonly #groupOf: Int32Array;
  #furthest = 0;
  #group = 0;
  readonly #counts: number[];
  readonly #durations: Durations[];
  readonly #totals: Durations;
  readonly #groups = new Map<number, number[]>();

  constructor(steps: number, plan: Pick<FunnelPlan, 'period' | 'window' | 'breakdownBy'>) {
    this.#steps = steps;
    this.#plan = plan;
    this.#startOf = new Float64Array(steps);
    this.#reachedAt = new Float64Array(steps);
    this.#groupOf = new Int32Array(steps);
    this.#counts = new Array<number>(steps).fill(0);
    this.#durations = Array.from({ length: steps }, () => new Durations(plan.window));
    this.#totals = new Durations(plan.window);
  }

  start(): void {
    this.#startOf.fill(Number.NEGATIVE_INFINITY);
    this.#furthest = 0;
  }

  /** Adds the next action in time. @param mask has a bit for each step that it matches */
  add(at: number, mask: number, group: number): void {
    const { period, window } = this.#plan;
    // From the last step on, so that one action is one step of an attempt.
    for (let step = this.#steps - 1; step > 0; step--) {
      if ((mask & (1 << step)) === 0) continue;
      const start = this.#startOf[step - 1] ?? Number.NEGATIVE_INFINITY;
      if (at - start > window) continue;
      if (step >= this.#furthest) {
        this.#furthest = step + 1;
        this.#group = this.#groupOf[step - 1] ?? 0;
        this.#durations[step]?.add(at - (this.#reachedAt[step - 1] ?? at));
        if (step === this.#steps - 1) this.#totals.add(at - start);
      }
      if (start > (this.#startOf[step] ?? 0)) this.#reach(step, start, at, this.#groupOf[step - 1] ?? 0);
    }
    if ((mask & 1) !== 0 && at < period.to) {
      this.#reach(0, at, at, group);
      if (this.#furthest === 0) [this.#furthest, this.#group] = [1, group];
    }
  }

  #reach(step: number, start: number, at: number, group: number): void {
    this.#startOf[step] = start;
    this.#reachedAt[step] = at;
    this.#groupOf[step] = group;
  }

  finish(): void {
    for (let step = 0; step < this.#furthest; step++) this.#counts[step] = (this.#counts[step] ?? 0) + 1;
    if (this.#furthest === 0 || this.#plan.breakdownBy === undefined) return;
    const counts = this.#groups.get(this.#group) ?? new Array<number>(this.#steps).fill(0);
    this.#groups.set(this.#group, counts);
    for (let step = 0; step < this.#furthest; step++) counts[step] = (counts[step] ?? 0) + 1;
  }

  get part(): AttemptCounts {
    const durations = this.#durations.map(({ values }) => values);
    return { counts: this.#counts, durations, totals: this.#totals.values, groups: this.#groups };
  }

  /** Adds the attempts of other sessions. */
  merge({ counts, durations, totals, groups }: AttemptCounts): void {
    addNumbers(this.#counts, counts);
    durations.forEach((each, step) => {
      this.#durations[step]?.addAll(each);
    });
    this.#totals.addAll(totals);
    for (const [group, more] of groups) {
      const known = this.#groups.get(group);
      if (known) addNumbers(known, more);
      else this.#groups.set(group, more);
    }
  }

  result(): Attempts {
    return {
      counts: this.#counts,
      durations: this.#durations.map((each) => each.summarize()),
      total: this.#steps > 1 ? this.#totals.summarize() : null,
      groups: this.#groups,
    };
  }
}
