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

/** Divides what is to be sent into requests, as the platform limits them. */
export function batchesOf(items: readonly Item[], platform: Platform): Batch[] {
  const groups = Map.groupBy(items, ({ event, intent }) => `${intent.group ?? ''} ${platform.groupBy?.(event) ?? ''}`);
  const batches: Batch[] = [];
  for (const group of groups.values()) {
    for (let start = 0; start < group.length; start += platform.batch) {
      const [first, ...rest] = group.slice(start, start + platform.batch);
      if (first) batches.push([first, ...rest]);
    }
  }
  return batches;
}

export function halvesOf(batch: Batch): Batch[] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)].flatMap(([first, ...rest]) =>
    first ? [[first, ...rest] as const] : [],
  );
}
