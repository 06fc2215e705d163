import { notFound } from '../../shared/errors.ts';
import { FairQueue } from '../../shared/fair-queue.ts';
import { GroupCommit, type GroupCommitOptions } from '../../shared/group-commit.ts';
import { parseId } from '../../shared/ids.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import type { Pressure } from '../../shared/pressure.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { STALE } from '../collections/collection-cache.ts';
import { acceptValues } from './accept-values.ts';
import { BusyEntries } from './busy-entries.ts';
import { checkChangedValues, checkNewValues, type Values } from './check-values.ts';
import type { Entry, EntryChange } from './contract.ts';
import { createEntry } from './create-entry.ts';
import { lockEntries, type WritableEntryRow } from './queries.ts';
import { changeable, type EntryPath, refuseDelete, updateEntry } from './update-entry.ts';
import type { CachedWriteContext, WriteContext } from './write-context.ts';
import { type EntryUpdate, insertEntries, type NewEntry, updateEntries, writesMore } from './write-entries.ts';

interface Insertion {
  context: WriteContext;
  collection: Collection;
  entry: NewEntry;
  size: number;
}

interface Update {
  context: WriteContext;
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
      const checked = checkNewValues(collection, sent);
      if (writesMore(collection) || checked.slugs.length > 0) {
        return createEntry(this.#db, context, collectionId, sent);
      }
      const values = await acceptValues(this.#db, accountId, checked);
      const group = groupOf(this.#insertions, context, collection, (options) => {
        const write = (batch: Insertion[]) => this.#accounts.run(accountId, {}, () => this.#insert(batch));
        return new GroupCommit(write, { ...options, selector: fitting });
      });
      const insertion = { context, collection, entry: { values, createdAt: context.now }, size };
      return entryOf(await group.submit(insertion));
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
      // A value that is taken must not refuse the other entries of a batch, nor may one delete what another one references.
      if (collection.uniqueFields.length > 0 || collection.keepsReferenced) {
        return this.#db.transaction((tx) =>
          updateEntry(tx, { ...context, busyEntries: this.#busyEntries }, path, change),
        );
      }
      const group = groupOf(this.#updates, context, collection, (options) => {
        const write = (batch: Update[]) => this.#accounts.run(accountId, {}, () => this.#update(batch));
        return new GroupCommit(write, { ...options, selector: () => distinct(fitting()) });
      });
      return entryOf(await group.submit({ context, collection, id, change, size }));
    });
  }

  async #insert(batch: Insertion[]): Promise<Outcome[]> {
    const [first] = batch;
    if (!first) return [];
    this.#pressure.record(PRESSURE * batch.length);
    const entries = batch.map(({ entry }) => entry);
    const written = await insertEntries(this.#db, first.context, first.collection, entries);
    return written === STALE ? batch.map(() => STALE) : written.map(({ entry }) => entry);
  }

  async #update(batch: Update[]): Promise<Outcome[]> {
    const [first] = batch;
    if (!first) return [];
    this.#pressure.record(PRESSURE * batch.length);
    const { context, collection } = first;
    const key = { account_id: context.author.accountId, collection_id: collection.id };
    const now = Math.max(...batch.map((each) => each.context.now));
    const write = async (tx: Tx, last: Tx) => {
      const locked = await lockEntries(tx, { ...key, ids: batch.map(({ id }) => id) });
      const entries = new Map(locked.map((entry) => [entry.id, entry]));
      const updates: EntryUpdate[] = [];
      const outcomes: (Outcome | EntryUpdate)[] = [];
      const derived = new Set<string>();
      for (const item of batch) {
        const update = await acceptUpdate(tx, item, entries.get(item.id), derived).catch((error: unknown) => ({
          error,
        }));
        if (update !== STALE && 'before' in update) updates.push(update);
        outcomes.push(update);
      }
      const written = (
        await updateEntries(tx, { ...context, now, busyEntries: this.#busyEntries }, collection, updates, last)
      ).values();
      return outcomes.map((outcome) => {
        return outcome !== STALE && 'before' in outcome ? (written.next().value?.entry ?? STALE) : outcome;
      });
    };
    return this.#db.transaction(write, { keepsPlans: batch.length === 1 });
  }
}

async function acceptUpdate(
  tx: Tx,
  { context, collection, change }: Update,
  entry: WritableEntryRow | undefined,
  /** Slugs of the batch, which is not written yet. */
  derived: Set<string>,
): Promise<EntryUpdate | typeof STALE> {
  const before = changeable(entry, change);
  if (before.collection_version !== collection.version) return STALE;
  const checked = checkChangedValues(collection, change.values ?? {}, JSON.parse(before.values));
  const { accountId } = context.author;
  const values = await acceptValues(tx, accountId, checked, ({ key }, slug) => derived.has(`${key} ${slug}`));
  for (const { field } of checked.slugs) derived.add(`${field.key} ${values[field.id]}`);
  const { status = before.status } = change;
  if (isActive(before) && status === 'deleted') await refuseDelete(tx, accountId, collection.id, before.id);
  return { before, values, status };
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
