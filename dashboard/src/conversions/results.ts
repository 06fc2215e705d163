import type { ConversionItem, ConversionResult } from '@headwater/sdk';
import { messageOf } from '../shared/messages.ts';

export const RESULT_TEXTS: Record<ConversionResult['status'], { title: string; detail: string }> = {
  reported: { title: 'Reported', detail: 'It was matched to its visit.' },
  unmatched: {
    title: 'Not matched',
    detail: 'No visit is known by it. It is kept for 30 days, and matched by itself if its visit arrives late.',
  },
  failed: { title: 'Not accepted', detail: 'It was not reported.' },
};

/** As many conversions go in one request. */
const BATCH = 500;

/**
 * Reports all of them, batch by batch, in their order. A batch that is refused as a whole is told of each of its rows, and
 * the others are reported all the same.
 * @param onProgress how many have been answered
 */
export async function reportAll(
  report: (items: ConversionItem[]) => Promise<ConversionResult[]>,
  items: readonly ConversionItem[],
  onProgress: (done: number) => void,
): Promise<ConversionResult[]> {
  const results: ConversionResult[] = [];
  for (let at = 0; at < items.length; at += BATCH) {
    const batch = items.slice(at, at + BATCH);
    try {
      results.push(...(await report(batch)));
    } catch (error) {
      const { detail } = messageOf(error);
      results.push(...batch.map((): ConversionResult => ({ reported: false, status: 'failed', reason: detail })));
    }
    onProgress(results.length);
  }
  return results;
}
