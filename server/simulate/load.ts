/** Loads of accounts, and moves that balance them. Nothing here knows a database. */

export interface SimulatedAccount {
  id: string;
  cell: string;
  /** Events per second. */
  load: number;
}

export interface SimulatedMove {
  account: SimulatedAccount;
  from: string;
  to: string;
}

/** A generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Zipf: the load of the account of rank `r` is in proportion to `1 / r ** skew`. The ranks come in random order. */
export function zipfLoads(count: number, total: number, skew: number, random: () => number): number[] {
  const weights = Array.from({ length: count }, (_, i) => 1 / (i + 1) ** skew);
  const sum = weights.reduce((a, b) => a + b, 0);
  for (let i = weights.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [weights[i], weights[j]] = [weights[j] as number, weights[i] as number];
  }
  return weights.map((weight) => (weight / sum) * total);
}

export function loadsOf(accounts: readonly SimulatedAccount[], cells: readonly string[]): Map<string, number> {
  const loads = new Map(cells.map((cell) => [cell, 0]));
  for (const { cell, load } of accounts) loads.set(cell, (loads.get(cell) ?? 0) + load);
  return loads;
}

/** Of the mean: a smaller account is not worth its move. */
const MIN_SHARE = 0.005;

/**
 * The moves, few and of large accounts, after which no cell has more than `tolerance` of the mean, as far as accounts can be
 * divided: each takes the largest account of the hottest cell that does not make the coolest one hotter than the mean.
 */
export function balance(accounts: SimulatedAccount[], cells: readonly string[], tolerance: number): SimulatedMove[] {
  const loads = loadsOf(accounts, cells);
  const mean = [...loads.values()].reduce((a, b) => a + b, 0) / cells.length;
  const byCell = new Map(cells.map((cell) => [cell, accounts.filter((account) => account.cell === cell)]));
  for (const inside of byCell.values()) inside.sort((a, b) => b.load - a.load);
  const moves: SimulatedMove[] = [];
  /** Cells of which nothing can be moved: one account is more than the mean. */
  const stuck = new Set<string>();
  for (;;) {
    const sorted = [...loads].filter(([cell]) => !stuck.has(cell)).sort(([, a], [, b]) => b - a);
    const [hottest] = sorted;
    const coolest = [...loads].sort(([, a], [, b]) => a - b)[0];
    if (!hottest || !coolest || hottest[1] <= mean * tolerance) return moves;
    const [from, excess] = [hottest[0], hottest[1] - mean];
    const room = mean - coolest[1];
    const inside = byCell.get(from) ?? [];
    const index = inside.findIndex(({ load }) => load <= Math.min(room, excess));
    const account = inside[index];
    if (!account || account.load < mean * MIN_SHARE) {
      stuck.add(from);
      continue;
    }
    inside.splice(index, 1);
    loads.set(from, hottest[1] - account.load);
    loads.set(coolest[0], coolest[1] + account.load);
    moves.push({ account, from, to: coolest[0] });
    account.cell = coolest[0];
  }
}
