import {
  addOrigins,
  credibleDevelopments,
  type Development,
  developmentOf,
  forecast,
  lognormalInterval,
  noSteps,
  type Origin,
  type Steps,
  sumSteps,
} from '../../statistics/index.ts';

/** Revenue of one key, by day of click and age in days. */
export type Revenue = Map<number, [age: number, amount: number][]>;

/** What is known on a day, and how much of that day is over. */
export interface Now {
  day: number;
  over: number;
}

const WEEK = 7;
const MIN_AGES = 3;

/** Ages that a forecast of past weeks is repeated at. */
const REPEATED_AT = [7, 14];
/** Weeks that factors are estimated from before a forecast is repeated. */
const MIN_WEEKS = 8;

/** Adds to what came at this age, so that a day has at most one increment for each. */
export function addIncrement(revenue: Revenue, day: number, age: number, amount: number): void {
  const increments = revenue.get(day);
  if (!increments) {
    revenue.set(day, [[age, amount]]);
    return;
  }
  let i = increments.length;
  while (i > 0 && (increments[i - 1]?.[0] ?? 0) > age) i--;
  const same = increments[i - 1];
  if (same?.[0] === age) same[1] += amount;
  else increments.splice(i, 0, [age, amount]);
}

/** The steps of all days of clicks until a day, of what was known when `today` began. */
function stepsUntil(revenue: Revenue, horizon: number, today: number): Steps {
  const steps = noSteps(horizon);
  const weeks = new Map<number, Origin[]>();
  for (const [day, increments] of revenue) {
    const known = today - 1 - day;
    if (known < 1) continue;
    const week = Math.floor((today - 1 - day) / WEEK);
    const origins = weeks.get(week);
    if (origins) origins.push({ increments, known });
    else weeks.set(week, [{ increments, known }]);
  }
  for (const origins of weeks.values()) addOrigins(steps, origins);
  return steps;
}

interface Developments {
  account: Development;
  /** By the position of each key. */
  keys: Development[];
  /** How many ages are known; fewer than three: too young. */
  ages: number;
  pooledFrom: { key: number; source: number; account: number };
}

/**
 * The developments of keys, which borrow from their source, and sources from the account.
 * @param isSource whether keys are sources
 */
export function developmentsOf(
  keys: readonly { source: string; revenue: Revenue }[],
  horizon: number,
  now: Now,
  isSource: boolean,
): Developments {
  const steps = keys.map(({ revenue }) => stepsUntil(revenue, horizon, now.day));
  const all = sumSteps(steps, horizon);
  const account = developmentOf(all);
  const bySource = Map.groupBy(
    keys.map((_, i) => i),
    (i) => keys[i]?.source ?? '',
  );
  const groups = [...bySource.values()];
  const stepsOf = (positions: readonly number[]) => positions.flatMap((i) => steps[i] ?? []);
  const sources = credibleDevelopments(
    groups.map((positions) => sumSteps(stepsOf(positions), horizon)),
    account,
  );
  const developments: Development[] = [];
  const weights = { key: 0, source: 0, account: 0 };
  for (const [g, positions] of groups.entries()) {
    const source = sources[g];
    if (!source) continue;
    const ofKeys = isSource ? [source] : credibleDevelopments(stepsOf(positions), source);
    for (const [n, i] of positions.entries()) {
      const development = ofKeys[n] ?? source;
      developments[i] = development;
      const [own, pooled] = [isSource ? 0 : meanWeight(development, account), meanWeight(source, account)];
      weights.key += isSource ? pooled : own;
      weights.source += isSource ? 0 : (1 - own) * pooled;
      weights.account += isSource ? 1 - pooled : (1 - own) * (1 - pooled);
    }
  }
  const share = (weight: number) => Math.round((1e4 * weight) / Math.max(1, keys.length)) / 1e4;
  const pooledFrom = { key: share(weights.key), source: share(weights.source), account: share(weights.account) };
  return { account, keys: developments, ages: all.volumes.findLastIndex((volume) => volume > 0) + 2, pooledFrom };
}

export const isTooYoung = ({ ages }: Pick<Developments, 'ages'>) => ages < MIN_AGES;

/** Ages at which more is still to come weigh more. */
function meanWeight({ weights }: Development, { factors }: Development): number {
  let [sum, total] = [0, 0];
  for (const [k, weight] of weights.entries()) {
    const growth = Math.abs((factors[k] ?? 1) - 1);
    sum += growth * weight;
    total += growth;
  }
  return total === 0 ? 0 : sum / total;
}

export interface Expectation {
  expected: number;
  low: number;
  high: number;
}

/** What the clicks of some days are expected to earn until full age. */
export function expect(
  development: Development,
  revenue: Revenue,
  isIncluded: (day: number) => boolean,
  now: Now,
  level: number,
): Expectation {
  const amounts = new Map<number, number>();
  let known = 0;
  for (const [day, increments] of revenue) {
    if (!isIncluded(day)) continue;
    const amount = increments.reduce((sum, [, each]) => sum + each, 0);
    known += amount;
    const age = now.day - 1 - day + now.over;
    amounts.set(age, (amounts.get(age) ?? 0) + amount);
  }
  const { reserve, standardError } = forecast(development, amounts);
  const expected = known + reserve;
  const [low, high] = lognormalInterval(expected, standardError, level);
  return { expected, low, high };
}

/** Repeats the forecasts of past weeks of clicks that are of full age by now, by what was known then. */
export function repeatForecasts(
  revenue: Revenue,
  horizon: number,
  { day: today }: Now,
  level: number,
): { observed: number | null; cohorts: number } {
  const first = Math.min(...revenue.keys());
  if (!Number.isFinite(first)) return { observed: null, cohorts: 0 };
  // A young account repeats shorter forecasts.
  const until = Math.min(horizon, Math.floor((today - first) / 3));
  let [cohorts, held] = [0, 0];
  for (let end = today - 1 - until; end - WEEK * (MIN_WEEKS + 1) >= first; end -= WEEK) {
    const days = Array.from({ length: WEEK }, (_, i) => end - WEEK + 1 + i);
    const truth = days.reduce((sum, day) => sum + amountUntil(revenue.get(day), until), 0);
    for (const after of REPEATED_AT) {
      if (after >= until) continue;
      const then = end + after + 1;
      // What arrived at later ages is not used, because each origin says how many it knows.
      const development = developmentOf(stepsUntil(revenue, until, then));
      const amounts = new Map(days.map((day) => [then - 1 - day, amountUntil(revenue.get(day), then - 1 - day)]));
      const { reserve, standardError } = forecast(development, amounts);
      const known = [...amounts.values()].reduce((sum, amount) => sum + amount, 0);
      if (known === 0 && truth === 0) continue;
      const [low, high] = lognormalInterval(known + reserve, standardError, level);
      cohorts++;
      // Amounts are floating-point numbers.
      if (truth >= low - 1e-6 && truth <= high + 1e-6) held++;
    }
  }
  return { observed: cohorts === 0 ? null : Math.round((1e4 * held) / cohorts) / 1e4, cohorts };
}

export function amountUntil(
  increments: readonly (readonly [age: number, amount: number])[] | undefined,
  age: number,
): number {
  let sum = 0;
  for (const [at, amount] of increments ?? []) if (at <= age) sum += amount;
  return sum;
}
