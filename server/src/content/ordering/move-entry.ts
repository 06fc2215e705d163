import { badRequest, type Fault, invalid, notFound } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';
import { type Collection, isActive, publishedView } from '../collections/collection.ts';
import { rewriteEntry } from '../collections/reindex-entries.ts';
import { STALE } from '../collections/stale.ts';
import type { Values } from '../entries/check-values.ts';
import type { Entry } from '../entries/contract.ts';
import { findEntries, type WritableEntryRow } from '../entries/queries.ts';
import { serializeEntry, serializeValues } from '../entries/serialize-entry.ts';
import { type EntryPath, lockEntry } from '../entries/update-entry.ts';
import type { CachedWriteContext } from '../entries/write-context.ts';
import { LIMITS } from '../limits.ts';
import { countPublishedChange, findPublishedRows } from '../publishing/queries.ts';
import { wholeOf } from '../roles/collection-access.ts';
import { permittedIds, requireAction } from '../roles/permitted.ts';
import type { EntryMove } from './contract.ts';
import { lockOrder, neighbour } from './place-entries.ts';
import { positionBetween } from './position.ts';
import { PARENT, POSITION } from './system-fields.ts';

/**
 * Moves an entry in the manual order of its collection, and in a tree below another entry. Only its own row is written.
 * @throws ApiError 404; 400 `ordering_disabled`, `tree_disabled`, `tree_cycle`, `entry_unknown`, `move_invalid`
 */
export function moveEntry(tx: Tx, context: CachedWriteContext, path: EntryPath, sent: EntryMove): Promise<Entry> {
  const { accountId } = context.author;
  return context.cache.use(tx, accountId, path.collectionId, async (collection) => {
    const field = collection.row.settings?.ordering && collection.byId.get(POSITION);
    if (!field)
      throw badRequest('ordering_disabled', 'The collection has no manual order. Set `"ordering": "manual"`.');
    const [side, ...others] = (['before', 'after', 'first', 'last'] as const).filter(
      (name) => sent[name] !== undefined,
    );
    if (others.length > 0 || (side === undefined && sent.parentId === undefined)) {
      throw badRequest('move_invalid', 'Send one of before, after, first and last, with parentId in a tree.');
    }
    await lockOrder(tx, accountId, collection.id);
    const entry = await lockEntry(tx, accountId, collection, path.entryId);
    if (!entry || !isActive(entry)) throw notFound('entry');
    if (entry.collection_version !== collection.version) return STALE;
    await requireAction(tx, accountId, collection, 'update', [entry.id]);
    const values: Values = readJson(entry.values);
    const sibling = await siblingOf(tx, accountId, collection, sent, entry);
    const parentId = await parentOf(tx, accountId, collection, sent, entry, values, sibling);
    const at = sibling?.[POSITION] as string | undefined;
    const other = await neighbour(tx, accountId, field.key, at, side ?? 'last', entry.id);
    const isBehind = side === 'after' || side === 'last' || side === undefined;
    const between = sibling ? (isBehind ? [at, other] : [other, at]) : isBehind ? [other] : [undefined, other];
    const moved: Values = { ...values, [POSITION]: positionBetween(between[0], between[1]) };
    if (parentId == null) delete moved[PARENT];
    else moved[PARENT] = parentId;
    const key = { account_id: accountId, collection_id: collection.id };
    const whole = wholeOf(collection);
    await rewriteEntry(tx, accountId, whole, false, entry, moved);
    await requireAction(tx, accountId, collection, 'update', [entry.id]);
    const [published] = await findPublishedRows(tx, {
      account_id: accountId,
      ids: collection.publishing ? [entry.id] : [],
    });
    if (published) {
      const { [PARENT]: _, ...rest }: Values = readJson(published.values);
      const values = { ...rest, [POSITION]: moved[POSITION], ...(parentId != null && { [PARENT]: parentId }) };
      await rewriteEntry(tx, accountId, publishedView(whole), true, published, values);
      await countPublishedChange(tx, key);
    }
    const [serialized = {}] = await serializeValues(tx, accountId, collection, [moved], context.publicUrl);
    return serializeEntry(collection, entry, serialized);
  });
}

/** The values of the entry beside which another one is placed. */
async function siblingOf(
  tx: Tx,
  account_id: string,
  collection: Collection,
  { before, after }: EntryMove,
  entry: WritableEntryRow,
): Promise<Values | undefined> {
  const name = before ?? after;
  if (name === undefined) return undefined;
  const pointer = before === undefined ? '/after' : '/before';
  const id = parseId('ent', name);
  if (id === entry.id) {
    throw invalid([{ pointer, code: 'move_invalid', detail: 'An entry cannot be placed beside itself.' }]);
  }
  const [row] = id === undefined ? [] : await findEntries(tx, account_id, collection, [id]);
  if (!row || !isActive(row)) throw invalid([unknownEntry(pointer)]);
  return readJson(row.values) as Values;
}

const unknownEntry = (pointer: string): Fault => ({
  pointer,
  code: 'entry_unknown',
  detail: 'There is no entry with this ID in this collection.',
});

/** The parent after a move: that of the sibling, the one that is sent, or as before. */
async function parentOf(
  tx: Tx,
  account_id: string,
  collection: Collection,
  { parentId: sent }: EntryMove,
  entry: WritableEntryRow,
  values: Values,
  sibling: Values | undefined,
): Promise<string | null> {
  const pointer = '/parentId';
  if (!collection.row.settings?.tree) {
    if (sent == null) return null;
    throw invalid([{ pointer, code: 'tree_disabled', detail: 'The collection is no tree. Set `"tree": true`.' }]);
  }
  const ofSibling = (sibling?.[PARENT] ?? null) as string | null;
  if (sibling && sent !== undefined && sent !== ofSibling) {
    const detail = 'The entry beside which this one is placed has another parent.';
    throw invalid([{ pointer, code: 'move_invalid', detail }]);
  }
  const parent = sibling ? ofSibling : sent === undefined ? ((values[PARENT] ?? null) as string | null) : sent;
  if (parent === null || parent === values[PARENT]) return parent;
  const own = publicId('ent', entry.id);
  for (let at: string | null = parent, depth = 1; at !== null; depth++) {
    if (at === own) {
      const detail = 'An entry cannot be below itself, or below one that is below it.';
      throw invalid([{ pointer, code: 'tree_cycle', detail }]);
    }
    if (depth > LIMITS.treeDepth) {
      const detail = `A tree is at most ${LIMITS.treeDepth} entries deep.`;
      throw invalid([{ pointer, code: 'too_deep', detail }]);
    }
    const id = parseId('ent', at);
    const parameters = { account_id, collection_id: collection.id, id: id ?? '' };
    const [row]: { parent: string | null }[] = id === undefined ? [] : await findParent(tx, parameters);
    const isReadable =
      at !== parent || (row && (await permittedIds(tx, account_id, collection, 'read', [parameters.id])).size > 0);
    if (!isReadable) throw invalid([unknownEntry(pointer)]);
    at = row?.parent ?? null;
  }
  return parent;
}

const findParent = statement('content.find_parent', {
  account_id: 'uuid',
  collection_id: 'uuid',
  id: 'uuid',
}).returns<{ parent: string | null }>(
  `select "values" ->> '${PARENT}' as parent from entries
   where account_id = :account_id and id = :id and collection_id = :collection_id and status = 'active'`,
);
