/**
 * Things that tests use one after the other, such as furnished accounts, which take as long to make as fifty requests. A test that fails
 * with one that others have used is repeated with a new one, which later tests then use.
 */
export function useUntilSpent<T>(make: () => Promise<T>): { use(test: (thing: T) => Promise<void>): Promise<void> } {
  let kept: { thing: T } | undefined;
  return {
    async use(test) {
      const used = kept;
      kept = undefined;
      if (used !== undefined) {
        try {
          await test(used.thing);
          kept = used;
          return;
        } catch {
          // An earlier test may have changed what this one needs.
        }
      }
      const thing = await make();
      await test(thing);
      kept = { thing };
    },
  };
}
