import { FIRST_ID } from '../ids.ts';

/**
 * Walks through rows in the order of their ids, a page at a time, in short statements.
 * @param readPage up to a page of rows behind an id; an empty one ends the walk
 */
export async function* walkById<Row extends { id: string }>(
  readPage: (after: string) => Promise<Row[]>,
  signal?: AbortSignal,
): AsyncGenerator<Row[]> {
  for (let after = FIRST_ID; ; ) {
    signal?.throwIfAborted();
    const page = await readPage(after);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.id;
  }
}

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
