import { notFound } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isActive } from '../collections/collection.ts';
import { type Values, writableValue } from '../entries/check-values.ts';
import type { Entry } from '../entries/contract.ts';
import { createEntry } from '../entries/create-entry.ts';
import { findEntries } from '../entries/queries.ts';
import type { EntryPath } from '../entries/update-entry.ts';
import type { CachedWriteContext } from '../entries/write-context.ts';
import { mayWrite } from '../roles/collection-access.ts';

/**
 * Creates an entry with the current values of another one. Unique values are left out, and slugs derived anew.
 * @param changed values that differ
 * @throws ApiError 404; 400 as `createEntry`, for example if a unique field is required
 */
export async function duplicateEntry(
  tx: Tx,
  context: CachedWriteContext,
  { collectionId, entryId }: EntryPath,
  changed: Values = {},
): Promise<Entry> {
  const { accountId } = context.author;
  const copy = await context.cache.use(tx, accountId, collectionId, async (collection) => {
    const id = parseId('ent', entryId);
    const [entry] = id === undefined ? [] : await findEntries(tx, accountId, collection, [id]);
    if (!entry || !isActive(entry)) throw notFound('entry');
    const stored: Values = readJson(entry.values);
    const { access } = collection;
    const copied = collection.fields.filter(
      (field) =>
        isActive(field) && !field.unique && field.format !== 'slug' && (!access || mayWrite(access, 'create', field)),
    );
    return Object.fromEntries(copied.map((field) => [field.id, writableValue(field, stored) ?? null]));
  });
  return createEntry(tx, context, collectionId, { ...copy, ...changed });
}
