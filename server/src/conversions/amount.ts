// As JSON writes numbers, and as people do: a plus, leading zeros, a bare point.
const NUMERIC = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const MAX_LENGTH = 64;
const LARGEST = 1e18;

/**
 * An amount as PostgreSQL's `numeric` reads it, digit for digit; a JSON number in its shortest form. Undefined for what is
 * neither a number nor a numeric string (an empty string is not zero), or beyond 10^18 (interface: Conversions, rule 3).
 */
export function readAmount(sent: unknown): string | undefined {
  if (typeof sent === 'number') return Math.abs(sent) <= LARGEST ? String(sent) : undefined;
  if (typeof sent !== 'string' || sent.length > MAX_LENGTH || !NUMERIC.test(sent)) return undefined;
  return Math.abs(Number(sent)) <= LARGEST ? sent : undefined;
}
