import type { Experiment, ExperimentComparison, ExperimentPower, ExperimentResults } from '@headwater/sdk';
import { t } from '../languages/translate.ts';
import { formatChange, formatDate, formatNumber, formatPercent } from '../shared/formats.ts';

/** Results in sentences that claim no more than was decided, in the language of the person. `summary` of the service says the same in English. */
export function outcomeOf(
  status: Experiment['status'],
  { arms, comparisons, sampleRatio }: Pick<ExperimentResults, 'arms' | 'comparisons' | 'sampleRatio'>,
): string {
  if (status === 'draft') return t('The experiment has not started.');
  if (!sampleRatio.ok)
    return t(
      'Visitors are missing from a variant: the shares differ from the weights by more than chance. Find the cause before you trust a result.',
    );
  if (arms.every(({ settledVisitors }) => settledVisitors === 0))
    return t('No visitor has settled yet, so nothing is decided.');
  const broken = comparisons.filter(({ isGuardrail, decision }) => isGuardrail && decision === 'worse');
  return [
    ...comparisons.filter(({ isGuardrail }) => !isGuardrail).map(sentenceOf),
    ...broken.map(({ metric, variant }) => t('The guardrail {metric} got worse with {variant}.', { metric, variant })),
  ].join(' ');
}

/** When it is decided at the present rate; nothing once it is, or while that is not foreseeable. */
export function outlookOf({
  pace,
  comparisons,
  sampleRatio,
}: Pick<ExperimentResults, 'pace' | 'comparisons' | 'sampleRatio'>): string {
  const isOpen = comparisons.some(({ isGuardrail, decision }) => !isGuardrail && decision === 'undecided');
  if (pace.decisionExpectedAt === null || !isOpen || !sampleRatio.ok) return '';
  return t('At the present rate, it is decided by {day}.', { day: formatDate(pace.decisionExpectedAt) });
}

function sentenceOf({ variant, metric, kind, low, high, decision }: ExperimentComparison): string {
  if (low === null || high === null) return t('{variant} is undecided.', { variant });
  if (decision === 'undecided')
    return t('{variant} is undecided. The difference is between {low} and {high}.', {
      ...{ variant, low: formatChange(low), high: formatChange(high) },
    });
  const [least, most] = decision === 'better' ? [low, high] : [-high, -low];
  const values = { variant, metric, least: formatPercent(Math.max(0, least)), most: formatPercent(most) };
  if (kind === 'revenue')
    return decision === 'better'
      ? t('{variant} earns {least} to {most} more per visitor, after refunds; 5 % risk over all looks.', values)
      : t('{variant} earns {least} to {most} less per visitor, after refunds; 5 % risk over all looks.', values);
  return decision === 'better'
    ? t('{variant} has {least} to {most} more {metric} per visitor, after refunds; 5 % risk over all looks.', values)
    : t('{variant} has {least} to {most} less {metric} per visitor, after refunds; 5 % risk over all looks.', values);
}

/** Which plan is within reach, by the history of the account. */
export function planOf({ plans, power }: Pick<ExperimentPower, 'plans' | 'power'>): string {
  const plan = plans.find(({ days }) => days !== null && days <= 120) ?? plans.at(-1);
  if (!plan || plan.visitors === null || plan.days === null)
    return t('Visitors of the last weeks have no values of the metric that differ, so nothing can be planned by them.');
  return t(
    'A difference of {lift} is found with a probability of {power} by {visitors} visitors, settled after {days} days at the rate of the last weeks.',
    {
      ...{ lift: formatPercent(plan.lift), power: formatPercent(power) },
      ...{ visitors: formatNumber(plan.visitors), days: formatNumber(plan.days) },
    },
  );
}
