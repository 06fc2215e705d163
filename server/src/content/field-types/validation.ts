import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import type { FieldType } from './index.ts';

/** What a field can require of its values beyond their type. A bound of a date or timestamp is one. */
export interface Validation {
  min?: number | string;
  max?: number | string;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}
export type ValidationRule = keyof Validation;

export const RANGE_RULES = ['min', 'max'] as const satisfies readonly ValidationRule[];
export const TEXT_RULES = ['minLength', 'maxLength', 'pattern'] as const satisfies readonly ValidationRule[];

/** A fault of a value: its code, and what the value must be, as it follows the label in a sentence. */
export interface Violation {
  code: 'too_small' | 'too_large' | 'too_short' | 'too_long' | 'pattern_mismatch';
  must: string;
}

interface Rules {
  type: FieldType;
  validation?: Validation | undefined;
}

/** What matching costs grows with the text and the program, so both are bounded: 92 ns per step at worst. */
const MAX_STEPS = 2_500_000;
const MAX_PROGRAM = 500;

const require = createRequire(import.meta.url);

/** Compiled by RE2, which matches in linear time whatever the pattern. The pattern has to match the whole text. */
export function compilePattern(pattern: string): RE2JS | undefined {
  // Loaded when the first field has a pattern.
  const { RE2JS } = require('re2js') as typeof import('re2js');
  try {
    const compiled = RE2JS.compile(`^(?:${pattern})$`);
    return compiled.programSize() <= MAX_PROGRAM ? compiled : undefined;
  } catch {
    return undefined;
  }
}

const compiled = new WeakMap<Validation, RE2JS | undefined>();

function patternOf(validation: Validation, pattern: string): RE2JS | undefined {
  if (!compiled.has(validation)) compiled.set(validation, compilePattern(pattern));
  return compiled.get(validation);
}

/** Counts the steps that the patterns of one entry take. */
export class PatternBudget {
  #left = MAX_STEPS;

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
  if (minLength !== undefined && value.length < minLength) {
    return { code: 'too_short', must: `have at least ${minLength} characters` };
  }
  if (maxLength !== undefined && value.length > maxLength) {
    return { code: 'too_long', must: `have at most ${maxLength} characters` };
  }
  if (pattern === undefined) return undefined;
  const program = patternOf(validation, pattern);
  if (program && !budget.take(value.length * program.programSize())) {
    return { code: 'too_long', must: 'be shorter to be compared with its pattern' };
  }
  return program?.matches(value) ? undefined : { code: 'pattern_mismatch', must: `match the pattern ${pattern}` };
}
