import { badRequest, notFound } from '../../shared/errors.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { findCollection, shareLockCollection } from '../collections/queries.ts';
import type { Values } from '../entries/check-values.ts';
import { lockEntries } from '../entries/queries.ts';
import { findTaken } from '../entries/unique-keys.ts';
import type { CachedWriteContext } from '../entries/write-context.ts';
import { type EntryUpdate, updateEntries } from '../entries/write-entries.ts';
import type { ChangedEntry } from './change-entries.ts';
import { type ChangeRow, findVersionsOf, lockChange, saveChanged, setUndone } from './queries.ts';

/**
 * Claims the undo of a change.
 * @throws ApiError 404; 400 `already_undone`
 */
export async function claimUndo(
  tx: Tx,
  account_id: string,
  collection_id: string | undefined,
  id: string | undefined,
  now: number,
): Promise<ChangeRow> {
  const [row] = id === undefined ? [] : await lockChange(tx, { account_id, id });
  if (!row || row.collection_id !== collection_id) throw notFound('change');
  if (row.undone_at) throw badRequest('already_undone', 'The change has been undone.');
  await setUndone(tx, { account_id, id: row.id, at: new Date(now) });
  return row;
}

/**
 * Gives entries the values that they had before a change, or restores those that it deleted. Entries that have changed since are
 * skipped, and those whose earlier version is not kept.
 * @returns how many were restored
 */
export async function undoEntries(
  tx: Tx,
  context: CachedWriteContext,
  { id: change_id, collection_id, request }: ChangeRow,
  changed: readonly ChangedEntry[],
): Promise<number> {
  const { accountId: account_id } = context.author;
  const ids = changed.map(({ id }) => id);
  await shareLockCollection(tx, { account_id, id: collection_id });
  const [stored] = await findCollection(tx, { account_id, id: collection_id });
  const collection = stored && (await context.cache.read(tx, account_id, stored));
  if (!collection) throw notFound('collection');
  const rows = await lockEntries(tx, account_id, collection, ids);
  const versionOf = new Map(changed.map(({ id, version }) => [id, version]));
  const same = rows.filter(({ id, version }) => versionOf.get(id) === version);
  const isDelete = request.op === 'delete';
  const previous = await findVersionsOf(tx, {
    account_id,
    ids: same.map(({ id }) => id),
    versions: same.map(({ version }) => version - 1),
  });
  const valuesBefore = new Map(previous.map(({ entry_id, values }) => [entry_id, readJson(values) as Values]));
  const updates = same.flatMap((before): EntryUpdate[] => {
    const current: Values = readJson(before.values);
    if (isDelete) return [{ before, values: current, status: 'active' }];
    const then = valuesBefore.get(before.id);
    if (!then) return [];
    return [
      { before, values: valuesOf(collection, then, current), status: 'active', restoredFrom: before.version - 1 },
    ];
  });
  const taken = await findTaken(
    tx,
    account_id,
    collection,
    updates.map(({ before: { id }, values }) => ({ id, values })),
  );
  const written = await updateEntries(
    tx,
    context,
    collection,
    updates.filter((_, i) => taken[i]?.length === 0),
  );
  const restored = new Map(written.map(({ id, version }) => [id, version]));
  await saveChanged(tx, {
    account_id,
    change_id,
    ids,
    states: ids.map((id) => (restored.has(id) ? 'undone' : 'skipped')),
    versions: ids.map((id) => restored.get(id) ?? null),
  });
  return written.length;
}

/** Earlier values; those of deleted fields stay as they are. */
function valuesOf({ fields }: Collection, then: Values, current: Values): Values {
  const values: Values = { ...current };
  for (const field of fields) {
    if (!isActive(field)) continue;
    if (Object.hasOwn(then, field.id)) values[field.id] = then[field.id];
    else delete values[field.id];
  }
  return values;
}
