import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Client } from '@headwater/sdk';
import { type ProgressLine, silent } from '../progress.ts';
import type { Notes } from '../source.ts';

/** A visit or an event as `POST /v1/batch` takes it. */
export type TrackingItem =
  | {
      visit: {
        url: string;
        referrer?: string;
        title?: string;
        visitorId: string;
        visitId: string;
        sessionHash: string;
        occurredAt: string;
      };
    }
  | { event: { event: string; id: string; occurredAt: string; properties: Record<string, unknown> } };

/** The visits and events of another system, oldest first. */
export interface TrackingSource {
  /** Reads what follows a position; all, without one. */
  read(after: string | undefined): AsyncIterable<{
    item: TrackingItem | undefined;
    position: string;
    /** Why a row cannot be read; the others are. */
    fault?: { id: string; reason: string };
  }>;
  /** Sentences for the report, with how often each applies. */
  notes: Notes;
}

export interface TrackingReport {
  visits: number;
  events: number;
  failed: { id: string; reason: string }[];
  /** What has no counterpart, and how often it occurred. */
  notes: { note: string; count: number }[];
}

const BATCH_SIZE = 100;
const MAX_FAILED = 1_000;

/**
 * Records the visits and events of another system. How far it came is noted in `progressFile`, and each item has an id, so an
 * import that was interrupted continues when it is run again, and records nothing twice.
 * @param apiKey a secret token, so that rates are not limited by address
 */
export async function importTracking(
  source: TrackingSource,
  progressFile: string,
  client: Client,
  apiKey: string,
  tell: ProgressLine = silent,
): Promise<TrackingReport> {
  const report: TrackingReport = { visits: 0, events: 0, failed: [], notes: [] };
  const start = existsSync(progressFile) ? JSON.parse(readFileSync(progressFile, 'utf8')).after : undefined;
  let batch: TrackingItem[] = [];
  const send = async (position: string) => {
    if (batch.length > 0) await record(batch, client, apiKey, report);
    batch = [];
    writeFileSync(`${progressFile}.new`, JSON.stringify({ after: position }));
    renameSync(`${progressFile}.new`, progressFile);
  };
  let last: string | undefined;
  let rows = 0;
  for await (const { item, position, fault } of source.read(start)) {
    last = position;
    tell('Rows', ++rows, undefined);
    if (fault && report.failed.length < MAX_FAILED) report.failed.push(fault);
    if (item) batch.push(item);
    if (batch.length >= BATCH_SIZE) await send(position);
  }
  if (last !== undefined) await send(last);
  else if (start !== undefined) {
    source.notes.add('An earlier run had recorded everything: nothing was recorded now.');
  }
  return { ...report, notes: source.notes.list() };
}

async function record(items: TrackingItem[], client: Client, apiKey: string, report: TrackingReport): Promise<void> {
  const { results } = await client.recordBatch({ api_key: apiKey, items });
  for (const [i, result] of results.entries()) {
    const item = items[i] as TrackingItem;
    if (result.success && 'visit' in item) report.visits++;
    else if (result.success) report.events++;
    else if (report.failed.length < MAX_FAILED) {
      const id = 'visit' in item ? item.visit.visitId : item.event.id;
      report.failed.push({ id, reason: 'reason' in result ? String(result.reason) : 'unknown' });
    }
  }
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The session hash (22 characters) that stands for a session of the other system, in every run. */
export function sessionHashOf(system: string, id: string): string {
  const digest = createHash('sha256').update(`${system}\n${id}`).digest('hex');
  let [rest, hash] = [BigInt(`0x${digest.slice(0, 32)}`), ''];
  while (hash.length < 22) {
    hash = `${BASE62[Number(rest % 62n)]}${hash}`;
    rest /= 62n;
  }
  return hash;
}
