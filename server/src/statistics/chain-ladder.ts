/**
 * The distribution-free chain ladder of T. Mack, "Distribution-free calculation of the standard error of chain ladder reserve estimates",
 * ASTIN Bulletin 23 (1993). Section and formula numbers below are of that paper.
 *
 * A triangle has a row for each origin (a cohort), oldest first, with its cumulative amount at each age. What is not known yet is null.
 */
export type Triangle = readonly (readonly (number | null)[])[];

/** A fault of one row, counted from 1. */
interface TriangleFault {
  row: number;
  detail: string;
}

export interface ChainLadder {
  /** From each age to the next, weighted by volume: f_k. */
  factors: number[];
  /** The variance parameter of each factor: σ²_k. */
  sigmaSquared: number[];
  /** The sum of the known amounts from which each factor was estimated. */
  volumes: number[];
  /** Of each origin: the last known amount, its index, and the amount expected at the last age. */
  latest: number[];
  ages: number[];
  ultimates: number[];
  reserves: number[];
  /** Of the reserve of each origin: the root of its mean squared error. */
  standardErrors: number[];
  total: { reserve: number; standardError: number };
}

/** Factors and their variance are not estimated from fewer ages. */
export const MIN_AGES = 3;

/** Every fault of a triangle from outside. None: it is a `Triangle` of at least `MIN_AGES` ages. */
export function checkTriangle(triangle: unknown): TriangleFault[] {
  if (!Array.isArray(triangle) || triangle.length === 0) return [{ row: 0, detail: 'A triangle is an array of rows.' }];
  const faults = triangle.flatMap((cells: unknown, i) => {
    const detail = faultOfRow(cells);
    return detail === undefined ? [] : [{ row: i + 1, detail }];
  });
  if (faults.length > 0) return faults;
  const ages = Math.max(...triangle.map((cells) => knownAges(cells)));
  return ages < MIN_AGES
    ? [{ row: 0, detail: `The triangle is too young: it has ${ages} ages, and a forecast needs ${MIN_AGES}.` }]
    : [];
}

function faultOfRow(cells: unknown): string | undefined {
  if (!Array.isArray(cells)) return 'A row is an array of amounts and nulls.';
  const known = knownAges(cells);
  if (known === 0) return 'A row needs its first amount.';
  const at = cells.findIndex((cell, i) => i < known && (typeof cell !== 'number' || !Number.isFinite(cell)));
  if (at === -1) return undefined;
  return cells[at] === null
    ? `Age ${at + 1} is null although a later age is known.`
    : `Age ${at + 1} is not a finite number.`;
}

/** How many ages are known: the position after the last amount. */
function knownAges(cells: readonly unknown[]): number {
  return cells.findLastIndex((cell) => cell !== null) + 1;
}

/** @param triangle one that `checkTriangle` accepts */
export function chainLadder(triangle: Triangle): ChainLadder {
  const rows = triangle.map((cells) => cells.slice(0, knownAges(cells)) as number[]);
  const count = Math.max(...rows.map((row) => row.length));
  const steps = Array.from({ length: count - 1 }, (_, k) => developmentStep(rows, k));
  const factors = steps.map(({ factor }) => factor);
  const volumes = steps.map(({ volume }) => volume);
  const sigmaSquared = estimateVariances(steps);
  const ages = rows.map((row) => row.length - 1);
  const latest = rows.map((row) => row.at(-1) ?? 0);
  const paths = rows.map((row, i) => project(latest[i] ?? 0, factors.slice(row.length - 1)));
  const ultimates = paths.map((path) => path.at(-1) ?? 0);
  const reserves = ultimates.map((ultimate, i) => ultimate - (latest[i] ?? 0));
  // Of a factor's own error, relative and squared: σ²_k / f_k² / Σ C_jk.
  const relative = sigmaSquared.map((sigma, k) => divide(sigma, (factors[k] ?? 0) ** 2));
  const ofFactor = relative.map((each, k) => divide(each, volumes[k] ?? 0));
  const from = (values: readonly number[], age: number) => sum(values.slice(age));
  const squared = paths.map((path, i) => {
    const age = ages[i] ?? 0;
    const process = sum(path.slice(0, -1).map((amount, step) => divide(relative[age + step] ?? 0, amount)));
    return (ultimates[i] ?? 0) ** 2 * (process + from(ofFactor, age));
  });
  // Origins share factors, so their errors are correlated: the corollary to theorem 3.
  const shared = ultimates.map((ultimate, i) =>
    sum(
      ultimates.slice(i + 1).map((other, j) => {
        const age = Math.max(ages[i] ?? 0, ages[i + 1 + j] ?? 0);
        return 2 * ultimate * other * from(ofFactor, age);
      }),
    ),
  );
  return {
    factors,
    sigmaSquared,
    volumes,
    latest,
    ages,
    ultimates,
    reserves,
    standardErrors: squared.map(Math.sqrt),
    total: { reserve: sum(reserves), standardError: Math.sqrt(Math.max(0, sum(squared) + sum(shared))) },
  };
}

interface Step {
  factor: number;
  volume: number;
  /** Σ C_jk (C_jk+1 / C_jk − f_k)², and the number of its terms. */
  squares: number;
  terms: number;
}

/** The development from age k to the next, of the origins that know both. */
function developmentStep(rows: readonly number[][], k: number): Step {
  const pairs = rows.filter((row) => row.length > k + 1).map((row) => [row[k] ?? 0, row[k + 1] ?? 0] as const);
  const volume = sum(pairs.map(([before]) => before));
  const later = sum(pairs.map(([, after]) => after));
  // Nothing has been earned yet: nothing is expected to follow.
  const factor = volume === 0 ? 1 : later / volume;
  const used = pairs.filter(([before]) => before !== 0);
  const squares = sum(used.map(([before, after]) => before * (after / before - factor) ** 2));
  return { factor, volume, squares, terms: used.length };
}

/** σ²_k with one degree of freedom less than terms; where there is one term, extrapolated by the rule below formula (8). */
function estimateVariances(steps: readonly Step[]): number[] {
  const variances: number[] = [];
  for (const { squares, terms } of steps) {
    const [before = 0, last = 0] = variances.slice(-2);
    if (terms > 1) variances.push(Math.max(0, squares / (terms - 1)));
    else if (variances.length < 2) variances.push(last || before);
    else variances.push(Math.min(divide(last ** 2, before), before, last));
  }
  return variances;
}

/** The amounts from the last known one to the ultimate. */
function project(latest: number, factors: readonly number[]): number[] {
  const path = [latest];
  for (const factor of factors) path.push((path.at(-1) ?? 0) * factor);
  return path;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** 0 where there is nothing to divide by: what has no volume has no error either. */
function divide(value: number, by: number): number {
  return by === 0 ? 0 : value / by;
}
