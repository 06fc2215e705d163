/**
 * "Does it block?" is asked in work, not in milliseconds, which differ by a factor of four between machines and by two on a busy one. The
 * unit is what parsing a fixed JSON document takes on the same thread right before or after, whichever was slower: about a millisecond
 * on the machine on which the limits were chosen. Time in which the thread had no processor does not count.
 */
const TICK_MS = 5;

/** Runs `work` and returns for how many units it blocked the event loop at most. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  const unit = await unitAround(async () => {
    let last = measure();
    const check = () => {
      const now = measure();
      longest = Math.max(longest, Math.min(now.wall - last.wall - TICK_MS, now.cpu - last.cpu));
      last = now;
    };
    const timer = setInterval(check, TICK_MS);
    try {
      await work();
    } finally {
      clearInterval(timer);
      check();
    }
  });
  return Math.round(longest / unit);
}

/** How many units of processor time `work` takes on this thread. */
export async function workOf(work: () => unknown): Promise<number> {
  let cpu = 0;
  const unit = await unitAround(async () => {
    const start = measure().cpu;
    await work();
    cpu = measure().cpu - start;
  });
  return Math.round(cpu / unit);
}

/** @returns the length of a unit around `work`, in milliseconds */
async function unitAround(work: () => Promise<void>): Promise<number> {
  const before = unitMs();
  await work();
  return Math.max(before, unitMs());
}

const DOCUMENT = JSON.stringify(
  Array.from({ length: 2_750 }, (_, i) => ({
    id: `row_${i}`,
    name: `Entry ${i}`,
    price: i / 7,
    tags: ['a', `${i}`],
    ok: true,
  })),
);
const ROUNDS = 20;
const FRESH_MS = 500;

let measured = { at: Number.NEGATIVE_INFINITY, ms: 0 };

/**
 * What parsing the document takes at the moment, in milliseconds: the first quartile by the clock, which leaves out the times at which
 * others had the processor and garbage was collected. The system counts processor time in steps of 4 ms.
 */
export function unitMs(): number {
  if (performance.now() - measured.at < FRESH_MS) return measured.ms;
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    JSON.parse(DOCUMENT);
    return performance.now() - start;
  }).sort((a, b) => a - b);
  measured = { at: performance.now(), ms: rounds[ROUNDS / 4] ?? 1 };
  return measured.ms;
}

/** Milliseconds. */
function measure(): { wall: number; cpu: number } {
  const { user, system } = process.threadCpuUsage();
  return { wall: performance.now(), cpu: (user + system) / 1000 };
}
