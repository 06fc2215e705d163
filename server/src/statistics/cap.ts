/**
 * The amount at which the values of visitors are capped: a fixed amount of at least 1, or, below 1, a quantile of the values above 0 of all
 * arms together. A cap of each arm would differ between arms and make a difference of its own (Kohavi, Tang and Xu, "Trustworthy
 * online controlled experiments", 2020, section 18).
 */
export function pooledCap(cap: number | undefined, values: () => readonly number[]): number | undefined {
  if (cap === undefined || cap >= 1) return cap;
  const sorted = values()
    .filter((value) => value > 0)
    .sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(cap * sorted.length) - 1))];
}
