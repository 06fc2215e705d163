import type { AlertDefinition } from './contract.ts';

/** Values of one window and of earlier ones that it is compared with. */
export interface Series {
  current: number;
  /** The window one, two, three … days before, or weeks if the window is a week; null: before the account had data. */
  earlier: readonly (number | null)[];
  /** How many steps of `earlier` are a week. */
  perWeek: number;
  /** Whether the account had no data before the window, so that little says nothing. */
  isTooYoung?: boolean;
}

export interface Observation {
  value: number;
  /** What is usual; null if the rule compares with a fixed value, or too little is known. */
  expected: number | null;
  /** The value beyond which the rule alerts. */
  limit: number | null;
  state: 'breach' | 'clear' | 'between' | 'tooYoung';
}

/** Weeks that must be known before something is usual. */
const MIN_WEEKS = 3;
/** One false alarm in some 200 windows of noise alone, were it normally distributed. Sales are skewed upwards, so drops are rarer. */
const Z = 2.55;
/** Part of the way from the limit to what is usual that a value must recover before an incident is resolved. */
const HYSTERESIS = 0.25;

/**
 * Compares a series with a rule. Deviations from what is usual must be large in percent, as the rule says, and unlikely: the noise of the
 * account is that of the same windows before, each relative to the mean of its weekday, so that a quiet shop of few sales a day raises no alarms.
 */
export function evaluate(
  { kind, direction, value: fixed, percent }: Pick<AlertDefinition, 'kind' | 'direction' | 'value' | 'percent'>,
  series: Series,
): Observation {
  const { current } = series;
  const isBelow = direction === 'below';
  if (kind === 'silence') return evaluateSilence(series);
  if (kind === 'threshold') {
    const limit = fixed ?? 0;
    if (series.isTooYoung) return { value: current, expected: null, limit, state: 'tooYoung' };
    const isBreach = isBelow ? current < limit : current > limit;
    return { value: current, expected: null, limit, state: isBreach ? 'breach' : 'clear' };
  }
  const usual = usualOf(series);
  if (!usual || usual.mean <= 0) return { value: current, expected: null, limit: null, state: 'tooYoung' };
  const { mean, noise } = usual;
  const share = Math.max((percent ?? 40) / 100, noise);
  const limit = isBelow ? mean * (1 - share) : mean * (1 + share);
  const isBreach = isBelow ? current < limit : current > limit;
  const clear = limit + (mean - limit) * HYSTERESIS;
  const isClear = isBelow ? current >= clear : current <= clear;
  return { value: current, expected: mean, limit, state: isBreach ? 'breach' : isClear ? 'clear' : 'between' };
}

/** With so many expected, none is no coincidence at any of the windows of a quarter. */
const LOUD = 12;

/** Silence is only unusual where something usually arrives: at night a shop may have no visit for an hour. */
function evaluateSilence({ current, earlier, perWeek }: Series): Observation {
  const known = earlier.filter((each): each is number => each !== null);
  const same = earlier.filter((each, i): each is number => each !== null && (i + 1) % perWeek === 0);
  const expected = known.length === 0 ? 0 : trimmedMean(same.length < MIN_WEEKS ? known : same);
  const state = current > 0 ? 'clear' : expected >= LOUD ? 'breach' : known.length === 0 ? 'tooYoung' : 'between';
  return { value: current, expected, limit: null, state };
}

/** The mean of the same weekday, and by which share a window must differ from it to be unlikely. */
function usualOf({ earlier, perWeek }: Series): { mean: number; noise: number } | undefined {
  const byDay = Array.from({ length: perWeek }, (_, day) =>
    earlier.filter((each, i): each is number => each !== null && (i + 1) % perWeek === day),
  );
  const same = byDay[0] ?? [];
  if (same.length < MIN_WEEKS) return undefined;
  const mean = trimmedMean(same);
  const ratios = byDay.flatMap((values) => {
    const of = trimmedMean(values);
    return values.length < MIN_WEEKS || of <= 0 ? [] : values.map((value) => value / of - 1);
  });
  const degrees = ratios.length - byDay.filter((values) => values.length >= MIN_WEEKS).length;
  if (degrees < 2) return undefined;
  const variance = ratios.reduce((sum, ratio) => sum + ratio * ratio, 0) / degrees;
  return { mean, noise: quantile(degrees) * Math.sqrt(variance * (1 + 1 / same.length)) };
}

/** Without the smallest and the largest value: last year's sale day, or the outage before, is not usual. */
function trimmedMean(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const kept = sorted.length >= 5 ? sorted.slice(1, -1) : sorted;
  return kept.reduce((sum, value) => sum + value, 0) / Math.max(1, kept.length);
}

/** Of Student's t distribution, by its expansion around the normal one (Cornish and Fisher). */
function quantile(degrees: number): number {
  const z = Z;
  return z + (z ** 3 + z) / (4 * degrees) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2);
}

/** What is remembered of a rule between evaluations. */
export interface AlertState {
  status: 'ok' | 'alerting' | 'tooYoung';
  /** Evaluations in a row that breached, while no incident is open. */
  breaches: number;
}

/**
 * The next state. An incident opens at the first breach of a window that is over, and at the second one in a row of a window that is still
 * running; it is resolved once the value is clear of the limit, so that a value around it raises one notice and not many.
 */
export function nextState(
  state: AlertState,
  { state: observed }: Observation,
  isRunning: boolean,
): AlertState & { change: 'opened' | 'resolved' | null } {
  if (state.status === 'alerting') {
    if (observed !== 'clear') return { ...state, change: null };
    return { status: 'ok', breaches: 0, change: 'resolved' };
  }
  if (observed === 'tooYoung') return { status: 'tooYoung', breaches: 0, change: null };
  if (observed !== 'breach') return { status: 'ok', breaches: 0, change: null };
  const breaches = state.breaches + 1;
  if (breaches < (isRunning ? 2 : 1)) return { status: 'ok', breaches, change: null };
  return { status: 'alerting', breaches: 0, change: 'opened' };
}
