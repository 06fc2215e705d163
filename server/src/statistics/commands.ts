import { readFile } from 'node:fs/promises';
import { type ChainLadder, chainLadder, checkTriangle, type Triangle } from './chain-ladder.ts';
import { type Comparison, compareArms } from './compare-arms.ts';
import { DEFAULT_TUNING } from './confidence-sequence.ts';
import type { Arm } from './effect.ts';
import { type SampleRatio, sampleRatio } from './sample-ratio.ts';

/** A file that cannot be computed: one line for each fault. */
export class InputFault extends Error {}

export type Forecast = Pick<
  ChainLadder,
  'factors' | 'sigmaSquared' | 'ultimates' | 'reserves' | 'standardErrors' | 'total'
>;

/** `headwater forecast <triangle.json>`: the chain ladder of one triangle, unrounded. */
export async function forecastByCommand(path: string): Promise<Forecast> {
  const triangle = (await readInput(path)).triangle;
  const faults = checkTriangle(triangle);
  if (faults.length > 0) {
    throw new InputFault(faults.map(({ row, detail }) => (row === 0 ? detail : `Row ${row}: ${detail}`)).join('\n'));
  }
  const { factors, sigmaSquared, ultimates, reserves, standardErrors, total } = chainLadder(triangle as Triangle);
  return { factors, sigmaSquared, ultimates, reserves, standardErrors, total };
}

/** `headwater statistics <arms.json>`: the comparisons of one look at the arms of an experiment, unrounded. */
export async function statisticsByCommand(
  path: string,
): Promise<{ comparisons: Comparison[]; sampleRatio: SampleRatio }> {
  const { arms, alpha = 0.05, weights, tuning = DEFAULT_TUNING, planned } = await readInput(path);
  const isPositive = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < Infinity;
  const areArms = Array.isArray(arms) && arms.length >= 2;
  const shares: unknown = weights ?? (areArms ? arms.map(() => 1) : []);
  const areShares = Array.isArray(shares) && shares.every(isPositive) && (!areArms || shares.length === arms.length);
  const faults = [
    !isPositive(alpha) || alpha >= 1 ? 'alpha is a number between 0 and 1.' : undefined,
    !isPositive(tuning) ? 'tuning is a number above 0.' : undefined,
    planned !== undefined && !isPositive(planned) ? 'planned is a number above 0.' : undefined,
    areShares ? undefined : 'weights are numbers above 0, one of each arm.',
    ...(areArms ? arms.map(faultOfArm) : ['arms is an array of at least 2 arms.']),
  ].filter((fault) => fault !== undefined);
  if (faults.length > 0) throw new InputFault(faults.join('\n'));
  const known = arms as Arm[];
  const sequence = {
    alpha: alpha as number,
    tuning: tuning as number,
    ...(planned !== undefined && { planned: planned as number, tuning: planned as number }),
  };
  return {
    comparisons: compareArms(known, sequence, shares as number[]),
    sampleRatio: sampleRatio(
      known.map(({ n }) => n),
      shares as number[],
      sequence.alpha,
    ),
  };
}

function faultOfArm(arm: unknown, i: number): string | undefined {
  const { n, sum, sumOfSquares }: Record<string, unknown> = typeof arm === 'object' && arm !== null ? { ...arm } : {};
  const at = `Arm ${i + 1}:`;
  if (typeof n !== 'number' || !Number.isSafeInteger(n) || n < 0) return `${at} n is a whole number of visitors.`;
  if (typeof sum !== 'number' || !Number.isFinite(sum)) return `${at} sum is not a finite number.`;
  if (typeof sumOfSquares !== 'number' || !Number.isFinite(sumOfSquares)) {
    return `${at} sumOfSquares is not a finite number.`;
  }
  // Of n values with this sum, all equal, so that rounding of a sum is no fault.
  const least = n === 0 ? 0 : (sum * sum) / n;
  if (n === 0 ? sum !== 0 || sumOfSquares !== 0 : sumOfSquares < least * (1 - 1e-9)) {
    return `${at} no ${n} values have this sum and sumOfSquares.`;
  }
  return undefined;
}

async function readInput(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new InputFault(`The file ${path} cannot be read (${error.code}).`);
  });
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return { ...parsed };
  } catch {}
  throw new InputFault(`The file ${path} is not a JSON object.`);
}
