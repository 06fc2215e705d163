/**
 * The level at which each of several comparisons is tested, so that the chance of any false decision is at most alpha: Holm, "A simple
 * sequentially rejective multiple test procedure" (1979). A p-value at most its level is a decision.
 */
export function holmLevels(pValues: readonly number[], alpha: number): number[] {
  const levels = pValues.map(() => alpha);
  const order = pValues.map((p, i) => ({ p, i })).sort((a, b) => a.p - b.p);
  let level = alpha / pValues.length;
  let isStopped = false;
  order.forEach(({ p, i }, rank) => {
    if (!isStopped) level = alpha / (pValues.length - rank);
    levels[i] = level;
    isStopped ||= p > level;
  });
  return levels;
}
