/** The known name that was probably meant. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((each) => ({ each, distance: distanceOf(name.slice(0, 100).toLowerCase(), each.slice(0, 100).toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const most = Math.min(name.length - 1, Math.max(1, Math.floor(name.length / 2.5)));
  return best && best.distance <= most ? best.each : undefined;
}

/** How many characters differ. */
function distanceOf(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min((row[j - 1] ?? 0) + 1, (previous[j] ?? 0) + 1, (previous[j - 1] ?? 0) + cost);
    }
    previous = row;
  }
  return previous.at(-1) ?? 0;
}
