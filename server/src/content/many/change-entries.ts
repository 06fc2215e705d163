import { ApiError, type Fault, invalid } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { mapInTurns } from '../../shared/turns.ts';
import type { Collection } from '../collections/collection.ts';
import { lockEntries } from '../entries/queries.ts';
import type { CachedWriteContext } from '../entries/write-context.ts';
import { changedFieldsOf } from '../entries/write-entries.ts';
import { findAmong } from '../query/found-entries.ts';
import { checkEntryChange } from '../writes/check-entry-change.ts';
import { runOperations } from '../writes/run-operations.ts';
import type { ChangeRequest, Matching } from './find-matching.ts';

export interface ChangedEntry {
  /** UUID */
  id: string;
  version: number;
}

/** Thrown if the collection has changed since entries of it were found. */
export class CollectionChanged extends Error {}

/**
 * Changes those of some entries that still match and would be different, all or none. They stay locked until the transaction ends.
 * @returns the changed ones
 * @throws ApiError 400 with every fault, each once
 */
export async function changeEntries(
  tx: Tx,
  context: CachedWriteContext,
  { collection, scope, listing }: Pick<Matching, 'collection' | 'scope' | 'listing'>,
  ids: readonly string[],
  { op, change }: Pick<ChangeRequest, 'op' | 'change'>,
): Promise<ChangedEntry[]> {
  if (ids.length === 0) return [];
  const { accountId } = context.author;
  const locked = await lockEntries(tx, accountId, collection, ids);
  if (locked.some(({ collection_version }) => collection_version !== collection.version)) throw new CollectionChanged();
  const matching = await findAmong(tx, scope, collection, listing, ids, undefined, async () => []);
  if (matching === undefined) throw new CollectionChanged();
  const still = new Set<string>(matching.map(({ id }) => id));
  const isWanted = await mapInTurns(
    locked,
    ({ id, values }) => still.has(id) && (op === 'delete' || isDifferent(collection, change, readJson(values))),
  );
  const wanted = locked.filter((_, i) => isWanted[i]);
  const operations = wanted.map(({ id }) => ({
    ...change,
    op,
    collection: collection.publicId,
    id: publicId('ent', id),
    pointer: '',
    valuesPointer: '/values',
  }));
  try {
    const results = await runOperations(tx, context, operations);
    return results.map(({ entry }) => ({ id: parseId('ent', entry.id) ?? '', version: entry.version }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) throw invalid(distinct(error.errors));
    throw error;
  }
}

function isDifferent(
  collection: Collection,
  change: ChangeRequest['change'],
  stored: Record<string, unknown>,
): boolean {
  const { values, faults } = checkEntryChange(collection, change, { ...stored });
  return faults.length > 0 || changedFieldsOf(collection, stored, values).length > 0;
}

/** A fault of many entries is one. */
function distinct(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.map((fault) => [`${fault.pointer} ${fault.code}`, fault])).values()];
}
