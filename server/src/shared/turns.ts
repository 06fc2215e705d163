import { currentWork } from './postgres/work.ts';

/** Of long work, so much runs in one turn of the event loop. */
const TURN_MS = 5;

/** Before a slice, so many turns are for short requests alone, which need several turns each. */
const SHORT_TURNS = 4;

/** What waits for a turn, by account. An account moves to the end when one of its slices runs. */
const waiting = new Map<string, (() => void)[]>();

/**
 * Waits for a turn of the event loop in which no other long work runs. So a short request waits for one slice of long work in each
 * turn, however many requests work long at the same time, and no account waits behind all slices of another.
 */
export function nextTurn(account = currentWork()?.account ?? ''): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.size === 0) setImmediate(startNext, SHORT_TURNS);
    const queue = waiting.get(account);
    if (queue) queue.push(resolve);
    else waiting.set(account, [resolve]);
  });
}

function startNext(turnsLeft: number): void {
  if (turnsLeft > 0) {
    setImmediate(startNext, turnsLeft - 1);
    return;
  }
  const [[account, queue] = ['', []]] = waiting;
  waiting.delete(account);
  const start = queue.shift();
  if (queue.length > 0) waiting.set(account, queue);
  start?.();
  if (waiting.size > 0) setImmediate(startNext, SHORT_TURNS);
}

/** For a loop that works long: `await` in each round what the returned function returns. */
export function takingTurns(): () => Promise<void> | undefined {
  let endsAt = performance.now() + TURN_MS;
  return () => {
    if (performance.now() < endsAt) return undefined;
    return nextTurn().then(() => {
      endsAt = performance.now() + TURN_MS;
    });
  };
}

/** `items.map(work)`, with a pause for others every few milliseconds. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  const pause = takingTurns();
  for (const [i, item] of items.entries()) {
    const turn = pause();
    if (turn) await turn;
    results.push(work(item, i));
  }
  return results;
}
