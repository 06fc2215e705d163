import { type Arm, criticalValue, distanceOf, fixedSize, type Sequence, sampleRatio } from '../src/statistics/index.ts';
import { randomOf } from './load.ts';

/** `npm run simulate -- experiments`: experiments whose truth is known, looked at every hour, and how often they are decided. */

const HOURS = 500;
const ALPHA = 0.05;
/** The share of visitors who buy. */
const RATE = 0.1;
/** Of the second variant, where it is better. */
const LIFT = 0.2;
const WINDOW_DAYS = 14;
const SETTLE_DAYS = 30;

export const SCENARIOS = {
  none: 'no difference',
  sooner: 'the second variant sells the same, sooner',
  refunded: 'the second variant sells 30 % more, all of which is refunded 5 to 25 days later',
  'heavy tails': 'log-normal amounts with σ 2',
  devices: '5 % return on another device, half of them with an email that tells it',
  bots: '20 % more visits of bots in the second variant, one in ten of which is not recognized',
} as const;
export type Scenario = keyof typeof SCENARIOS;

interface Shop {
  random: () => number;
  scenario: Scenario;
  lift: number;
}

/** What a visitor is worth when they settle. */
function settledValue({ random, scenario, lift }: Shop, arm: number): number {
  const isExtra = scenario === 'refunded' && arm === 1 && random() < RATE * 0.3;
  const isSale = random() < RATE * (arm === 1 ? 1 + lift : 1);
  let value = 0;
  if (isSale) {
    const soldAfter = WINDOW_DAYS * random() ** (scenario === 'sooner' && arm === 1 ? 4 : 1);
    const reportedAfter = soldAfter + 3 * random();
    if (reportedAfter <= WINDOW_DAYS + SETTLE_DAYS) value += amountOf(random, scenario);
  }
  if (isExtra) {
    const refundedAfter = WINDOW_DAYS * random() + 5 + 20 * random();
    if (refundedAfter > WINDOW_DAYS + SETTLE_DAYS) value += amountOf(random, scenario);
  }
  return value;
}

function amountOf(random: () => number, scenario: Scenario): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return 50 * Math.exp((scenario === 'heavy tails' ? 2 : 0.5) * normal);
}

function add(arm: Arm, value: number): void {
  arm.n++;
  arm.sum += value;
  arm.sumOfSquares += value * value;
}

function expose(shop: Shop, arms: readonly [Arm, Arm]): void {
  const { random, scenario } = shop;
  const side = () => (random() < 0.5 ? 0 : 1);
  const first = side();
  const value = settledValue(shop, first);
  const isSecondVisitor = scenario === 'devices' && random() < 0.05 && random() < 0.5;
  if (isSecondVisitor) {
    // Nobody knows that it is the same person: what they buy counts on the device on which they buy it.
    add(arms[first], 0);
    add(arms[side()], value);
  } else add(arms[first], value);
  if (scenario === 'bots' && random() < 0.1 * 0.2 * 0.5) add(arms[1], 0);
}

/** @returns whether any look decided, and whether a test of a single look at the end does */
function runExperiment(shop: Shop, perHour: number, sequence: Sequence): { decided: number; isFound: boolean } {
  const arms: [Arm, Arm] = [
    { n: 0, sum: 0, sumOfSquares: 0 },
    { n: 0, sum: 0, sumOfSquares: 0 },
  ];
  let decided = 0;
  for (let hour = 0; hour < HOURS; hour++) {
    for (let i = 0; i < perHour; i++) expose(shop, arms);
    if (decided !== 0) continue;
    const distance = distanceOf(arms, 1);
    if (distance === null || Math.abs(distance.z) < criticalValue(sequence, distance.n, ALPHA)) continue;
    if (sampleRatio([arms[0].n, arms[1].n], [0.5, 0.5], ALPHA).ok) decided = Math.sign(distance.z);
  }
  const [a, b] = arms.map(({ n, sum, sumOfSquares }) => ({
    mean: sum / n,
    error: (sumOfSquares / n - (sum / n) ** 2) / n,
  }));
  const z = a && b ? (b.mean - a.mean) / Math.sqrt(a.error + b.error) : 0;
  return { decided, isFound: z > 1.959964 };
}

function planOf(): { perHour: number; sequence: Sequence } {
  const mean = RATE * 50 * Math.exp(0.125);
  const variance = RATE * 2_500 * Math.exp(0.5) - mean ** 2;
  const planned = fixedSize({ mean, variance, weights: [0.5, 0.5] }, LIFT, ALPHA, 0.8);
  return { perHour: Math.ceil(planned / HOURS), sequence: { alpha: ALPHA, tuning: planned, planned } };
}

/** The share of experiments without a difference that are decided at some look. */
export function falseDecisions(scenario: Scenario, experiments: number, seed: number): number {
  const { perHour, sequence } = planOf();
  const shop = { random: randomOf(seed), scenario, lift: 0 };
  let decided = 0;
  for (let i = 0; i < experiments; i++) decided += Math.abs(runExperiment(shop, perHour, sequence).decided);
  return decided / experiments;
}

export interface Power {
  /** The share of experiments with a difference that are decided by their planned size. */
  sequential: number;
  /** That of a test of a single look there. */
  fixed: number;
  ratio: number;
  /** The interval of 95 % of the ratio, by the delta method of two shares of the same experiments. */
  low: number;
  high: number;
}

export function powerOf(experiments: number, seed: number): Power {
  const { perHour, sequence } = planOf();
  const shop = { random: randomOf(seed), scenario: 'none' as const, lift: LIFT };
  let [sequential, fixed, both] = [0, 0, 0];
  for (let i = 0; i < experiments; i++) {
    const { decided, isFound } = runExperiment(shop, perHour, sequence);
    if (decided === 1) sequential++;
    if (isFound) fixed++;
    if (decided === 1 && isFound) both++;
  }
  const ratio = sequential / fixed;
  const error = Math.sqrt(1 / sequential + 1 / fixed - (2 * both) / (sequential * fixed));
  const [low, high] = [-1, 1].map((side) => ratio * Math.exp(side * 1.959964 * error)) as [number, number];
  return { sequential: sequential / experiments, fixed: fixed / experiments, ratio, low, high };
}
