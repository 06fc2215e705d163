const CONCURRENCY = 4;

/** Applies a change to all items, a few at a time. @returns the changed items and the first error */
export async function forEachConcurrently<Thing>(
  things: readonly Thing[],
  change: (thing: Thing) => Promise<unknown>,
  /** Receives the progress in percent. */
  onProgress: (percent: number) => void,
): Promise<{ done: Thing[]; failure: unknown }> {
  const remaining = [...things];
  const done: Thing[] = [];
  let failure: unknown;
  const worker = async () => {
    for (let thing = remaining.shift(); thing !== undefined; thing = remaining.shift()) {
      try {
        await change(thing);
        done.push(thing);
      } catch (error) {
        failure ??= error;
      }
      onProgress((done.length / things.length) * 100);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return { done, failure };
}
