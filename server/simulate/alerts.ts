import { type AlertState, evaluate, nextState } from '../src/analytics/alerts/evaluate.ts';
import { PRESET } from '../src/analytics/alerts/rule.ts';
import { randomOf } from './load.ts';

export interface Shop {
  name: string;
  salesPerDay: number;
  /** The share of sales that is reported on each day after the sale. */
  delays: readonly number[];
  refundShare: number;
  /** By weekday. */
  week: readonly number[];
  growthPerWeek: number;
}

const EVEN = [1, 1, 1, 1, 1, 1, 1];
export const SHOPS: readonly Shop[] = [
  { name: '60 a day', salesPerDay: 60, delays: [1], refundShare: 0.05, week: EVEN, growthPerWeek: 1 },
  {
    ...{ name: '200 a day, busy weekends', salesPerDay: 200, delays: [1], refundShare: 0.1 },
    ...{ week: [0.8, 0.8, 0.9, 1, 1.2, 1.4, 0.9], growthPerWeek: 1.01 },
  },
  {
    ...{ name: '300 a day, half of them reported late', salesPerDay: 300, delays: [0.5, 0.2, 0.15, 0.1, 0.05] },
    ...{ refundShare: 0.15, week: [1, 0.9, 0.9, 1, 1.1, 1.2, 0.9], growthPerWeek: 0.99 },
  },
  { name: '12 a day', salesPerDay: 12, delays: [0.8, 0.2], refundShare: 0.05, week: EVEN, growthPerWeek: 1 },
];

const HISTORY_DAYS = 57;
const QUARTER_DAYS = 91;

export interface Simulated {
  falseAlarms: number;
  /** Days until a halving raised the alarm; null: it did not within a week. */
  halvingSeenAfter: number | null;
}

/** Sales of days, each with its value and the day on which it was reported, and refunds that follow. */
function salesOf(shop: Shop, days: number, seed: number, halvedFrom: number) {
  const random = randomOf(seed);
  const poisson = (mean: number) => {
    // Sums of small ones, which need no large exponents.
    let count = 0;
    for (let left = mean; left > 0; left -= 20) {
      const limit = Math.exp(-Math.min(left, 20));
      for (let product = random(); product > limit; product *= random()) count++;
    }
    return count;
  };
  const reports: { day: number; knownOn: number; value: number }[] = [];
  for (let day = 0; day < days; day++) {
    const mean = shop.salesPerDay * (shop.week[day % 7] ?? 1) * shop.growthPerWeek ** (day / 7);
    for (let n = poisson(day >= halvedFrom ? mean / 2 : mean); n > 0; n--) {
      // Values of carts: many small ones, few large ones.
      const value = 40 * Math.exp(0.6 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
      let delay = 0;
      for (let left = random(); delay < shop.delays.length - 1 && left > (shop.delays[delay] ?? 0); delay++) {
        left -= shop.delays[delay] ?? 0;
      }
      reports.push({ day, knownOn: day + delay, value });
      if (random() < shop.refundShare) {
        reports.push({ day, knownOn: day + delay + 2 + Math.floor(random() * 10), value: -value });
      }
    }
  }
  return reports;
}

/** Evaluates the preset on sales of yesterday every day of a quarter, by the functions of the service. */
export function simulateAlerts(shop: Shop, seed: number): Simulated {
  const { salesDrop } = PRESET;
  const run = (halvedFrom: number) => {
    const days = HISTORY_DAYS + QUARTER_DAYS;
    // What was known of each day at each age.
    const known = Array.from({ length: days }, () => new Float64Array(days + 20));
    for (const { day, knownOn, value } of salesOf(shop, days, seed, halvedFrom)) {
      const of = known[day];
      if (of && knownOn < of.length) of[knownOn] = (of[knownOn] ?? 0) + value;
    }
    for (const of of known) for (let day = 1; day < of.length; day++) of[day] = (of[day] ?? 0) + (of[day - 1] ?? 0);
    let state: AlertState = { status: 'ok', breaches: 0 };
    const opened: number[] = [];
    for (let today = HISTORY_DAYS; today < days; today++) {
      // At the end of the day after.
      const at = (day: number, age: number) => known[day]?.[day + age] ?? 0;
      const current = at(today - 1, 0);
      const earlier = Array.from({ length: 56 }, (_, i) => (today - 2 - i < 0 ? null : at(today - 2 - i, 0)));
      const { change, ...next } = nextState(state, evaluate(salesDrop, { current, earlier, perWeek: 7 }), false);
      if (change === 'opened') opened.push(today - 1);
      state = next;
    }
    return opened;
  };
  const halvedFrom = HISTORY_DAYS + 60;
  const seen = run(halvedFrom).find((day) => day >= halvedFrom);
  return {
    falseAlarms: run(Number.POSITIVE_INFINITY).length,
    halvingSeenAfter: seen === undefined || seen > halvedFrom + 7 ? null : seen - halvedFrom + 1,
  };
}
