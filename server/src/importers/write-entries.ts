import { createHash } from 'node:crypto';
import { type Client, isHeadwaterError } from '@headwater/sdk';

/** An operation of a batch, on one entry. */
export interface EntryOperation {
  /** In the other system. */
  key: string;
  op: 'create' | 'update' | 'publish';
  collectionId: string;
  /** Of an entry that exists. */
  id?: string;
  values?: Record<string, unknown>;
}

export interface WrittenEntries {
  written: { key: string; id: string }[];
  failed: { key: string; reason: string }[];
}

/** One batch counts as one write, of which the service accepts 50 a second. */
const BATCH_ENTRIES = 100;
const BATCH_BYTES = 500_000;

/** Divides entries into batches: always the same ones, so that a batch whose response was lost is recognized when it is repeated. */
export function batchesOf<Each extends { values: object }>(entries: readonly Each[]): Each[][] {
  const batches: Each[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = JSON.stringify(entry.values).length;
    const last = batches.at(-1);
    if (last && last.length < BATCH_ENTRIES && bytes + size <= BATCH_BYTES) {
      last.push(entry);
      bytes += size;
    } else {
      batches.push([entry]);
      bytes = size;
    }
  }
  return batches;
}

/**
 * Writes entries by one request; those that are refused are left out, and the others sent again. Repeated after an interruption,
 * the same requests are made, which their keys make harmless.
 */
export async function writeEntries(client: Client, entries: readonly EntryOperation[]): Promise<WrittenEntries> {
  const failed: WrittenEntries['failed'] = [];
  let remaining = [...entries];
  while (remaining.length > 0) {
    const hash = createHash('sha256');
    const operations = remaining.map(({ op, collectionId, id, values }) => ({
      ...{ op, collection: collectionId },
      ...(id !== undefined && { id }),
      ...(values && { values }),
    }));
    // What was corrected since is another request.
    for (const [i, operation] of operations.entries())
      hash.update(`${remaining[i]?.key}\n${JSON.stringify(operation)}\n`);
    try {
      const { results } = await client.batchEntries({ operations }, { idempotencyKey: hash.digest('hex') });
      const written = remaining.flatMap(({ key }, i) => {
        const id = results[i]?.id;
        return id ? [{ key, id }] : [];
      });
      return { written, failed };
    } catch (error) {
      if (!isHeadwaterError(error) || error.status === 401 || error.status === 0) throw error;
      const reasons = reasonsOf(error.errors);
      // Not about one of the entries.
      if (reasons.size === 0 && remaining.length > 1) throw error;
      if (reasons.size === 0) reasons.set(0, [error.message]);
      for (const [i, texts] of reasons) {
        const key = remaining[i]?.key;
        if (key !== undefined) failed.push({ key, reason: texts.join(' ') });
      }
      remaining = remaining.filter((_, i) => !reasons.has(i));
    }
  }
  return { written: [], failed };
}

/** The faults of each operation, with the member at fault. */
function reasonsOf(errors: readonly { pointer?: string; detail: string }[]): Map<number, string[]> {
  const reasons = new Map<number, string[]>();
  for (const { pointer = '', detail } of errors) {
    const [, index, member = ''] = /^\/operations\/(\d+)(.*)$/.exec(pointer) ?? [];
    if (index === undefined) continue;
    const texts = reasons.get(Number(index)) ?? [];
    reasons.set(Number(index), [...texts, `${member} ${detail}`.trim()]);
  }
  return reasons;
}
