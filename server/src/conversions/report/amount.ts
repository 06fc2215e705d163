import { rawAsText } from '../../shared/json.ts';
import { LIMITS } from '../limits.ts';

// JSON's syntax, plus a leading plus, leading zeros and a bare decimal point.
const NUMERIC = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/**
 * An amount in the syntax of PostgreSQL's `numeric`, trimmed, digit for digit; a JSON number in its shortest form. Undefined for a
 * value that is neither a number nor a numeric string (an empty string is not zero) or exceeds 10^18 (interface:
 * Conversions, rule 3).
 */
export function readAmount(given: unknown): string | undefined {
  const sent = rawAsText(given);
  if (typeof sent === 'number') return Math.abs(sent) <= LIMITS.value ? String(sent) : undefined;
  if (typeof sent !== 'string' || sent.length > LIMITS.valueLength) return undefined;
  const text = sent.trim();
  return NUMERIC.test(text) && Math.abs(Number(text)) <= LIMITS.value ? text : undefined;
}
