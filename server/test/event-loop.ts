const TICK_MS = 5;

/**
 * Runs `work` and returns for how many milliseconds it blocked the event loop at most. A delay counts only as far as this
 * thread used the CPU meanwhile, so that a busy machine does not fail a test.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
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
  return Math.round(longest);
}

/** How many milliseconds of processor time `work` takes on this thread, which a busy machine does not change. */
export async function processorMs(work: () => unknown): Promise<number> {
  const start = measure().cpu;
  await work();
  return measure().cpu - start;
}

/** Milliseconds. */
function measure(): { wall: number; cpu: number } {
  const { user, system } = process.threadCpuUsage();
  return { wall: performance.now(), cpu: (user + system) / 1000 };
}
