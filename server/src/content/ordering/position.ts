/** Digits in the order of their characters. */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = DIGITS.length;
/** Digits before the fraction: room for 56 billion positions at either end. */
const WHOLE = 6;
const MIDDLE = 'V00000';

/**
 * A position between two others, which sort as texts by their characters: a number in base 62, of six digits and a fraction. undefined:
 * there is none on that side.
 */
export function positionBetween(before: string | undefined, after: string | undefined): string {
  if (before === undefined && after === undefined) return MIDDLE;
  if (before === undefined) return wholeOf(numberOf(after ?? '') - 1);
  const own = numberOf(before);
  if (after === undefined) return wholeOf(own + 1);
  const next = numberOf(after);
  if (next - own > 1) return wholeOf(own + Math.floor((next - own) / 2));
  const fraction = after.slice(WHOLE);
  if (next > own && fraction !== '') return after.slice(0, WHOLE);
  return before.slice(0, WHOLE) + middleOf(before.slice(WHOLE), next > own ? undefined : fraction);
}

/** Positions after another one, in order. */
export function positionsAfter(last: string | undefined, count: number): string[] {
  const positions: string[] = [];
  for (let at = last; positions.length < count; positions.push(at)) at = positionBetween(at, undefined);
  return positions;
}

const numberOf = (position: string): number => {
  let number = 0;
  for (const digit of position.slice(0, WHOLE)) number = number * BASE + DIGITS.indexOf(digit);
  return number;
};

function wholeOf(number: number): string {
  let text = '';
  for (let rest = number; text.length < WHOLE; rest = Math.floor(rest / BASE))
    text = (DIGITS[rest % BASE] ?? '') + text;
  return text;
}

/** A fraction between two others, as short as possible and without a zero at its end. @param high undefined: one */
function middleOf(low: string, high: string | undefined): string {
  let prefix = '';
  for (let i = 0; ; i++) {
    const from = i < low.length ? DIGITS.indexOf(low[i] ?? '') : 0;
    const to = high === undefined ? BASE : DIGITS.indexOf(high[i] ?? '');
    if (to - from > 1) return prefix + DIGITS[Math.floor((from + to) / 2)];
    if (to - from === 1) {
      // The digit of the higher one alone is less than it, if that goes on.
      if (high !== undefined && high.length > i + 1) return prefix + DIGITS[to];
      return prefix + DIGITS[from] + middleOf(low.slice(i + 1), undefined);
    }
    prefix += DIGITS[from];
  }
}
