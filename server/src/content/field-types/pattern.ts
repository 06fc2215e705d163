import { createRequire } from 'node:module';
import { LRUCache } from 'lru-cache';
import type { RE2JS } from 're2js';
import { LIMITS } from '../limits.ts';
import { estimatePattern } from './pattern-cost.ts';

/** The estimate is an upper bound, of twice the true size at most for patterns that are written to be used. */
const MAX_ESTIMATE = 2 * LIMITS.patternInstructions;
/** How many instructions a group for the whole pattern and the end of the text add. */
const WRAPPED = 1;

/** What the compiled patterns of the process may take. */
const CACHE_BYTES = 33_554_432;
/** Measured: 1.3 kB for each instruction. */
const INSTRUCTION_BYTES = 1_500;

interface Compiled {
  /** undefined: the pattern is malformed or too large. */
  program: RE2JS | undefined;
  /** What the states take that were found while texts were compared. They are found anew after this is dropped. */
  stateBytes: number;
}

/** By source: a pattern is compiled once, for whichever fields and collections have it. */
const cache = new LRUCache<string, Compiled>({
  maxSize: CACHE_BYTES,
  sizeCalculation: ({ program, stateBytes }) => INSTRUCTION_BYTES * (program?.programSize() ?? 1) + stateBytes,
});

const require = createRequire(import.meta.url);

/**
 * Compiled by RE2, which matches in linear time whatever the pattern. A group around the pattern keeps RE2 from copying the
 * ranges of each class, which takes ten times as long as the rest (measured for `\pL{400}`: 15 ms).
 */
function compile(pattern: string): RE2JS | undefined {
  if (isTooLarge(pattern)) return undefined;
  // Loaded when the first field has a pattern.
  const { RE2JS } = require('re2js') as typeof import('re2js');
  try {
    const program = RE2JS.compile(`(${pattern})$`);
    return program.programSize() <= LIMITS.patternInstructions + WRAPPED ? program : undefined;
  } catch {
    return undefined;
  }
}

function isTooLarge(pattern: string): boolean {
  const { instructions, total } = estimatePattern(pattern);
  return instructions > MAX_ESTIMATE || total > LIMITS.patternCost;
}

function compiled(pattern: string): Compiled {
  const known = cache.get(pattern);
  if (known) return known;
  const created = { program: compile(pattern), stateBytes: 0 };
  cache.set(pattern, created);
  return created;
}

/** How many instructions a text is compared with at each character; undefined for a pattern that nothing matches. */
export function patternSize(pattern: string): number | undefined {
  return compiled(pattern).program?.programSize();
}

/** Whether the pattern matches the whole text. */
export function matchesPattern(pattern: string, text: string): boolean {
  const { program, stateBytes } = compiled(pattern);
  if (!program) return false;
  const doesMatch = program.testExact(text);
  const grown = bytesOfStates(program);
  if (grown > stateBytes) cache.set(pattern, { program, stateBytes: grown });
  return doesMatch;
}

function bytesOfStates({ re2Input }: RE2JS): number {
  const states = re2Input.lazyDFA as { maxMem: number; memBudget: number } | null;
  return states === null ? 0 : states.maxMem - states.memBudget;
}

interface PatternFault {
  code: 'pattern_invalid' | 'pattern_too_large' | 'patterns_too_large';
  detail: string;
}

/**
 * The fault of each pattern that a request adds to a collection.
 * @param all every pattern of the collection, with those of the request
 */
export function patternFaults(all: Iterable<string>, added: readonly string[]): (PatternFault | undefined)[] {
  if (added.length === 0) return [];
  let total = 0;
  for (const pattern of new Set(all)) if (!isTooLarge(pattern)) total += estimatePattern(pattern).total;
  if (total > LIMITS.patternsCost) {
    const detail =
      `The patterns of a collection must together have a cost of at most ${LIMITS.patternsCost}; these have ` +
      `${Math.ceil(total)}. Use fewer Unicode classes and smaller repetitions, or the same pattern in several fields.`;
    return added.map(() => ({ code: 'patterns_too_large', detail }));
  }
  return added.map((pattern) => {
    if (patternSize(pattern) !== undefined) return undefined;
    if (isTooLarge(pattern) || isValid(pattern)) {
      const detail =
        `The pattern is too large: with repetitions written out it must have at most ${LIMITS.patternInstructions} ` +
        `instructions, and cost at most ${LIMITS.patternCost} to compile. Use smaller repetitions or "maxLength", and fewer ` +
        'Unicode classes.';
      return { code: 'pattern_too_large', detail };
    }
    const detail = 'The pattern must be a regular expression without backreferences and lookarounds.';
    return { code: 'pattern_invalid', detail };
  });
}

function isValid(pattern: string): boolean {
  try {
    const { RE2JS } = require('re2js') as typeof import('re2js');
    RE2JS.compile(`(${pattern})$`);
    return true;
  } catch {
    return false;
  }
}
