import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';

/** What a round takes on the machine on which the limits were chosen, when it is not otherwise busy. */
const REFERENCE_MS = 25;
const ROUNDS = 7;
const LARGEST = 8;
/** As many cores are expected: what waits for other processes takes longer with fewer. */
const CORES = 2;

/**
 * How many times slower this machine is at the moment than that on which the limits of tests were chosen: 1 to 8. A run measures it
 * once, before its first test, and stretches all limits by it.
 */
export function measureMachine(): number {
  const rounds = Array.from({ length: ROUNDS }, timeRound).sort((a, b) => a - b);
  const median = rounds[Math.floor(ROUNDS / 2)] ?? REFERENCE_MS;
  const factor = (median / REFERENCE_MS) * Math.max(1, CORES / availableParallelism());
  return Math.min(LARGEST, Math.max(1, factor));
}

/** What services do most: parse and write JSON, match text, compute digests, allocate. By the clock, as limits are. */
function timeRound(): number {
  const start = performance.now();
  const rows = Array.from({ length: 3_000 }, (_, i) => ({
    id: `row_${i}`,
    name: `Entry ${i}`,
    tags: ['a', 'b', String(i)],
  }));
  for (let i = 0; i < 10; i++) {
    const text = JSON.stringify(rows);
    createHash('sha256').update(text).digest();
    JSON.parse(text.replaceAll(/"name":"Entry (\d+)"/g, '"name":"$1"'));
  }
  return performance.now() - start;
}

/** Of a test, and of a process of up to twenty files. A run stretches them. */
export const TEST_TIMEOUT_MS = 300_000;
export const GROUP_TIMEOUT_MS = 1_800_000;

/** What a run measured; 1 outside of one. */
const MACHINE = Number(process.env.TEST_MACHINE ?? 1);

export const stretched = (ms: number): number => Math.ceil(ms * MACHINE);

/**
 * The limit of every wait of a test for a condition. One for all: to wait long costs nothing when the test passes, and a shorter one
 * fails where the machine is slow or busy.
 */
export const PATIENCE_MS = stretched(60_000);
