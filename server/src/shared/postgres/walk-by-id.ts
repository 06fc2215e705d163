import { FIRST_ID } from '../ids.ts';

/**
 * Splits the rows before the id `end` into ranges of about a page each, for statements that work on a range at once.
 * @param findPageEnd the id of the last row of the page behind an id; nothing when less than a page is left
 */
export async function forEachIdRange(
  options: { start?: string; end: string; signal: AbortSignal },
  findPageEnd: (after: string) => Promise<{ id: string }[]>,
  work: (range: { after: string; upTo: string }) => Promise<unknown>,
): Promise<void> {
  for (let after = options.start ?? FIRST_ID; ; ) {
    options.signal.throwIfAborted();
    const [pageEnd] = await findPageEnd(after);
    await work({ after, upTo: pageEnd?.id ?? options.end });
    if (!pageEnd) return;
    after = pageEnd.id;
  }
}
