import type { Deps } from '../shared/deps.ts';
import { isoTime } from '../shared/time.ts';
import { DAY } from '../shared/units.ts';
import { sequentialSize } from '../statistics/index.ts';
import type { Definition } from './contract.ts';
import { durationOf } from './experiment.ts';
import { armOf, readHistory } from './read-metric.ts';
import type { ExperimentPower, PowerQuery } from './results-contract.ts';
import { ALPHA } from './sequence.ts';

const DAYS = 28;
const LIFTS = [0.02, 0.05, 0.1, 0.2];

/** How many visitors an experiment needs, by what visitors of the last weeks did. */
export async function getPower(
  deps: Deps,
  accountId: string,
  definition: Definition,
  { lift, power = 0.8 }: PowerQuery,
): Promise<ExperimentPower> {
  const now = deps.clock();
  const window = durationOf(definition.window);
  const read = async (to: number) => {
    const period = { startedAt: new Date(to - DAYS * DAY), stoppedAt: new Date(to), knownOn: now };
    return { to, arm: armOf(await readHistory(deps, accountId, definition, period), 'to date') };
  };
  // Whoever came before the window had all of it to buy; a young account has only later visitors.
  const before = await read(now - window);
  const { to, arm } = before.arm.n > 0 ? before : await read(now);
  const participation = definition.coverage * (1 - definition.holdout);
  const visitors = Math.round(arm.n * participation);
  const perDay = visitors / DAYS;
  const mean = arm.n === 0 ? null : arm.sum / arm.n;
  const variance = arm.n < 2 ? null : Math.max(0, (arm.sumOfSquares - arm.sum ** 2 / arm.n) / (arm.n - 1));
  const plans = (lift === undefined ? LIFTS : [lift]).map((each) => {
    const needed = mean && variance ? sizeOf(definition, { mean, variance }, each, power) : null;
    const settles = (window + durationOf(definition.settleAfter)) / DAY;
    const days = needed !== null && perDay > 0 ? Math.ceil(needed / perDay + settles) : null;
    return { lift: each, visitors: needed, days };
  });
  return {
    ...{ from: isoTime(to - DAYS * DAY), to: isoTime(to), visitors, visitorsPerDay: Number(perDay.toFixed(2)) },
    ...{ mean, standardDeviation: variance === null ? null : Math.sqrt(variance), power, plans },
    summary: summarize(plans, power),
  };
}

/** The comparison of the smallest variant needs most. */
function sizeOf(
  { variants }: Definition,
  baseline: { mean: number; variance: number },
  lift: number,
  power: number,
): number {
  const [control = 1, ...others] = variants.map(({ weight }) => weight);
  const smallest = Math.min(...others);
  const size = sequentialSize({ ...baseline, weights: [control, smallest] }, lift, ALPHA / others.length, power);
  return Math.ceil(size / (control + smallest));
}

function summarize(plans: ExperimentPower['plans'], power: number): string {
  const plan = plans.find(({ days }) => days !== null && days <= 120) ?? plans.at(-1);
  if (!plan || plan.visitors === null || plan.days === null) {
    return 'Visitors of the last weeks have no values of the metric that differ, so nothing can be planned by them.';
  }
  const share = (value: number) => `${Number((value * 100).toFixed(1))} %`;
  return `A difference of ${share(plan.lift)} is found with a probability of ${share(power)} by ${plan.visitors.toLocaleString('en')} visitors, settled after ${plan.days} days at the rate of the last weeks.`;
}
