/** So many refusals a sender gets at once; further ones are spaced by the interval. */
const AT_ONCE = 32;
const INTERVAL_MS = 20;
const MAX_DELAY_MS = 2_000;
const SWEEP_SIZE = 10_000;

/**
 * Holds the refusals of a sender that repeats what was refused without waiting, so that refusing it takes no more of the processor
 * than 50 requests a second do. It waits for them, because a connection carries one response after the other.
 */
export class PacedRefusals {
  /** When the next refusal is due, by sender. */
  readonly #dueAt = new Map<string, number>();

  /** How many milliseconds to hold the next refusal of a sender. */
  hold(sender: string, now: number): number {
    if (this.#dueAt.size >= SWEEP_SIZE) this.#sweep(now);
    const due = Math.max(this.#dueAt.get(sender) ?? 0, now - AT_ONCE * INTERVAL_MS);
    const delay = Math.min(MAX_DELAY_MS, Math.max(0, due - now));
    if (delay < MAX_DELAY_MS) this.#dueAt.set(sender, due + INTERVAL_MS);
    return delay;
  }

  #sweep(now: number): void {
    for (const [sender, due] of this.#dueAt) if (due <= now - AT_ONCE * INTERVAL_MS) this.#dueAt.delete(sender);
  }
}
