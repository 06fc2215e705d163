import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Failure, Outcome } from './outcomes.ts';
import type { Usage } from './usage.ts';

/** More files than this do not fail by chance. */
export const MAX_FLAKY = 10;

const TIERS = ['tests', 'proofs'] as const;
type Tier = (typeof TIERS)[number];

/** A file that failed, and passed when it ran alone. */
type Flaky = Failure & { file: string };

export interface Results {
  passed: number;
  failed: number;
  skipped: number;
  flaky: Flaky[];
  usage: Usage[];
}

/**
 * Writes what a run found for `total.ts`, and what was flaky in the last run of each tier to `flaky.json`.
 * @param flaky the outcomes of their first run
 */
export function saveResults(
  folder: string,
  tier: Tier,
  outcomes: readonly Outcome[],
  flaky: readonly Outcome[],
  usage: Usage[],
): Results {
  const sum = (of: 'passed' | 'failed' | 'skipped') => outcomes.reduce((total, each) => total + each[of], 0);
  const failures = outcomes.filter(({ failure }) => failure !== undefined).length;
  const results: Results = {
    passed: sum('passed'),
    // A file may fail outside of its tests.
    failed: Math.max(sum('failed'), failures),
    skipped: sum('skipped'),
    flaky: flaky.flatMap(({ file, failure }) => (failure ? [{ file, ...failure }] : [])),
    usage,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${tier}.json`), `${JSON.stringify(results, null, 2)}\n`);
  const all = readResults(folder).flatMap((each) => each.flaky);
  writeFileSync(join(folder, 'flaky.json'), `${JSON.stringify(all, null, 2)}\n`);
  return results;
}

/** The results of the last run of each tier that ran. */
export function readResults(folder: string): Results[] {
  return TIERS.flatMap((tier): Results[] => {
    try {
      return [JSON.parse(readFileSync(join(folder, `${tier}.json`), 'utf8'))];
    } catch {
      return [];
    }
  });
}

/** Prints what was flaky, and the counts in one line. @returns whether the runs passed */
export function printResults(results: readonly Results[]): boolean {
  const flaky = results.flatMap((each) => each.flaky);
  if (flaky.length > 0) console.log(`\nFlaky: ${flaky.length} files failed, and passed when they ran alone.`);
  for (const { file, test, error } of flaky) console.log(`  ${file}: ${test}\n    ${error.slice(0, 2_000)}`);
  if (flaky.length > MAX_FLAKY) console.log(`More than ${MAX_FLAKY} are not chance.`);
  const sum = (of: 'passed' | 'failed' | 'skipped') => results.reduce((total, each) => total + each[of], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
  return sum('failed') === 0 && flaky.length <= MAX_FLAKY;
}
