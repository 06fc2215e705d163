/** 1 − Φ(x) of the standard normal distribution, to double precision. */
export function upperTail(x: number): number {
  if (x < 0) return 1 - upperTail(-x);
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  if (x > 3) {
    // Laplace's continued fraction: Abramowitz and Stegun, 26.2.14.
    let fraction = x;
    for (let k = 200; k >= 1; k--) fraction = x + k / fraction;
    return density / fraction;
  }
  // x + x³/3 + x⁵/(3·5) + …: Abramowitz and Stegun, 26.2.11.
  let sum = 0;
  for (let k = 1, term = x; sum + term !== sum; k++, term *= (x * x) / (2 * k - 1)) sum += term;
  return 0.5 - density * sum;
}

/** The x ≥ 0 whose upper tail is `probability`, at most 0.5. */
export function upperQuantile(probability: number): number {
  return solve((x) => upperTail(x) <= probability, 0, 40);
}

/** The smallest number of an interval from which on a condition holds, by bisection. */
export function solve(holds: (x: number) => boolean, low: number, high: number): number {
  let [below, above] = [low, high];
  for (let i = 0; i < 100 && below < above; i++) {
    const middle = (below + above) / 2;
    if (holds(middle)) above = middle;
    else below = middle;
  }
  return above;
}

/** ln Γ(x) of x > 0, by Stirling's series: Abramowitz and Stegun, 6.1.41, from 15 on, and 6.1.15 below. */
export function logGamma(x: number): number {
  let shift = 0;
  let at = x;
  for (; at < 15; at++) shift += Math.log(at);
  const inverse = 1 / (at * at);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))) / at;
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - shift;
}
