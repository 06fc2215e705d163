import type { ConversionResult, RehearsalResult } from '@headwater/sdk';

/** What became of a row, or would. */
export type Kind = 'create' | 'restate' | 'reported' | 'unmatched' | 'failed' | 'earlier';

export interface Outcome {
  kind: Kind;
  /** What is to be said of it beside that. */
  reason?: string | undefined;
}

export const RESULT_TEXTS: Record<Kind, { title: string; detail: string; color: string }> = {
  create: { title: 'New', detail: 'It will be reported.', color: 'teal' },
  restate: { title: 'Restates', detail: 'It changes a conversion that is known by its order number.', color: 'blue' },
  reported: { title: 'Reported', detail: 'It was matched to its visit.', color: 'teal' },
  unmatched: {
    title: 'Not matched',
    detail: 'No visit is known by it. It is kept for 30 days, and matched by itself if its visit arrives late.',
    color: 'gray',
  },
  failed: { title: 'Not accepted', detail: 'It was not reported.', color: 'red' },
  earlier: { title: 'Sent before', detail: 'It was sent when this list was reported before.', color: 'gray' },
};

export function outcomeOf({ status, reason }: ConversionResult): Outcome {
  return { kind: status, ...(reason !== undefined && { reason }) };
}

/** @param earlier the line of the list that has the same order number, and comes before the row */
export function rehearsedOutcome(result: RehearsalResult, earlier: number | undefined): Outcome {
  if (result.status !== 'reported') return outcomeOf(result);
  const reasons = [
    earlier === undefined ? undefined : `It has the order number of line ${earlier}.`,
    result.reason,
  ].filter((each) => each !== undefined);
  const kind = earlier === undefined && result.effect === 'create' ? 'create' : 'restate';
  return { kind, ...(reasons.length > 0 && { reason: reasons.join(' ') }) };
}
