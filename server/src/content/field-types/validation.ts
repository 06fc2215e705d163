import { hasMoreCharacters } from '../../shared/characters.ts';
import { LIMITS } from '../limits.ts';
import { matchesPattern, patternSize } from './pattern.ts';

/** What a field can require of its values beyond their type. A bound of a date or timestamp is one. */
export interface Validation {
  min?: number | string;
  max?: number | string;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  /** Of a repeated field. */
  minItems?: number;
  maxItems?: number;
}
export type ValidationRule = keyof Validation;

export const RANGE_RULES = ['min', 'max'] as const satisfies readonly ValidationRule[];
export const TEXT_RULES = ['minLength', 'maxLength', 'pattern'] as const satisfies readonly ValidationRule[];

/** Rules of the list of values of a repeated field of any type. */
export const ITEM_RULES = ['minItems', 'maxItems'] as const satisfies readonly ValidationRule[];

/** A fault of a value: its code, and what the value must be, as it follows the label in a sentence. */
interface Violation {
  code: 'too_small' | 'too_large' | 'too_short' | 'too_long' | 'pattern_mismatch';
  must: string;
}

interface Rules {
  validation?: Validation | undefined;
}

/** Counts the steps that the patterns of one entry take: 80 ns each at worst. */
export class PatternBudget {
  #left = LIMITS.patternSteps;

  take(steps: number): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }
}

/**
 * The first rule that a checked value breaks.
 * @param keyOf the sort key, whose order is that of the values
 */
export function findViolation(
  { validation }: Rules,
  value: unknown,
  keyOf: (value: unknown) => string,
  budget: PatternBudget,
): Violation | undefined {
  if (!validation) return undefined;
  const { min, max, minLength, maxLength, pattern } = validation;
  if (min !== undefined && keyOf(value) < keyOf(min)) return { code: 'too_small', must: `be at least ${min}` };
  if (max !== undefined && keyOf(value) > keyOf(max)) return { code: 'too_large', must: `be at most ${max}` };
  if (typeof value !== 'string') return undefined;
  if (minLength !== undefined && !hasMoreCharacters(value, minLength - 1)) {
    if (minLength === 1) return { code: 'too_short', must: 'not be empty' };
    return { code: 'too_short', must: `have at least ${minLength} characters` };
  }
  if (maxLength !== undefined && hasMoreCharacters(value, maxLength)) {
    return { code: 'too_long', must: `have at most ${maxLength} characters` };
  }
  if (pattern === undefined) return undefined;
  const size = patternSize(pattern) ?? 0;
  if (!budget.take(value.length * size)) {
    return { code: 'too_long', must: 'be shorter to be compared with its pattern' };
  }
  return matchesPattern(pattern, value)
    ? undefined
    : { code: 'pattern_mismatch', must: `match the pattern ${pattern}` };
}
