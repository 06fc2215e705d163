import { invalid } from '../../shared/errors.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import type { Collection } from '../collections/collection.ts';
import { shareLockCollection } from '../collections/queries.ts';
import { STALE } from '../collections/stale.ts';
import { acceptAll } from './accept-values.ts';
import type { CheckedValues } from './check-values.ts';
import type { Entry } from './contract.ts';
import { findTaken } from './unique-keys.ts';
import type { WriteContext } from './write-context.ts';
import { insertEntries, insertFreeEntries, type NewEntry, type WrittenEntry, writesMore } from './write-entries.ts';

/** Another entry has a value of this one, which must be unique: perhaps one of the same batch, which was refused. */
export const TAKEN = Symbol('taken');

/** One of several entries that are created together. Its values have no faults that the collection tells. */
interface EntryToCreate {
  context: WriteContext;
  checked: CheckedValues;
}

/**
 * Creates entries of a collection in one transaction, by as many statements as one of them takes: a few for what their values refer to,
 * sent together, one that claims their unique values, and one that inserts all of them. Each has its own outcome.
 */
export async function createEntries(
  db: Database,
  context: WriteContext,
  collection: Collection,
  batch: readonly EntryToCreate[],
): Promise<(Entry | { error: unknown } | typeof TAKEN | typeof STALE)[]> {
  const { accountId } = context.author;
  const toInsert = ({ checked, context: { now } }: EntryToCreate): NewEntry => ({
    values: checked.values,
    createdAt: now,
  });
  const isPlain = batch.every(({ checked: { assets, references, slugs } }) =>
    [assets, references, slugs].every((each) => each.length === 0),
  );
  if (isPlain && !writesMore(collection)) {
    const written = await insertEntries(db, context, collection, batch.map(toInsert));
    return written === STALE ? batch.map(() => STALE) : written.map(({ entry }) => entry);
  }
  const write = async (tx: Tx, last: Tx) => {
    const all = batch.map(({ checked }) => checked);
    const [[locked], { refused, assets }] = await Promise.all([
      shareLockCollection(tx, { account_id: accountId, id: collection.id }),
      acceptAll(tx, accountId, all, context.publicUrl),
    ]);
    if (locked?.version !== collection.version) return batch.map(() => STALE);
    const accepted = batch.filter((_, i) => refused[i] === undefined);
    const options = { assets, last };
    const written = await insertFreeEntries(tx, context, collection, accepted.map(toInsert), options);
    const results: Iterator<WrittenEntry | undefined> = written.values();
    return refused.map((error) => {
      if (error) return { error };
      const { value } = results.next();
      return value ? value.entry : TAKEN;
    });
  };
  const outcomes = await db.transaction(write, { keepsPlans: batch.length === 1 });
  if (!outcomes.includes(TAKEN)) return outcomes;
  const taken = await findTaken(
    db,
    accountId,
    collection,
    batch.map(({ checked: { values } }) => ({ id: undefined, values })),
  );
  return outcomes.map((outcome, i) => {
    // Who lost a slug that was derived gets another one.
    const faults = outcome === TAKEN && batch[i]?.checked.slugs.length === 0 ? (taken[i] ?? []) : [];
    return faults.length > 0 ? { error: invalid(faults) } : outcome;
  });
}
