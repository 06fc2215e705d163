import type { ConversionItem, ConversionResult, DryRunResult } from '@headwater/sdk';
import { t } from '../languages/translate.ts';

/** What happened to a row, or would happen according to the dry run. */
export type OutcomeType = 'create' | 'update' | 'reported' | 'unmatched' | 'failed' | 'skipped';

export interface Outcome {
  type: OutcomeType;
  reason?: string | undefined;
}

export const OUTCOME_LABELS: Record<OutcomeType, string> = {
  create: t('New'),
  update: t('Updates'),
  reported: t('Imported'),
  unmatched: t('Unmatched'),
  failed: t('Invalid'),
  skipped: t('Skipped'),
};

export const UNMATCHED_HINT = t(
  'No session has this identifier. The conversion is kept for 30 days and matched automatically when the session arrives.',
);

export function outcomeOf({ status, reason }: ConversionResult): Outcome {
  return { type: status, reason };
}

/** @param earlierLine the earlier line of the file with the same order ID */
export function dryRunOutcome(result: DryRunResult, earlierLine: number | undefined): Outcome {
  if (result.status !== 'reported') return outcomeOf(result);
  const duplicate = earlierLine === undefined ? undefined : t('Same order ID as line {earlierLine}.', { earlierLine });
  return {
    type: duplicate === undefined && result.effect === 'create' ? 'create' : 'update',
    reason: [duplicate, result.reason].filter(Boolean).join(' ') || undefined,
  };
}

/** Sends the items that could be read. The others fail without being sent. */
export async function sendReadable<Result>(
  items: readonly (ConversionItem | undefined)[],
  send: (items: ConversionItem[]) => PromiseLike<Result[]>,
  outcome: (result: Result, item: ConversionItem, index: number) => Outcome,
): Promise<Outcome[]> {
  const readable = items.filter((item) => item !== undefined);
  const results = readable.length > 0 ? (await send(readable)).values() : [].values();
  return items.map((item, i): Outcome => {
    const result = item && results.next().value;
    return result ? outcome(result, item, i) : { type: 'failed', reason: t('The conversion time is unreadable.') };
  });
}
