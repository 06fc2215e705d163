import type { Client } from '@headwater/sdk';
import { checkItem } from '../../tracking/index.ts';
import { type ProgressLine, silent } from '../progress.ts';
import type { ImportProgress } from './import-progress.ts';
import { PARTS, type TrackingItem, type TrackingSource } from './tracking-source.ts';

export interface TrackingReport {
  /** Recorded now, or recognized as recorded before. */
  visits: number;
  events: number;
  /** What an earlier run had recorded, which was not sent again. */
  skipped: number;
  /** How many were refused, of which `failed` has the first thousand. */
  refused: number;
  failed: { id: string; reason: string }[];
  /** What has no counterpart, and how often it occurred. */
  notes: { note: string; count: number }[];
  dryRun?: true;
}

const BATCH_SIZE = 100;
/** Batches in flight: the service writes those that arrive together in one transaction. */
const CONCURRENCY = 6;
const MAX_FAILED = 1_000;

/**
 * Records the visits and events of another system. How far it came is noted in a file, and each item has an id, so an import that was interrupted
 * continues when it is run again, and records nothing twice. The order in which batches arrive does not matter.
 * @param apiKey a secret token, so that rates are not limited by address
 * @param dryRun checks everything, and records nothing
 */
export async function importTracking(
  source: TrackingSource,
  progress: ImportProgress,
  { client, apiKey, dryRun }: { client: Client; apiKey: string; dryRun: boolean },
  tell: ProgressLine = silent,
): Promise<TrackingReport> {
  const report: TrackingReport = { visits: 0, events: 0, skipped: 0, refused: 0, failed: [], notes: [] };
  const { state } = progress;
  for (const position of Object.values(state.after)) {
    if (await source.has(position)) continue;
    source.notes.add(
      'The file differs from the one of the earlier run: it was read from its start, and what is recorded already was recognized.',
    );
    Object.assign(state, { after: {}, recorded: 0 });
    break;
  }
  report.skipped = state.recorded;
  source.notes.add('What an earlier run had recorded was skipped.', state.recorded);
  const refuse = (fault: TrackingReport['failed'][number]) => {
    report.refused++;
    if (report.failed.length < MAX_FAILED) report.failed.push(fault);
  };
  const record = async (items: TrackingItem[]) => {
    const results = dryRun ? items.map(checkItem) : await sendBatch(client, apiKey, items);
    for (const [i, result] of results.entries()) {
      const item = items[i] as TrackingItem;
      const isVisit = 'visit' in item;
      if (!result?.success && result)
        refuse({ id: isVisit ? item.visit.visitId : item.event.id, reason: reasonOf(result) });
      else report[isVisit ? 'visits' : 'events']++;
    }
  };
  let rows = 0;
  for (const part of PARTS) {
    const batches = new OrderedBatches(CONCURRENCY, (position, items) => {
      state.after[part] = position;
      state.recorded += items;
      if (!dryRun) progress.save();
    });
    let batch: TrackingItem[] = [];
    let end: (() => string) | undefined;
    for await (const { item, position, fault } of source.read(part, state.after[part])) {
      tell('Rows', ++rows, source.total);
      if (fault) refuse(fault);
      if (item) batch.push(item);
      end = position;
      if (batch.length < BATCH_SIZE) continue;
      const items = batch;
      batch = [];
      await batches.start(() => record(items), position(), items.length);
    }
    const rest = batch;
    if (end) await batches.start(() => record(rest), end(), rest.length);
    await batches.end();
  }
  return { ...report, notes: source.notes.list(), ...(dryRun && { dryRun }) };
}

/** Items have ids of their own. With a key, the service would record the batch in a transaction apart from others. */
async function sendBatch(client: Client, api_key: string, items: TrackingItem[]) {
  if (items.length === 0) return [];
  return (await client.recordBatch({ api_key, items }, { idempotencyKey: null })).results;
}

const reasonOf = (result: object) => ('reason' in result ? String(result.reason) : 'unknown');

/** Runs some batches at a time. What is noted as done has no batch before it that is not. */
class OrderedBatches {
  readonly #limit: number;
  readonly #onDone: (position: string, items: number) => void;
  readonly #running: { position: string; items: number; isDone: boolean; work: Promise<void> }[] = [];

  constructor(limit: number, onDone: (position: string, items: number) => void) {
    this.#limit = limit;
    this.#onDone = onDone;
  }

  /** Resolves when there is room for another. */
  async start(work: () => Promise<void>, position: string, items: number): Promise<void> {
    const batch = { position, items, isDone: false, work: Promise.resolve() };
    batch.work = work().then(() => {
      batch.isDone = true;
    });
    // Whoever waits for it gets the error.
    batch.work.catch(() => {});
    this.#running.push(batch);
    while (this.#running.length >= this.#limit) await this.#next();
  }

  async end(): Promise<void> {
    while (this.#running.length > 0) await this.#next();
  }

  /** Waits for the oldest one. */
  async #next(): Promise<void> {
    await this.#running[0]?.work;
    let last: string | undefined;
    let items = 0;
    while (this.#running[0]?.isDone) {
      const done = this.#running.shift();
      last = done?.position;
      items += done?.items ?? 0;
    }
    if (last !== undefined) this.#onDone(last, items);
  }
}
