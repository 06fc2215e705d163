import type { OutgoingEvent, Platform } from '../platforms/platform.ts';
import type { Intent } from './intent.ts';
import type { QueuedRow } from './queries.ts';

/** A conversion that is being sent. */
export interface Item {
  row: QueuedRow;
  event: OutgoingEvent;
  intent: Intent;
}

/** The conversions of one request. */
export type Batch = readonly [Item, ...Item[]];

/**
 * Divides what is to be sent into requests, as the platform limits them. What failed before is repeated apart from what is
 * new, so that a request which always fails does not take others along.
 */
export function batchesOf(items: readonly Item[], platform: Platform): Batch[] {
  const groups = Map.groupBy(
    items,
    ({ event, row }) => `${row.tries} ${row.batch_group ?? ''} ${platform.groupBy?.(event) ?? ''}`,
  );
  const batches: Batch[] = [];
  for (const group of groups.values()) {
    for (let start = 0; start < group.length; start += platform.batch) {
      const [first, ...rest] = group.slice(start, start + platform.batch);
      if (first) batches.push([first, ...rest]);
    }
  }
  return batches;
}

/**
 * Parts of a batch that is refused as a whole, to find what is at fault: halves, apart from one conversion, which soon shows
 * whether the platform accepts any.
 */
export function partsOf<Each>(sent: readonly Each[]): Each[][] {
  const [first, ...rest] = sent;
  if (first === undefined) return [];
  const middle = Math.ceil(rest.length / 2);
  return [[first], rest.slice(0, middle), rest.slice(middle)].filter((part) => part.length > 0);
}
