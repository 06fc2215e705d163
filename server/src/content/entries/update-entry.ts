import { type Fault, invalid, notFound, refuse } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { type Collection, isActive, type Status } from '../collections/collection.ts';
import { STALE } from '../collections/stale.ts';
import { findDeleteFaults } from '../references/reference-uses.ts';
import { checkEntryChange } from '../writes/check-entry-change.ts';
import type { ValueChange } from '../writes/contract.ts';
import { acceptValues } from './accept-values.ts';
import type { Values } from './check-values.ts';
import type { Entry, EntryChange } from './contract.ts';
import { lockEntries, type WritableEntryRow } from './queries.ts';
import type { CachedWriteContext } from './write-context.ts';
import { updateEntries } from './write-entries.ts';

export interface EntryPath {
  collectionId: string;
  entryId: string;
}

/** What a change requires of the entry. With the status `active` it may be a deleted one. */
interface ExpectedEntry {
  version?: number | undefined;
  status?: Status | undefined;
}

/** What a change sends: fields that `values` does not contain stay as they are. */
interface SentChange extends ValueChange {
  status?: Status | undefined;
  restoredFrom?: number;
}

/**
 * Changes, deletes (`status: "deleted"`) or restores an entry.
 * @throws ApiError 404 if the entry is deleted, unless it is restored; 400 `version_conflict`, or with every fault
 */
export function updateEntry(
  tx: Tx,
  context: CachedWriteContext,
  path: EntryPath,
  { status, version, ...change }: EntryChange,
): Promise<Entry> {
  return changeLockedEntry(tx, context, path, { version, status }, async () => ({ ...change, status }));
}

/**
 * Applies a change that depends on what the entry is. The transaction holds the entry from when it is read, so that of two
 * changes with the same `version` only one succeeds.
 */
export async function changeLockedEntry(
  tx: Tx,
  context: CachedWriteContext,
  path: EntryPath,
  expected: ExpectedEntry,
  decide: (collection: Collection, before: WritableEntryRow, stored: Values) => Promise<SentChange>,
): Promise<Entry> {
  const { accountId } = context.author;
  return context.cache.use(tx, accountId, path.collectionId, async (collection) => {
    const before = changeable(await lockEntry(tx, accountId, collection, path.entryId), expected);
    if (before.collection_version !== collection.version) return STALE;
    const stored: Values = readJson(before.values);
    const { status = before.status, restoredFrom, ...change } = await decide(collection, before, stored);
    const values = await acceptValues(tx, accountId, checkEntryChange(collection, change, stored));
    if (isActive(before) && status === 'deleted') await refuseDelete(tx, accountId, collection.id, before.id);
    const update = { before, values, status, ...(restoredFrom !== undefined && { restoredFrom }) };
    const [written] = await updateEntries(tx, context, collection, [update]);
    return written?.entry ?? STALE;
  });
}

/** @throws ApiError 400 `entry_referenced` */
async function refuseDelete(tx: Tx, accountId: string, collectionId: string, id: string): Promise<void> {
  refuse([...(await findDeleteFaults(tx, accountId, collectionId, [id])).values()]);
}

/** The entry if the change may be made to it. @throws ApiError 404; 400 `version_conflict` */
export function changeable(before: WritableEntryRow | undefined, expected: ExpectedEntry): WritableEntryRow {
  if (!before || !(isActive(before) || expected.status === 'active')) throw notFound('entry');
  const conflict = versionConflict(before, expected.version);
  if (conflict) throw invalid([conflict]);
  return before;
}

/** The fault if an entry is not at the version that a request expects. */
export function versionConflict(
  { version }: Pick<WritableEntryRow, 'version'>,
  expected: number | undefined,
): Fault | undefined {
  if (expected === undefined || expected === version) return undefined;
  const detail = `The entry is at version ${version}, not ${expected}. Read it again and retry.`;
  return { pointer: '/version', code: 'version_conflict', detail };
}

/** @param entryId as the API writes it */
export async function lockEntry(
  tx: Tx,
  accountId: string,
  collection: Collection,
  entryId: string,
): Promise<WritableEntryRow | undefined> {
  const id = parseId('ent', entryId);
  if (id === undefined) return undefined;
  const [row] = await lockEntries(tx, accountId, collection, [id]);
  return row;
}
