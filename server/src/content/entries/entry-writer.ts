import { ApiError, type Fault, invalid, notFound } from '../../shared/errors.ts';
import { FairQueue } from '../../shared/fair-queue.ts';
import { GroupCommit, type GroupCommitOptions } from '../../shared/group-commit.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import { currentWork, RequestWork, runAs, type Work } from '../../shared/postgres/work.ts';
import type { Pressure } from '../../shared/pressure.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { STALE } from '../collections/stale.ts';
import { findDeleteFaults } from '../references/reference-uses.ts';
import { checkEntryChange } from '../writes/check-entry-change.ts';
import { acceptAll, acceptValues } from './accept-values.ts';
import { BusyEntries } from './busy-entries.ts';
import { type CheckedValues, checkNewValues, type Values } from './check-values.ts';
import type { Entry, EntryChange } from './contract.ts';
import { createEntries, TAKEN } from './create-entries.ts';
import { createEntry } from './create-entry.ts';
import { lockEntries, type WritableEntryRow } from './queries.ts';
import { isSingleton } from './singleton.ts';
import { findTaken, hasUniqueValues } from './unique-keys.ts';
import { changeable, type EntryPath, updateEntry } from './update-entry.ts';
import type { CachedWriteContext, WriteContext } from './write-context.ts';
import { type EntryUpdate, updateEntries } from './write-entries.ts';

interface Insertion {
  work: Work | undefined;
  context: CachedWriteContext;
  collection: Collection;
  sent: Values;
  checked: CheckedValues;
  size: number;
}

interface Update {
  work: Work | undefined;
  context: CachedWriteContext;
  collection: Collection;
  /** UUID. */
  id: string;
  change: EntryChange;
  size: number;
}

/** The entry as it was written, the error of this write alone, or that the collection has changed since it was read. */
type Outcome = Entry | typeof STALE | { error: unknown };

/** Entries per transaction, and what their requests may add up to. A larger request is written alone. */
const MAX_BATCH = 64;
const MAX_BATCH_BYTES = 2_000_000;
const MAX_QUEUED = 2_000;
/** An entry is at least as much work as this many events. */
const PRESSURE = 3;

/** Transactions at once: of all accounts, and of one. */
const CONCURRENCY = { slots: 6, slotsPerKey: 3, queuedPerKey: 1_000 };

/**
 * Creates and updates entries. Requests with the same API key and collection share a transaction with those that arrive while
 * another one runs. Each has its own outcome.
 */
export class EntryWriter {
  readonly #db: Database;
  readonly #pressure: Pressure;
  readonly #busyEntries: BusyEntries;
  readonly #accounts = new FairQueue(CONCURRENCY);
  /** By what the items of a batch have in common. */
  readonly #insertions = new Map<string, GroupCommit<Insertion, Outcome>>();
  readonly #updates = new Map<string, GroupCommit<Update, Outcome>>();

  constructor(db: Database, pressure: Pressure, busyEntries = new BusyEntries()) {
    this.#db = db;
    this.#pressure = pressure;
    this.#busyEntries = busyEntries;
  }

  /**
   * @param size of the request in bytes
   * @throws ApiError as `createEntry`; 429 `overloaded`
   */
  create(context: CachedWriteContext, collectionId: string, sent: Values, size: number): Promise<Entry> {
    const { accountId } = context.author;
    return context.cache.use(this.#db, accountId, collectionId, async (collection) => {
      // Positions, and the one entry of a singleton, are given to one writer after the other; what a role writes is checked again.
      if (collection.access || isSingleton(collection) || collection.row.settings?.ordering) {
        return createEntry(this.#db, context, collectionId, sent);
      }
      const checked = checkNewValues(collection, sent, context);
      // Throws, with the faults that only the database knows.
      if (checked.faults.length > 0) await acceptValues(this.#db, accountId, checked);
      const group = groupOf(this.#insertions, context, collection, (options) => {
        const write = (batch: Insertion[]) => this.#accounts.run(accountId, {}, () => this.#insert(batch));
        return new GroupCommit(write, { ...options, selector: fitting });
      });
      return entryOf(await group.submit({ work: currentWork(), context, collection, sent, checked, size }));
    });
  }

  /**
   * @param size of the request in bytes
   * @throws ApiError as `updateEntry`; 429 `overloaded`
   */
  update(context: CachedWriteContext, path: EntryPath, change: EntryChange, size: number): Promise<Entry> {
    const { accountId } = context.author;
    const id = parseId('ent', path.entryId);
    if (id === undefined) throw notFound('entry');
    return context.cache.use(this.#db, accountId, path.collectionId, async (collection) => {
      // In a transaction with others it would not wait for one that references this entry. What a role writes is checked again.
      if (collection.access || (collection.keepsReferenced && change.status === 'deleted')) {
        return this.#db.transaction((tx) =>
          updateEntry(tx, { ...context, busyEntries: this.#busyEntries }, path, change),
        );
      }
      const group = groupOf(this.#updates, context, collection, (options) => {
        const write = (batch: Update[]) => this.#accounts.run(accountId, {}, () => this.#update(batch));
        return new GroupCommit(write, { ...options, selector: () => distinct(fitting()) });
      });
      return entryOf(await group.submit({ work: currentWork(), context, collection, id, change, size }));
    });
  }

  async #insert(batch: Insertion[]): Promise<Outcome[]> {
    const [first] = batch;
    if (!first) return [];
    this.#pressure.record(PRESSURE * batch.length);
    const outcomes = await createEntries(this.#db, first.context, first.collection, batch);
    return Promise.all(
      outcomes.map((outcome, i) => (outcome === TAKEN ? this.#insertAlone(batch[i] ?? first) : outcome)),
    );
  }

  /** What another entry of the batch may have had for a moment is decided anew, and a derived slug is another one. */
  #insertAlone({ work, context, collection, sent }: Insertion): Promise<Outcome> {
    return alone(work, () => createEntry(this.#db, context, collection.publicId, sent));
  }

  async #update(batch: Update[]): Promise<Outcome[]> {
    const [first] = batch;
    if (!first) return [];
    this.#pressure.record(PRESSURE * batch.length);
    const { context, collection } = first;
    const now = Math.max(...batch.map((each) => each.context.now));
    const write = async (tx: Tx, last: Tx) => {
      const locked = await lockEntries(
        tx,
        context.author.accountId,
        collection,
        batch.map(({ id }) => id),
      );
      const entries = new Map(locked.map((entry) => [entry.id, entry]));
      const prepared = batch.map((item) => prepareUpdate(item, entries.get(item.id)));
      const outcomes = await acceptUpdates(tx, context, collection, prepared);
      const updates = outcomes.filter(isUpdate);
      const settings = { ...context, now, busyEntries: this.#busyEntries };
      const written = (await updateEntries(tx, settings, collection, updates, last)).values();
      return outcomes.map((outcome) => (isUpdate(outcome) ? (written.next().value?.entry ?? STALE) : outcome));
    };
    try {
      return await this.#db.transaction(write, { keepsPlans: batch.length === 1 });
    } catch (error) {
      if (batch.length === 1 || !isTaken(error)) throw error;
      // Two entries of the batch claim one value, or another process took it meanwhile.
      return Promise.all(batch.map((item) => this.#updateAlone(item)));
    }
  }

  #updateAlone({ work, context, collection, id, change }: Update): Promise<Outcome> {
    const path = { collectionId: collection.publicId, entryId: publicId('ent', id) };
    const writing = { ...context, busyEntries: this.#busyEntries };
    return alone(work, () => this.#db.transaction((tx) => updateEntry(tx, writing, path, change)));
  }
}

/** Writes an item of which the transaction of its batch has written nothing, for its request. */
function alone(work: Work | undefined, write: () => Promise<Entry>): Promise<Outcome> {
  const batch = currentWork();
  if (work instanceof RequestWork) work.leave(batch);
  return runAs(work ?? batch, write).catch((error: unknown) => ({ error }));
}

const isTaken = (error: unknown) => error instanceof ApiError && error.code === 'value_taken';

type Prepared = { update: EntryUpdate; checked: CheckedValues } | Exclude<Outcome, Entry>;

const isUpdate = (outcome: EntryUpdate | Outcome): outcome is EntryUpdate => outcome !== STALE && 'before' in outcome;

function prepareUpdate({ collection, change }: Update, entry: WritableEntryRow | undefined): Prepared {
  try {
    const before = changeable(entry, change);
    if (before.collection_version !== collection.version) return STALE;
    const checked = checkEntryChange(collection, change, readJson(before.values));
    const { status = before.status } = change;
    return { update: { before, values: checked.values, status }, checked };
  } catch (error) {
    return { error };
  }
}

/** Checks what values refer to, that others do not have them if they are unique, and that entries that are deleted may be. */
async function acceptUpdates(
  tx: Tx,
  { author: { accountId }, publicUrl }: WriteContext,
  collection: Collection,
  all: readonly Prepared[],
): Promise<(EntryUpdate | Exclude<Outcome, Entry>)[]> {
  const ready = all.flatMap((each) => (each !== STALE && 'update' in each ? [each] : []));
  const accepted = await acceptAll(
    tx,
    accountId,
    ready.map(({ checked }) => checked),
    publicUrl,
  );
  const refused = accepted.refused.values();
  const taken = hasUniqueValues(collection) ? await findTakenByOthers(tx, accountId, collection, ready) : undefined;
  const deleted = ready.flatMap(({ update: { before, status } }) =>
    isActive(before) && status === 'deleted' ? [before.id] : [],
  );
  const kept = deleted.length === 0 ? undefined : await findDeleteFaults(tx, accountId, collection.id, deleted);
  return all.map((each) => {
    if (each === STALE || !('update' in each)) return each;
    const error = refused.next().value;
    if (error) return { error };
    const { id } = each.update.before;
    const faults = [kept?.get(id) ?? [], taken?.get(id) ?? []].flat();
    return faults.length > 0 ? { error: invalid(faults) } : each.update;
  });
}

/** By entry (UUID), the faults of values that others have. */
async function findTakenByOthers(
  tx: Tx,
  accountId: string,
  collection: Collection,
  ready: readonly { update: EntryUpdate }[],
): Promise<Map<string, Fault[]>> {
  const active = ready.filter(({ update }) => update.status === 'active');
  const entries = active.map(({ update: { before, values } }) => ({ id: before.id, values }));
  const faults = await findTaken(tx, accountId, collection, entries);
  return new Map(entries.map(({ id }, i) => [id, faults[i] ?? []]));
}

function entryOf(outcome: Outcome): Entry | typeof STALE {
  if (outcome !== STALE && 'error' in outcome) throw outcome.error;
  return outcome;
}

/** The group for writes of one author to one version of a collection; it is dropped when nothing waits any more. */
function groupOf<Item>(
  groups: Map<string, GroupCommit<Item, Outcome>>,
  { author }: WriteContext,
  collection: Collection,
  create: (options: GroupCommitOptions<Item>) => GroupCommit<Item, Outcome>,
): GroupCommit<Item, Outcome> {
  const key = `${author.accountId} ${collection.id} ${collection.version} ${author.type} ${author.id}`;
  const onIdle = () => groups.delete(key);
  const group = groups.get(key) ?? create({ maxBatch: MAX_BATCH, maxConcurrent: 2, maxQueued: MAX_QUEUED, onIdle });
  groups.set(key, group);
  return group;
}

/** Lets items join until their requests add up to the limit. */
function fitting(): (item: { size: number }) => boolean {
  let bytes = 0;
  return ({ size }) => {
    const fits = bytes === 0 || bytes + size <= MAX_BATCH_BYTES;
    if (fits) bytes += size;
    return fits;
  };
}

/** Lets each entry join once: a later change builds on the result of the first. */
function distinct(joins: (item: Update) => boolean): (item: Update) => boolean {
  const ids = new Set<string>();
  return (item) => {
    const isRepeated = ids.has(item.id);
    ids.add(item.id);
    return !isRepeated && joins(item);
  };
}
