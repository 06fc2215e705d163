const PAGE_SIZE = 500;

/**
 * Queues again what was sent before, page after page.
 * @param queue queues those after a position, and returns those it visited
 * @returns how many of them were queued
 */
export async function replayPages<Row, Position>(
  signal: AbortSignal,
  first: Position,
  queue: (after: Position, limit: number) => Promise<Row[]>,
  positionOf: (last: Row) => Position,
  isQueued: (row: Row) => boolean = () => true,
): Promise<number> {
  let count = 0;
  for (let after = first; ; ) {
    signal.throwIfAborted();
    const rows = await queue(after, PAGE_SIZE);
    count += rows.filter(isQueued).length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_SIZE) return count;
    after = positionOf(last);
  }
}
