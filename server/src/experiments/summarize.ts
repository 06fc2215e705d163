import type { ExperimentResults, ResultArm } from './results-contract.ts';

type Comparison = ExperimentResults['comparisons'][number];

/** The result in a sentence that claims no more than was decided. */
export function summarize(
  status: string,
  arms: readonly ResultArm[],
  comparisons: readonly Comparison[],
  isRatioOk: boolean,
  pace: ExperimentResults['pace'],
): string {
  if (status === 'draft') return 'The experiment has not started.';
  if (!isRatioOk) {
    return 'Visitors are missing from a variant: the shares differ from the weights by more than chance. Find the cause before you trust a result.';
  }
  const settled = arms.reduce((sum, { settledVisitors }) => sum + settledVisitors, 0);
  const expected = pace.decisionExpectedAt?.slice(0, 10);
  const outlook = expected === undefined ? '' : ` At the present rate, it is decided by ${expected}.`;
  if (settled === 0) return `No visitor has settled yet, so nothing is decided.${outlook}`;
  const broken = comparisons.filter(({ isGuardrail, decision }) => isGuardrail && decision === 'worse');
  const sentences = [
    ...comparisons.filter(({ isGuardrail }) => !isGuardrail).map(sentenceOf),
    ...broken.map(({ variant, metric }) => `The guardrail ${metric} got worse with ${variant}.`),
  ];
  const isUndecided = comparisons.some(({ isGuardrail, decision }) => !isGuardrail && decision === 'undecided');
  return sentences.join(' ') + (isUndecided ? outlook : '');
}

function sentenceOf({ variant, metric, kind, low, high, decision }: Comparison): string {
  const verb = kind === 'revenue' ? 'earns' : 'has';
  const subject = kind === 'revenue' ? '' : ` ${metric}`;
  if (decision === 'undecided' || low === null || high === null) {
    const range =
      low === null || high === null ? '' : ` The difference is between ${percent(low)} and ${percent(high)}.`;
    return `${variant} is undecided.${range}`;
  }
  const [least, most] = decision === 'better' ? [low, high] : [-high, -low];
  const direction = decision === 'better' ? 'more' : 'less';
  const range = `${Math.max(0, least * 100).toFixed(1)} to ${(most * 100).toFixed(1)} %`;
  return `${variant} ${verb} ${range} ${direction}${subject} per visitor, after refunds; 5 % risk over all looks.`;
}

const percent = (ratio: number) => `${ratio < 0 ? '−' : '+'}${Math.abs(ratio * 100).toFixed(1)} %`;
