import { addOrigins, developmentOf, forecast, lognormalInterval, noSteps } from '../src/statistics/index.ts';
import { randomOf } from './load.ts';

/** `npm run simulate -- roas`: shops whose future is known, and how often it lies in the intervals that were forecast. */

const HORIZON = 90;
/** Days of clicks from which factors are estimated. */
const HISTORY = 180;
const WEEKS = 30;
/** Ages of the youngest day of a week's cohort at which it is forecast. */
const AGES = [4, 7, 14, 30, 60];
const LEVEL = 0.8;

export const SCENARIOS = {
  steady: 'the same number of sales every week',
  growth: 'sales grow by 3 % a week',
  'refund wave': 'a third of what was sold in ten days is refunded three weeks later',
  'seasonal jump': 'three times the sales in four weeks',
} as const;
export type Scenario = keyof typeof SCENARIOS;

export interface Outcome {
  scenario: Scenario;
  salesPerWeek: number;
  forecasts: number;
  /** The share of intervals that hold what came. */
  coverage: number;
  /** The sum of errors of expected revenue, and of revenue to date. */
  error: number;
  naiveError: number;
  /** The former divided by the latter, by age. */
  byAge: { age: number; coverage: number; ratio: number }[];
}

type Increments = (readonly [age: number, amount: number])[];

/** For each day of clicks what its sales changed, by age. */
function simulateShop(scenario: Scenario, salesPerWeek: number, days: number, random: () => number): Increments[] {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const wave = days - 100;
  return Array.from({ length: days }, (_, day) => {
    const trend = scenario === 'growth' ? 1.03 ** ((day - days / 2) / 7) : 1;
    const season = scenario === 'seasonal jump' && day > days - 160 && day < days - 132 ? 3 : 1;
    const increments = new Map<number, number>();
    const add = (age: number, amount: number) => increments.set(age, (increments.get(age) ?? 0) + amount);
    for (let sales = poisson((salesPerWeek / 7) * trend * season, random); sales > 0; sales--) {
      const value = Math.round(6_000 * Math.exp(0.6 * normal())) / 100;
      // Two of five buy at once, the others decide within weeks.
      const age = random() < 0.4 ? 0 : Math.floor(-9 * Math.log(1 - random()));
      add(age, value);
      const soldOn = day + age;
      const isInWave = scenario === 'refund wave' && soldOn >= wave && soldOn < wave + 10;
      if (random() < (isInWave ? 0.33 : 0.06)) add(age + (isInWave ? 21 : 4 + Math.floor(14 * random())), -value);
    }
    return [...increments].sort(([a], [b]) => a - b);
  });
}

function poisson(mean: number, random: () => number): number {
  let count = 0;
  for (let product = random(); product > Math.exp(-mean); product *= random()) count++;
  return count;
}

const until = (increments: Increments, age: number) => {
  let sum = 0;
  for (const [at, amount] of increments) if (at <= age) sum += amount;
  return sum;
};

/** Forecasts every weekly cohort of a shop at several ages, from what was known then. */
export function simulateForecasts(scenario: Scenario, salesPerWeek: number, shops: number, seed: number): Outcome {
  const random = randomOf(seed);
  const tally = AGES.map((age) => ({ age, forecasts: 0, held: 0, error: 0, naive: 0 }));
  for (let shop = 0; shop < shops; shop++) {
    const days = simulateShop(scenario, salesPerWeek, HISTORY + WEEKS * 7, random);
    for (let start = HISTORY; start + 7 <= days.length; start += 7) {
      for (const each of tally) {
        // The last day that is over.
        const today = start + 6 + each.age;
        const steps = noSteps(HORIZON);
        for (let day = Math.max(0, today - HISTORY - HORIZON); day <= Math.min(today, days.length - 1); day += 7) {
          const week = days.slice(day, Math.min(day + 7, today + 1));
          addOrigins(
            steps,
            week.map((increments, i) => ({ increments, known: today - day - i })),
          );
        }
        const cohort = days.slice(start, start + 7);
        const amounts = new Map(
          cohort.map((increments, i) => [today - start - i, until(increments, today - start - i)]),
        );
        const revenue = [...amounts.values()].reduce((a, b) => a + b, 0);
        const { reserve, standardError } = forecast(developmentOf(steps), amounts);
        const [low, high] = lognormalInterval(revenue + reserve, standardError, LEVEL);
        const truth = cohort.reduce((sum, increments) => sum + until(increments, HORIZON), 0);
        each.forecasts++;
        if (truth >= low - 0.005 && truth <= high + 0.005) each.held++;
        each.error += Math.abs(revenue + reserve - truth);
        each.naive += Math.abs(revenue - truth);
      }
    }
  }
  const sum = (of: (each: (typeof tally)[number]) => number) => tally.reduce((total, each) => total + of(each), 0);
  const forecasts = sum((each) => each.forecasts);
  return {
    ...{ scenario, salesPerWeek, forecasts },
    coverage: sum((each) => each.held) / forecasts,
    error: sum((each) => each.error),
    naiveError: sum((each) => each.naive),
    byAge: tally.map(({ age, held, forecasts: count, error, naive }) => ({
      age,
      coverage: held / count,
      ratio: error / naive,
    })),
  };
}
