import { notFound } from '../../shared/errors.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isActive } from '../collections/collection.ts';
import { type Values, writableValue } from '../entries/check-values.ts';
import type { Entry, VersionRestore } from '../entries/contract.ts';
import { changeLockedEntry, type EntryPath } from '../entries/update-entry.ts';
import type { CachedWriteContext } from '../entries/write-context.ts';
import { parseVersion } from './entry-versions.ts';
import { findVersion } from './queries.ts';

/**
 * Gives an entry the values of a version, as a new version. The same rules apply as if these values were sent: a field that
 * had no value then loses it, deleted fields stay as they are, and values that are no longer valid are faults. Values that
 * the entry still has are not checked.
 * @throws ApiError 404 for a deleted entry, and for a version that is not kept; 400 as `updateEntry`
 */
export function restoreVersion(
  tx: Tx,
  context: CachedWriteContext,
  path: EntryPath & { version: string },
  { version: expected, fields }: VersionRestore,
): Promise<Entry> {
  const account_id = context.author.accountId;
  return changeLockedEntry(tx, context, path, { version: expected }, async (collection, { id }, stored) => {
    const version = parseVersion(path.version);
    const [row] = await findVersion(tx, { account_id, id, version });
    if (!row) throw notFound('version');
    const then: Values = readJson(row.values);
    const values: Values = {};
    for (const field of collection.fields) {
      if (!isActive(field) || (fields !== undefined && !fields.includes(field.id))) continue;
      const [old, current] = [writableValue(field, then), writableValue(field, stored)];
      if (JSON.stringify(old) !== JSON.stringify(current)) values[field.id] = old ?? null;
    }
    return { values, restoredFrom: version };
  });
}
