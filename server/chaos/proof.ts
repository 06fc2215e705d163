/** A condition that must hold, and what was measured. */
export interface Finding {
  condition: string;
  figure: string;
  result: 'pass' | 'fail' | 'skipped';
}

/** A guarantee of the service that is shown under faults or hostile input. */
export interface Proof<Parameters extends Record<string, number> = Record<string, number>> {
  /** What is done to the service, for the list of proofs. */
  title: string;
  /** The parameters of a full run. Flags override them; the test suite runs a short version. */
  parameters: Parameters;
  /**
   * Starts what it needs and registers clean-up with `atEnd`.
   * @param log progress, one line at a time
   */
  run(parameters: Parameters, log: (line: string) => void): Promise<Finding[]>;
}

/** Infers the names of the parameters. */
export function defineProof<Parameters extends Record<string, number>>(proof: Proof<Parameters>): Proof<Parameters> {
  return proof;
}

export function finding(condition: string, figure: string | number, hasPassed: boolean): Finding {
  return { condition, figure: String(figure), result: hasPassed ? 'pass' : 'fail' };
}

/** For a condition that cannot be tested on this machine. */
export function skipped(condition: string, reason: string): Finding {
  return { condition, figure: `skipped: ${reason}`, result: 'skipped' };
}

/** The findings that did not pass, as lines; for an assertion. */
export function failures(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ condition, figure, result }) => (result === 'fail' ? `${condition}: ${figure}` : []));
}

/** One finding per condition, of the same conditions in several settings. */
export function sideBySide(settings: ReadonlyMap<string, readonly Finding[]>): Finding[] {
  const [first = []] = settings.values();
  return first.map(({ condition }, i) => {
    const each = [...settings].map(([name, findings]) => ({ name, found: findings[i] }));
    const figure = each.map(({ name, found }) => `${name}: ${found?.figure}`).join('; ');
    return finding(
      condition,
      figure,
      each.every(({ found }) => found?.result === 'pass'),
    );
  });
}

/** The failures that do not depend on how busy the machine is: tests have no limits by the clock. */
export function failuresButLatency(findings: readonly Finding[]): string[] {
  return failures(findings.filter(({ condition }) => !/within \d+ ms|takes more than \d+ s/.test(condition)));
}
