/** Runs at most `limit` of the works it is given at a time; the others wait in order. */
export function atMost(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running === limit) await new Promise<void>((resume) => waiting.push(resume));
    else running++;
    try {
      return await work();
    } finally {
      // The place is handed on, or given up.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
