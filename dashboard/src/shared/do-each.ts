const AT_ONCE = 4;

/** Does it to each, some at a time. @returns those that it was done to, and why it first failed */
export async function doEach<Thing>(
  things: readonly Thing[],
  change: (thing: Thing) => Promise<unknown>,
  /** Told how many of a hundred are done. */
  onShare: (share: number) => void,
): Promise<{ done: Thing[]; failure: unknown }> {
  const waiting = [...things];
  const done: Thing[] = [];
  let failure: unknown;
  const worker = async () => {
    for (let thing = waiting.shift(); thing !== undefined; thing = waiting.shift()) {
      try {
        await change(thing);
        done.push(thing);
      } catch (error) {
        failure ??= error;
      }
      onShare((done.length / things.length) * 100);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { done, failure };
}
