import { createHash, randomUUID } from 'node:crypto';
import { type Client, type HeadwaterError, isHeadwaterError } from '@headwater/sdk';
import { isRefusal } from './refusals.ts';
import type { Values } from './source.ts';

/** What is written of an entry in one batch: its values, then it is published, then its draft gets other values. */
export interface Item {
  /** In the other system, with its collection. */
  key: string;
  /** In the other system. */
  sourceId: string;
  collectionId: string;
  idField: string;
  versionField: string;
  /** Undefined for a new one. */
  id: string | undefined;
  values: Values;
  publishes: boolean;
  draft: Values | undefined;
  /** Whether the collection has drafts. */
  hasDrafts: boolean;
  /** Of what it is made from, once it is whole. */
  version: string | undefined;
  /** Values that were refused and left out, and why. */
  left: string[];
}

type Operation = Parameters<Client['batchEntries']>[0]['operations'][number];

/** One batch counts as one write, of which the service accepts 50 a second. */
const BATCH_ENTRIES = 100;
const BATCH_BYTES = 500_000;

/** Divides what is written into batches: always the same ones, so that a batch whose response was lost is recognized when it is repeated. */
export function batchesOf<Each>(all: readonly Each[], valuesOf: (each: Each) => object): Each[][] {
  const batches: Each[][] = [];
  let bytes = 0;
  for (const each of all) {
    const size = JSON.stringify(valuesOf(each)).length;
    const last = batches.at(-1);
    if (last && last.length < BATCH_ENTRIES && bytes + size <= BATCH_BYTES) {
      last.push(each);
      bytes += size;
    } else {
      batches.push([each]);
      bytes = size;
    }
  }
  return batches;
}

export interface Written {
  /** The IDs of entries. */
  written: Map<Item, string>;
  /** Why none of an entry was written. */
  refused: Map<Item, string>;
}

/**
 * Writes entries by one request. Values that are refused are left out, and the rest is sent again: as a draft, where there are drafts.
 * @param dryRun only finds out what is refused
 */
export async function writeItems(client: Client, items: readonly Item[], dryRun = false): Promise<Written> {
  const refused: Written['refused'] = new Map();
  let remaining = [...items];
  let salt = '';
  while (remaining.length > 0) {
    const operations = remaining.map((item, i) => operationsOf(item, i));
    const steps = STEPS.flatMap((step) =>
      operations.flatMap((all, i) => (all[step] ? [{ operation: all[step], i, step }] : [])),
    );
    try {
      const ids = await send(
        client,
        steps.map(({ operation }) => operation),
        remaining,
        salt,
        dryRun,
      );
      const written: Written['written'] = new Map();
      for (const [n, { i }] of steps.entries()) {
        const item = remaining[i] as Item;
        const id = item.id ?? ids[n];
        if (id && !written.has(item)) written.set(item, id);
      }
      if (dryRun || (await isThere(client, remaining, written))) return { written, refused };
      // The service repeated the response to the same request of an earlier run, whose entries were deleted since.
      salt = randomUUID();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const faults = faultsOf(error, steps);
      if (faults.size === 0 && remaining.length > 1) {
        // About one of the entries, but not of which, or about all of them.
        const half = remaining.length >> 1;
        const parts = [remaining.slice(0, half), remaining.slice(half)];
        const written: Written['written'] = new Map();
        for (const part of parts) {
          const done = await writeItems(client, part, dryRun);
          for (const [item, id] of done.written) written.set(item, id);
          for (const [item, reason] of done.refused) refused.set(item, reason);
        }
        return { written, refused };
      }
      if (faults.size === 0) faults.set(0, [{ path: [], detail: error.message, step: 'create', code: error.code }]);
      for (const [i, found] of faults) {
        const item = remaining[i] as Item;
        const reason = dryRun ? 'refused' : await correct(client, item, found);
        if (reason !== undefined) refused.set(item, reason);
      }
      remaining = remaining.filter((item) => !refused.has(item));
    }
  }
  return { written: new Map(), refused };
}

const STEPS = ['create', 'update', 'publish', 'draft'] as const;
type Step = (typeof STEPS)[number];

function operationsOf(item: Item, i: number): Partial<Record<Step, Operation>> {
  const { collectionId: collection, id, values, draft, publishes, idField, versionField, sourceId } = item;
  const version = versionOf(item);
  const own = draft === undefined && version !== undefined ? { [versionField]: version } : {};
  const named = { collection, id: id ?? `@e${i}` };
  const written = { ...values, ...own, [idField]: sourceId };
  return {
    ...(id === undefined
      ? { create: { op: 'create', collection, values: withoutNulls(written), ref: `e${i}` } }
      : { update: { op: 'update', ...named, values: written } }),
    ...(publishes && { publish: { op: 'publish', ...named } }),
    ...(draft && {
      draft: {
        op: 'update',
        ...named,
        values: { ...draft, ...(version !== undefined && { [versionField]: version }) },
      },
    }),
  };
}

const withoutNulls = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

const MAX_LEFT = 20;

function versionOf({ version, left }: Item): string | undefined {
  if (version === undefined) return undefined;
  return [version, ...left.slice(0, MAX_LEFT).map((text) => text.replaceAll(/\s+/g, ' ').slice(0, 500))].join('\n');
}

/** Sent again by a run that follows, the same requests are made, which their keys make harmless. */
async function send(
  client: Client,
  operations: Operation[],
  items: readonly Item[],
  salt: string,
  dryRun: boolean,
): Promise<(string | null)[]> {
  const hash = createHash('sha256').update(`${salt}\n${items.map(({ key }) => key).join('\n')}\n`);
  for (const operation of operations) hash.update(`${JSON.stringify(operation)}\n`);
  const body = { operations, ...(dryRun && { dryRun }) };
  const { results } = await client.batchEntries(body, { idempotencyKey: `import ${dryRun} ${hash.digest('hex')}` });
  return results.map(({ id }) => id);
}

/** Whether what was created exists: a batch is written as a whole, so one entry tells. */
async function isThere(client: Client, items: readonly Item[], written: Written['written']): Promise<boolean> {
  const created = items.find(({ id }) => id === undefined);
  const entryId = created && written.get(created);
  if (!created || entryId === undefined) return true;
  try {
    await client.getEntry({ collectionId: created.collectionId, entryId });
    return true;
  } catch (error) {
    if (!isHeadwaterError(error, 'not_found')) throw error;
    return false;
  }
}

interface FaultOf {
  /** To the value at fault. */
  path: string[];
  code: string;
  detail: string;
  step: Step;
}

const LEVEL: Record<Step, number> = { create: 0, update: 0, publish: 1, draft: 2 };

function levelAt(pointer: string, steps: readonly { step: Step }[]): number[] {
  const found = steps[Number(/^\/operations\/(\d+)/.exec(pointer)?.[1])];
  return found ? [LEVEL[found.step]] : [];
}

/** The faults of each entry. */
function faultsOf(error: HeadwaterError, steps: readonly { i: number; step: Step }[]): Map<number, FaultOf[]> {
  const faults = new Map<number, FaultOf[]>();
  // Where values are refused, none were written, so that nothing follows from what is published of them.
  const level = Math.min(...error.errors.flatMap(({ pointer = '' }) => levelAt(pointer, steps)));
  for (const { pointer = '', code, detail } of error.errors) {
    const [, index, rest = ''] = /^\/operations\/(\d+)(.*)$/.exec(pointer) ?? [];
    const found = steps[Number(index)];
    if (index === undefined || !found) continue;
    if (LEVEL[found.step] > level) continue;
    const [member, ...inner] = rest
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    const fault = { path: member === 'values' ? inner : [], code, detail, step: found.step };
    faults.set(found.i, [...(faults.get(found.i) ?? []), fault]);
  }
  return faults;
}

/** Leaves out what was refused. @returns why the entry cannot be written at all */
async function correct(client: Client, item: Item, faults: readonly FaultOf[]): Promise<string | undefined> {
  const all = faults.map(({ path, detail }) => `${path.join('.')}${path.length > 0 ? ': ' : ''}${detail}`);
  const isTaken = faults.some(({ path, code }) => path[0] === item.idField && code === 'value_taken');
  if (isTaken && item.id === undefined) {
    // A request of an earlier run was still under way.
    const filter = { [item.idField]: { eq: item.sourceId } };
    const { entries } = await client.listEntries({ collectionId: item.collectionId, filter, select: [item.idField] });
    item.id = entries[0]?.id;
    return item.id === undefined ? all.join(' ') : undefined;
  }
  // From the last row on, so that the places of others stay the same.
  const sorted = [...faults].sort((a, b) => compare(b.path, a.path));
  let isChanged = false;
  for (const { path, detail, step, code } of sorted) {
    if (step === 'publish') {
      if (item.publishes) isChanged = true;
      item.publishes = false;
    } else {
      const values = step === 'draft' ? item.draft : item.values;
      if (path.length === 0 || !values) return all.join(' ');
      if (removeAt(values, path)) isChanged = true;
      else if (code === 'required' && path.length === 1 && !item.hasDrafts) {
        await client.updateCollection(
          { collectionId: item.collectionId },
          { fields: [{ id: path[0]?.split('@')[0] ?? '', required: false }] },
        );
        isChanged = true;
      }
    }
    item.left.push(`${path.join('.')}${path.length > 0 ? ': ' : ''}${detail}`);
  }
  if (!isChanged) return all.join(' ');
  // What is wrong with its draft does not concern what is published.
  if (faults.some(({ step }) => step !== 'draft')) item.publishes = false;
  return undefined;
}

function compare(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [one, other] = [a[i] ?? '', b[i] ?? ''];
    if (one === other) continue;
    const [n, m] = [Number(one), Number(other)];
    return Number.isNaN(n) || Number.isNaN(m) ? (one < other ? -1 : 1) : n - m;
  }
  return 0;
}

/** Removes a value, or what is nearest around it. */
function removeAt(values: Values, path: readonly string[]): boolean {
  for (let depth = path.length; depth > 0; depth--) {
    const parent = path.slice(0, depth - 1).reduce<unknown>((at, part) => (Object(at) as Values)[part], values);
    const last = path[depth - 1] ?? '';
    if (Array.isArray(parent)) {
      if (Number(last) < parent.length) {
        parent.splice(Number(last), 1);
        return true;
      }
    } else if (typeof parent === 'object' && parent !== null && (parent as Values)[last] != null) {
      delete (parent as Values)[last];
      return true;
    }
  }
  return false;
}
